"""Records as a Parquet file whose columns follow from the record's fields."""

from collections.abc import Sequence
from enum import Enum
from io import BytesIO
from types import UnionType
from typing import Any, Union, get_args, get_origin

import pyarrow
from pyarrow import parquet

from testevo.records.base import Record

_SCALARS: dict[type, pyarrow.DataType] = {
    str: pyarrow.string(),
    int: pyarrow.int64(),
    float: pyarrow.float64(),
    bool: pyarrow.bool_(),
}


def parquet_bytes(kind: type[Record], rows: Sequence[Record]) -> bytes:
    """The file: one column a field, also where no row has a value; equal rows give equal bytes.

    Raises:
        TypeError: a field of the record has no column type.
    """
    schema = pyarrow.schema([(name, column_type(field.annotation)) for name, field in kind.model_fields.items()])
    table = pyarrow.Table.from_pylist([row.model_dump(mode="json") for row in rows], schema=schema)
    stream = BytesIO()
    parquet.write_table(table, stream, compression="zstd")
    return stream.getvalue()


def column_type(annotation: Any) -> pyarrow.DataType:
    """The column type of a field: scalars, enumerations (their values), tuples of these; None is a missing value."""
    if get_origin(annotation) in (Union, UnionType):
        (annotation,) = (one for one in get_args(annotation) if one is not type(None))
    if get_origin(annotation) is tuple:
        return pyarrow.list_(column_type(get_args(annotation)[0]))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return pyarrow.string()
    if annotation not in _SCALARS:
        raise TypeError(f"no Parquet column for {annotation}")
    return _SCALARS[annotation]
