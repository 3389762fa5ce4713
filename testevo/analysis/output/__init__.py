"""What is written: tables as CSV, Markdown and LaTeX, and the names of the files of `aggregate` and `reproduce`."""
