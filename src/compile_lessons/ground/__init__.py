"""What everything else stands on: errors, files, processes, words, the project and torch's functions replaced."""
