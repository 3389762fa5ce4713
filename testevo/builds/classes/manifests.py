"""Manifests of jars."""

MANIFEST = "META-INF/MANIFEST.MF"


def main_attributes(manifest: bytes) -> dict[str, str]:
    """The main attributes of a manifest by their names in small letters; lines that go on are joined.

    Format: the JAR file specification of the JDK's documentation.
    """
    text = manifest.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    main = text.lstrip("\n").split("\n\n", 1)[0].replace("\n ", "")
    parts = (line.partition(":") for line in main.split("\n"))
    return {name.strip().lower(): value.strip() for name, colon, value in parts if colon}
