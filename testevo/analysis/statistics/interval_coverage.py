"""How often a nominal 95 % interval holds the truth, on synthetic repositories of known rates.

    python -m testevo.analysis.statistics.interval_coverage

prints a table of such shares. The rates of repositories follow a beta distribution with the given mean and correlation
within a repository; tasks succeed or fail. One seed gives one table.
"""

import argparse
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from testevo.analysis.output.tables import Cell, Column, Table, to_markdown
from testevo.analysis.statistics.intervals import TOO_FEW, ClusterSums, interval_of

Sizes = NDArray[np.int64]
REPOSITORIES = (3, 4, 6, 8, 12, 20, 40, 60, 90)
RATES = (0.02, 0.1, 0.3, 0.5, 0.75, 0.9, 0.98)
CORRELATIONS = (0.1, 0.3, 0.6)
LARGEST_SHARE = 0.29
"""Of tasks in one repository, as in the released update track."""


def equal_sizes(repositories: int) -> Sizes:
    return np.full(repositories, 8)


def released_sizes(repositories: int) -> Sizes:
    """Sizes as in the released data: one repository holds 29 % of the tasks, the others are log-normal."""
    places = (np.arange(1, repositories) - 0.5) / (repositories - 1)
    others = np.maximum(1, np.round(np.exp([1.3 + 1.1 * NormalDist().inv_cdf(place) for place in places])))
    largest = max(1, round(others.sum() * LARGEST_SHARE / (1 - LARGEST_SHARE)))
    return np.concatenate([[largest], others]).astype(np.int64)


SHAPES = {"equal": equal_sizes, "released": released_sizes}


def held_share(sizes: Sizes, rate: float, correlation: float, *, runs: int, seed: int = 0) -> float | None:
    """The share of samples whose interval holds `rate`; None where the shape gives no interval."""
    generator = np.random.default_rng(seed)
    spread = 1 / correlation - 1
    own = generator.beta(rate * spread, (1 - rate) * spread, (runs, len(sizes)))
    weights = sizes.astype(np.float64)
    held = 0
    for successes in generator.binomial(sizes, own).astype(np.float64):
        found = interval_of(ClusterSums(successes, weights, weights, float(successes.sum())))
        if found.low is None or found.high is None:
            return None
        held += found.low <= rate <= found.high
    return held / runs


def coverage_table(*, runs: int, seed: int) -> Table:
    """A row per shape, a column per correlation: the least and the largest share over the rates, in per cent."""
    rows: list[tuple[Cell, ...]] = []
    for shape, sizes_of in SHAPES.items():
        for number in REPOSITORIES:
            sizes = sizes_of(number)
            cells = [
                span([held_share(sizes, rate, correlation, runs=runs, seed=seed) for rate in RATES])
                for correlation in CORRELATIONS
            ]
            rows.append((shape, number, float(sizes.sum() ** 2 / (sizes**2).sum()), *cells))
    head = (Column("Sizes"), Column("Repositories", "count"), Column("Effective", "number"))
    columns = (*head, *(Column(f"Correlation {correlation}") for correlation in CORRELATIONS))
    title = f"Intervals that hold the truth, per cent, at rates of {', '.join(f'{rate:g}' for rate in RATES)}"
    return Table("interval_coverage", title, columns, tuple(rows))


def span(shares: Sequence[float | None]) -> str:
    """`93.4 to 97.1`, or that the shape gives no interval."""
    known = [100 * share for share in shares if share is not None]
    return f"{min(known):.1f} to {max(known):.1f}" if known else TOO_FEW


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000, help="samples per cell")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(to_markdown(coverage_table(runs=options.runs, seed=options.seed)), end="")


if __name__ == "__main__":
    main()
