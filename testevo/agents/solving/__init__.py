"""Runs of systems on tasks: started, limited, judged by how they ended, made into predictions."""
