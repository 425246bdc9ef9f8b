"""What a run says, computed once as a ``Report``, and its forms: text, HTML and JSON."""
