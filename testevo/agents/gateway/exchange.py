"""One request of an agent: understood, checked against rules and budget, forwarded, metered."""

import itertools
import threading
from collections.abc import Callable, Collection, Mapping
from typing import Protocol as Interface

from testevo.agents.gateway.allowed.requests import refusal_of
from testevo.agents.gateway.answers import BYTES_PER_TOKEN, Answer
from testevo.agents.gateway.forwarding import NoAnswerError, Upstream, UpstreamAnswer
from testevo.agents.gateway.ledger import Ledger
from testevo.agents.gateway.prices import PriceTable
from testevo.agents.gateway.protocols import BadRequestError, ModelRequest, error_body, understood
from testevo.agents.gateway.rate import RateLimit
from testevo.agents.gateway.waits import Waits, asked_wait
from testevo.records.agents.usage import ModelCall, Tokens

REFUSED = 400
"""Agent programs repeat a request after most other statuses."""
TOO_MANY = 429
UNREACHABLE = 502


class Client(Interface):
    """The agent's side of a connection. All methods raise OSError when the agent has hung up."""

    def send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Send a whole answer."""

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Send the head of an answer that comes in pieces."""

    def piece(self, content: bytes) -> None:
        """Send a piece of it."""

    def end(self, *, cut: bool) -> None:
        """End it; a `cut` answer is cut for the agent too."""


