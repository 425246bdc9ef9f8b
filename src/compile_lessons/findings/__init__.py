"""What is wrong, where, what it costs, and what to do."""
