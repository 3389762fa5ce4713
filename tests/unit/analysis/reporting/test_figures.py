"""Figures: equal data gives equal bytes, nothing is fetched (TEB-R02, R04, R05, R08)."""

from datetime import date
from xml.etree import ElementTree

import pytest
from grading_factories import result

from testevo.analysis.reporting import figures
from testevo.analysis.reporting.dataset_tables import tasks_by_half_year
from testevo.analysis.reporting.ordered_pdf import ordered
from testevo.analysis.statistics.windows import over_time
from testevo.records.tasks import FunnelCount, FunnelStage, Track

RESULTS = [
    result(f"{system} {n}", float(n % 3 == 0), system=system, methods=20, day=date(2015 + n % 4, 3, 1))
    for system in ("one", "two")
    for n in range(12)
]
FUNNEL = (
    FunnelStage(
        stage="package",
        unit="candidates",
        entered=10,
        left=(FunnelCount(reason="", count=3), FunnelCount(reason="moved", count=7)),
    ),
)


def all_figures() -> list[figures.Figure]:
    costly = [result(f"c{n}", 1.0, system="one") for n in range(5)]
    costly = [type(one)(**{**one.__dict__, "cost_usd": 0.3 * n}) for n, one in enumerate(costly)]
    return [
        figures.tasks_per_half_year(tasks_by_half_year((Track.UPDATE, one.day) for one in RESULTS)),
        figures.success_over_time(over_time(RESULTS), name="success", title="Success"),
        figures.cost_distribution(costly, (3.0, 1.0, 0.5)),
        figures.funnel(FUNNEL),
    ]


@pytest.mark.parametrize("place", range(4))
def test_equal_data_gives_equal_bytes(place: int) -> None:
    first, again = (figures.render(all_figures()[place]) for _ in range(2))
    assert first == again
    name = all_figures()[place].name
    assert first[f"{name}.png"].startswith(b"\x89PNG") and first[f"{name}.pdf"].startswith(b"%PDF-")


def test_objects_of_a_pdf_are_where_its_table_says_and_in_order() -> None:
    pdf = figures.to_pdf(all_figures()[0])
    start = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    offsets = [int(row.split()[0]) for row in pdf[start:].split(b"\n") if row.rstrip().endswith(b" n")]
    assert len(offsets) > 5 and offsets == sorted(offsets)
    for number, offset in enumerate(offsets, start=1):
        assert pdf[offset:].startswith(b"%d 0 obj" % number)
    assert ordered(pdf) == pdf
    with pytest.raises(ValueError, match="table of objects"):
        ordered(b"%PDF-1.7")


@pytest.mark.parametrize("place", range(4))
def test_an_svg_is_well_formed_and_refers_to_nothing_outside(place: int) -> None:
    text = figures.to_svg(all_figures()[place]).decode()
    ElementTree.fromstring(text)
    outside = text.replace("http://www.w3.org/", "")
    assert "http" not in outside
    assert "@import" not in outside


def test_the_funnel_shows_how_many_went_on() -> None:
    assert "3 of 10" in figures.to_svg(figures.funnel(FUNNEL)).decode()


def test_caps_are_marked_with_the_share_they_keep() -> None:
    text = figures.to_svg(all_figures()[2]).decode()
    assert "$0.5: 40% kept" in text
    assert "$3: 100% kept" in text


@pytest.mark.parametrize(
    "figure",
    [
        figures.tasks_per_half_year([]),
        figures.success_over_time([], name="s", title="Success"),
        figures.cost_distribution(RESULTS, (3.0,)),
        figures.funnel([]),
    ],
)
def test_a_figure_without_data_says_why(figure: figures.Figure) -> None:
    text = figures.to_svg(figure).decode()
    assert any(why in text for why in ("no tasks", "no half-year", "no prediction has a cost", "no funnel"))
