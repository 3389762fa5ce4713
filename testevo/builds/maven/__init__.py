"""Maven processes and what their failures mean."""
