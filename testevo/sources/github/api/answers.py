"""The answers of GitHub, kept as they came, so that nothing is asked for twice and a search can be repeated offline."""

import gzip
import zlib
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from testevo.runtime.errors import UserError
from testevo.runtime.files.files import canonical_json, content_key, write_atomically
from testevo.runtime.files.json_and_yaml import parsed_json


@dataclass(frozen=True)
class Request:
    """A question to GitHub."""

    path: str
    parameters: tuple[tuple[str, str], ...] = ()
    body: str | None = None
    """JSON of a GraphQL request; None for REST."""
    time: int = 0
    """How often the same was asked before in this search, because the answer changed while its pages were read."""

    @property
    def key(self) -> str:
        return content_key(canonical_json(asdict(self)))[:40]

    @property
    def resource(self) -> str:
        """The limit of GitHub that counts it."""
        if self.path.startswith("/search/"):
            return "search"
        return "core" if self.body is None else "graphql"


@dataclass(frozen=True)
class Answer:
    """An answer that settles a question; what may change on asking again (limits, 5xx) is none."""

    status: int
    body: Any
    asked: str
    """UTC, ISO 8601, by GitHub's clock where it says."""
    etag: str | None = None
    location: str | None = None
    """Where a repository has moved to (301, 302, 307, 308)."""


class Answers:
    """One compressed file per answer in a folder: the question, the day and time, and what GitHub said."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, request: Request) -> Answer | None:
        """The kept answer.

        Raises:
            UserError: its file is damaged.
        """
        file = self._file(request)
        try:
            content = parsed_json(gzip.decompress(file.read_bytes()))
            return Answer(**content["answer"])
        except FileNotFoundError:
            return None
        except (OSError, EOFError, ValueError, KeyError, TypeError, zlib.error) as error:
            raise UserError(
                f"{file} is damaged ({error}). Delete it, and search again: only it is asked for."
            ) from error

    def earlier(self, request: Request) -> Answer | None:
        """The newest answer to the same question, asked fewer times."""
        times = range(request.time - 1, -1, -1)
        return next((kept for time in times if (kept := self.get(replace(request, time=time)))), None)

    def keep(self, request: Request, answer: Answer) -> None:
        """Write an answer; equal answers give equal bytes.

        Raises:
            MachineError: the folder cannot be written.
        """
        content = canonical_json({"request": asdict(request), "answer": asdict(answer)})
        write_atomically(self._file(request), gzip.compress(content.encode(), mtime=0))

    def __len__(self) -> int:
        return sum(1 for _ in self.folder.glob("*.json.gz"))

    def _file(self, request: Request) -> Path:
        return self.folder / f"{request.key}.json.gz"
