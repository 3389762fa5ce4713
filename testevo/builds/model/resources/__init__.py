"""What lies beside the classes of a module: the goals that copy it, and files that Maven has made."""
