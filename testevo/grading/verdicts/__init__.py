"""What is said about a grade: does the test tell the codes apart, is it weaker, can the outcome be."""
