"""Read every table of a published folder with each library that is named, and print the rows as JSON.

Run by the Python of a virtual environment with `envs/loaders/requirements.txt`: `loaders_program.py FOLDER LIBRARY`.
"""

import json
import math
import sys
from pathlib import Path
from typing import Any

TRACKS = ("update", "generation")
PARTS = (*(f"{table}/{track}" for table in ("tasks", "dependencies", "answers") for track in TRACKS), "repositories")


def with_datasets(folder: Path, part: str) -> list[dict[str, Any]]:
    from datasets import load_dataset

    table, _, split = part.partition("/")
    return list(load_dataset(str(folder), table, split=split or table))


def with_pandas(folder: Path, part: str) -> list[dict[str, Any]]:
    import pandas

    frame = pandas.read_parquet(folder / f"{part}.parquet", dtype_backend="pyarrow")
    return [
        {
            name: None if pandas.api.types.is_scalar(value) and pandas.isna(value) else value
            for name, value in row.items()
        }
        for row in frame.to_dict("records")
    ]


def with_polars(folder: Path, part: str) -> list[dict[str, Any]]:
    import polars

    return polars.read_parquet(folder / f"{part}.parquet").to_dicts()


def with_duckdb(folder: Path, part: str) -> list[dict[str, Any]]:
    import duckdb

    found = duckdb.sql(f"select * from read_parquet('{folder / part}.parquet')")
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def with_mlcroissant(folder: Path, part: str) -> list[dict[str, Any]]:
    import mlcroissant

    dataset = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    if dataset.metadata.issues.errors:
        raise SystemExit(f"Croissant: {dataset.metadata.issues.report()}")
    name = part.replace("/", "_")
    [records] = [one.uuid for one in dataset.metadata.record_sets if one.uuid in (part, name)]
    return [{key.rpartition("/")[2]: value for key, value in row.items()} for row in dataset.records(records)]


LOADERS = {
    "datasets": with_datasets,
    "pandas": with_pandas,
    "polars": with_polars,
    "duckdb": with_duckdb,
    "mlcroissant": with_mlcroissant,
}


def plain(value: Any) -> Any:
    """A value as JSON has it, whatever the library makes of it."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float) and math.isnan(value):
        return None
    return value


if __name__ == "__main__":
    read = LOADERS[sys.argv[2]]
    tables = {part: read(Path(sys.argv[1]), part) for part in PARTS}
    json.dump(
        {part: [{k: plain(v) for k, v in row.items()} for row in rows] for part, rows in tables.items()}, sys.stdout
    )