class Exchange:
    """Answers the requests of one run; metered ones one at a time."""

    def __init__(
        self,
        upstream: Upstream,
        ledger: Ledger,
        prices: PriceTable,
        rate: RateLimit | None,
        clock: Callable[[], float],
        needs_price: bool,
        models: Collection[str],
        waits: Waits,
    ) -> None:
        self._upstream, self._ledger, self._prices = upstream, ledger, prices
        self._rate, self._clock, self._needs_price = rate, clock, needs_price
        self._models, self._waits = models, waits
        self._turn = threading.Lock()

    def answer(self, target: str, headers: Mapping[str, str], body: bytes, client: Client) -> None:
        """Answer a POST for `target`, its path and query."""
        try:
            request = understood(target, body)
        except BadRequestError as error:
            draft = ModelCall(
                protocol=None, path=target.partition("?")[0][:200], model="", number=self._ledger.number()
            )
            self._refuse(draft, str(error), client)
            return
        draft = ModelCall(
            number=self._ledger.number(),
            protocol=request.protocol,
            path=request.path.partition("?")[0],
            model=request.model,
            streamed=request.streamed,
        )
        with self._turn:
            if reason := self._refusal(request):
                self._refuse(draft, reason, client)
                return
            before = self._waits.waited()
            if self._rate is not None and not self._rate.wait(self._waits.wait):
                self._too_often(draft, before, client)
                return
            self._forward(request, draft, headers, client, before)

    def _refusal(self, request: ModelRequest) -> str | None:
        """Why a request is not forwarded."""
        if reason := refusal_of(request, self._models):
            return reason
        if self._needs_price and (lack := self._prices.lack(request.model)):
            return f"{lack}, so its cost cannot be limited; add it to the price table"
        limit = self._ledger.used_up()
        return f"the budget of this run is used up ({limit})" if limit else None

    def _refuse(self, draft: ModelCall, reason: str, client: Client) -> None:
        self._ledger.add(draft.model_copy(update={"refused": reason, "status": REFUSED}))
        client.send(REFUSED, _JSON, error_body(draft.protocol, REFUSED, f"testevo: {reason}"))

    def _too_often(self, draft: ModelCall, before: float, client: Client) -> None:
        """Answer a call that may not start: the rate that all runs keep together leaves it no room in time."""
        reason = (
            "the rate of calls that all runs keep (`solving.calls_per_minute`) left no room in `solving.wait_seconds`"
        )
        waited = round(self._waits.waited() - before, 3)
        self._ledger.add(draft.model_copy(update={"status": TOO_MANY, "failure": reason, "waited": waited}))
        client.send(TOO_MANY, _JSON, error_body(draft.protocol, TOO_MANY, f"testevo: {reason}"))

    def _forward(
        self, request: ModelRequest, draft: ModelCall, headers: Mapping[str, str], client: Client, before: float
    ) -> None:
        started, waited_before = self._clock(), self._waits.waited()
        # A call that the run's end cuts off may cost all that it asks for.
        estimate = Tokens(input=len(request.body) // BYTES_PER_TOKEN, output=request.most_output)
        cut_off = draft.model_copy(
            update={
                "tokens": estimate,
                "estimated": True,
                "cost_usd": self._prices.cost(request.model, estimate),
                "failure": "the run ended before the answer",
            }
        )

        def finish(status: int | None, answer: Answer | None, failure: str | None) -> None:
            waited = self._waits.waited()
            tokens, estimated = answer.tokens(len(request.body)) if answer else (Tokens(), False)
            outcome = {
                "status": status,
                "tokens": tokens,
                "estimated": estimated,
                "cost_usd": self._prices.cost(request.model, tokens) if answer else 0.0,
                "seconds": round(self._clock() - started - (waited - waited_before), 3),
                "waited": round(waited - before, 3),
                "failure": failure,
            }
            self._ledger.add(draft.model_copy(update=outcome))

        try:
            for times in itertools.count():
                if not self._ledger.begin(cut_off):
                    raise NoAnswerError("the run has ended")
                with self._upstream.answer(request, headers) as answer:
                    seconds = asked_wait(answer.status, answer.headers, times)
                    if seconds is None or not self._waits.allows(seconds):
                        self._hand_on(request, answer, client, finish)
                        return
                self._ledger.withdraw(cut_off)
                if not self._waits.wait(seconds):
                    raise NoAnswerError("the run ended while the gateway waited to ask again")
        except NoAnswerError as error:
            finish(None, None, str(error))
            client.send(UNREACHABLE, _JSON, error_body(request.protocol, UNREACHABLE, f"testevo: {error}"))

    def _hand_on(self, request: ModelRequest, answer: UpstreamAnswer, client: Client, finish: "_Finish") -> None:
        if answer.status >= 400 or not request.metered:
            body = self._upstream.without_key(b"".join(answer.pieces()))
            finish(answer.status, None, f"status {answer.status}" if answer.status >= 400 else None)
            client.send(answer.status, answer.headers, body)
        elif answer.events:
            _stream(request, answer, client, finish)
        else:
            _whole(request, answer, client, finish)


_JSON = {"content-type": "application/json"}
_Finish = Callable[[int | None, Answer | None, str | None], None]


def _whole(request: ModelRequest, answer: UpstreamAnswer, client: Client, finish: _Finish) -> None:
    """Hand on an answer that is one document."""
    read = Answer(request.protocol, events=False)
    pieces = []
    failure = None
    try:
        for piece in answer.pieces():
            pieces.append(piece)
            read.feed(piece)
    except NoAnswerError as error:
        failure = str(error)
    read.close()
    failure = failure or (None if read.whole else "the answer is not one of the protocol")
    finish(answer.status, read, failure)
    client.send(answer.status, answer.headers, b"".join(pieces))


def _stream(request: ModelRequest, answer: UpstreamAnswer, client: Client, finish: _Finish) -> None:
    """Hand on an answer as it comes in."""
    read = Answer(request.protocol, events=True)
    broken = None
    try:
        client.begin(answer.status, answer.headers)
        for piece in answer.pieces():
            read.feed(piece)
            client.piece(piece)
    except NoAnswerError as error:
        broken = str(error)
    except OSError:
        broken = "the agent hung up"
    read.close()
    finish(answer.status, read, broken or (None if read.whole else "the answer ended before the model had finished"))
    client.end(cut=broken is not None)
