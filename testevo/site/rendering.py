"""Pages from templates, and data for their scripts.

Names, messages and sources come from repositories that nobody here has read. Templates escape every value, with
characters that hide or turn text made visible; scripts set text only; and each page forbids its reader's browser to
run or fetch anything but the files of the site.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from testevo.analysis.output.tables import DASH, Column, Unit, shown
from testevo.analysis.reporting.html_text import text
from testevo.runtime.clock import utc_date
from testevo.runtime.files.files import url_safe_name

HERE = Path(__file__).parent
STATIC = HERE / "static"
POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True)
class Page:
    """A page of the site by its name, relative to the folder of the site."""

    name: str
    template: str
    title: str
    values: Mapping[str, Any]

    @property
    def root(self) -> str:
        """The way from the page's folder to that of the site."""
        return "../" * self.name.count("/")


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=visible,
    )
    made.filters.update(
        percent=lambda value: shown(value, Column("", "percent")),
        number=lambda value: DASH if value is None else f"{value:,}",
        unit=unit,
        day=lambda seconds: utc_date(seconds).isoformat(),
        file=url_safe_name,
        words=lambda value: str(value).replace("_", " "),
    )
    return made


def visible(value: Any) -> Any:
    """A value as the HTML that shows just its text; what is HTML already stays."""
    return value if isinstance(value, Markup) else Markup(text(value))


def unit(value: float | None, kind: Unit) -> str:
    return shown(value, Column("", kind))


def trusted(content: str) -> Markup:
    """HTML made by `testevo.analysis.reporting.html_text`, which has escaped what it was given."""
    return Markup(content)


def render(page: Page, shared: Mapping[str, Any]) -> bytes:
    """The page as HTML; `shared` is what all pages know."""
    template = environment().get_template(page.template)
    return template.render(**shared, **page.values, page=page, root=page.root, policy=POLICY).encode()


def chunk(name: str, data: Any) -> bytes:
    """Data as a script, which a page opened from a disk may load, while it may fetch nothing."""
    content = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return f"testevo.receive({json.dumps(name)},{content});\n".encode()


def static_files() -> dict[str, bytes]:
    """Style sheet and scripts, by name."""
    return {f"static/{file.name}": file.read_bytes() for file in sorted(STATIC.iterdir())}
