"""The folder of one snapshot: where its files lie, who works in it, what failed, and which snapshot came before."""
