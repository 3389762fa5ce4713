"""Tasks, the dataset folder and its published forms, control submissions, dated snapshots."""
