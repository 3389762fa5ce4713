"""Croissant metadata of a published folder (Croissant Format Specification 1.0, MLCommons)."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow

from testevo.packaging.publication.parquet import column_type
from testevo.packaging.publication.rows import record_of

CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the specification prescribes."""


def croissant(
    name: str, description: str, version: str, day: str, licence: str | None, digests: Mapping[str, str]
) -> dict[str, Any]:
    """The document.

    Args:
        version: of the published form, `major.minor.patch`.
        day: the cutoff of the snapshot, `YYYY-MM-DD`.
        licence: of the collection; None where none was configured.
        digests: SHA-256 of each Parquet file, by its path without suffix (`tasks/update`).
    """
    parts = sorted(digests)
    document: dict[str, Any] = {
        "@context": dict(CONTEXT),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": description,
        "version": version,
        "datePublished": day,
        "isLiveDataset": True,
        "distribution": [_file(part, digests[part]) for part in parts],
        "recordSet": [_record_set(part) for part in parts],
    }
    return document | ({"license": licence} if licence else {})


def _file(part: str, digest: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{part}.parquet",
        "name": f"{part}.parquet",
        "contentUrl": f"{part}.parquet",
        "encodingFormat": "application/x-parquet",
        "sha256": digest,
    }


def _record_set(part: str) -> dict[str, Any]:
    name = part.replace("/", "_")
    fields = record_of(part).model_fields
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [_field(name, part, column, column_type(field.annotation)) for column, field in fields.items()],
    }


def _field(record_set: str, part: str, column: str, kind: pyarrow.DataType) -> dict[str, Any]:
    repeated = pyarrow.types.is_list(kind)
    return {
        "@type": "cr:Field",
        "@id": f"{record_set}/{column}",
        "name": f"{record_set}/{column}",
        "dataType": _data_type(kind.value_type if repeated else kind),
        "source": {"fileObject": {"@id": f"{part}.parquet"}, "extract": {"column": column}},
    } | ({"repeated": True} if repeated else {})


def _data_type(kind: pyarrow.DataType) -> str:
    names: Sequence[tuple[Any, str]] = (
        (pyarrow.types.is_integer, "sc:Integer"),
        (pyarrow.types.is_floating, "sc:Float"),
        (pyarrow.types.is_boolean, "sc:Boolean"),
    )
    return next((name for fits, name in names if fits(kind)), "sc:Text")
