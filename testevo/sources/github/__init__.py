"""The search of GitHub: find, check and lock candidate repositories (TEB-M01 to M05).

`run` tells the story. `candidates` reads what it locked and needs neither network nor an HTTP library.
"""
