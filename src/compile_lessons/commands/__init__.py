"""The commands of ``compile-lessons``."""
