"""The dataset in forms that other tools load: JSON lines, Parquet, a dataset card, Croissant."""
