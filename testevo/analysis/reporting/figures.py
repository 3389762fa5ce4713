"""Figures as SVG, PDF and PNG from one description each: nothing fetched, equal bytes (TEB-R02, R04, R05, R08).

Colours are told apart in grey and with common colour blindness, and lines also differ in their dashes and points.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair
import vl_convert

from testevo.analysis.output.tables import Column, shown
from testevo.analysis.reporting.ordered_pdf import ordered
from testevo.analysis.statistics.results import TaskResult, included
from testevo.analysis.statistics.windows import WindowPoint, every_half_year
from testevo.records.tasks import FunnelStage, Track

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [1, 0], [6, 3], [2, 2])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left")
TRACK_COLOURS = {"generation": "#0072b2", "update": "#d55e00"}
PIXELS_PER_POINT = 2
COUNTED_NAME = re.compile(r"(?<=[\"#])(?:clip|gradient_)\d+(?=[\")])")


@dataclass(frozen=True)
class Figure:
    """A figure with a name for its files, and its Vega-Lite description."""

    name: str
    description: dict[str, Any]


def finished(name: str, chart: Any) -> Figure:
    """A chart with the common look, as plain data."""
    styled = (
        chart.configure(font=FONT, background="white", padding=8)
        .configure_axis(labelFontSize=11, titleFontSize=12, titleFontWeight="normal", gridColor="#e5e5e5")
        .configure_legend(labelFontSize=11, titleFontSize=12, titleFontWeight="normal", labelLimit=260)
        .configure_title(fontSize=14, anchor="start", fontWeight="bold", offset=12)
        .configure_view(stroke=None)
        .configure_header(labelFontSize=12, titleFontSize=12)
    )
    return Figure(name, styled.to_dict())


def to_svg(figure: Figure) -> bytes:
    """The figure as SVG. The renderer counts identifiers on within a process; here they begin at 1 in each figure."""
    text = vl_convert.vegalite_to_svg(json.dumps(figure.description, sort_keys=True))
    names = list(dict.fromkeys(COUNTED_NAME.findall(text)))
    renamed = {name: f"{name.rstrip('0123456789')}{place}" for place, name in enumerate(names, start=1)}
    return COUNTED_NAME.sub(lambda found: renamed[found[0]], text).encode()


def to_png(figure: Figure) -> bytes:
    return vl_convert.vegalite_to_png(json.dumps(figure.description, sort_keys=True), scale=PIXELS_PER_POINT)


def to_pdf(figure: Figure) -> bytes:
    return ordered(vl_convert.vegalite_to_pdf(json.dumps(figure.description, sort_keys=True)))


FORMATS = {"svg": to_svg, "pdf": to_pdf, "png": to_png}


def render(figure: Figure) -> dict[str, bytes]:
    """The figure in every format, by file name."""
    return {f"{figure.name}.{suffix}": make(figure) for suffix, make in FORMATS.items()}


def data_of(rows: Sequence[dict[str, Any]]) -> Any:
    return altair.Data(values=list(rows))  # type: ignore[no-untyped-call]


def empty(name: str, title: str, why: str) -> Figure:
    """A figure that says why there is nothing to show, so that its file is there for the workflow."""
    text = altair.Chart(data_of([{"text": why}])).mark_text(fontSize=13, color="#555").encode(text="text:N")
    return finished(name, text.properties(width=420, height=120, title=title))


def tasks_per_half_year(counts: Sequence[tuple[str, Track, int]], *, name: str = "tasks_per_half_year") -> Figure:
    """Figure 2: bars per half-year and track."""
    title = "Tasks by half-year of the new revision"
    if not counts:
        return empty(name, title, "no tasks")
    order = list(dict.fromkeys(window for window, _, _ in counts))
    rows = [{"window": window, "track": track.value, "tasks": count} for window, track, count in counts]
    tracks = sorted(TRACK_COLOURS)
    colour = altair.Scale(domain=tracks, range=[TRACK_COLOURS[track] for track in tracks])
    base = altair.Chart(data_of(rows)).encode(
        x=altair.X("window:N", sort=order, title=None, axis=altair.Axis(labelAngle=-45)),
        xOffset=altair.XOffset("track:N", sort=tracks),
        y=altair.Y("tasks:Q", title="Tasks"),
    )
    bars = base.mark_bar().encode(
        color=altair.Color("track:N", scale=colour, title="Track", legend=altair.Legend(orient="top"))
    )
    labels = base.transform_filter("datum.tasks > 0").mark_text(dy=-5, fontSize=8).encode(text="tasks:Q")
    return finished(name, (bars + labels).properties(width=max(240, 36 * len(order)), height=260, title=title))


def success_over_time(points: Sequence[WindowPoint], *, name: str, title: str) -> Figure:
    """Figure 4: success per half-year and system; windows with few methods have no point, and no line crosses them."""
    order = every_half_year(point.window for point in points)
    values = {(point.system, point.window): point.value for point in points}
    rows = [
        {"window": window, "place": place, "system": system, "success": values.get((system, window))}
        for system in dict.fromkeys(point.system for point in points)
        for place, window in enumerate(order)
    ]
    if not any(point.value is not None for point in points):
        return empty(name, title, "no half-year has enough methods")
    systems = list(dict.fromkeys(point.system for point in points))
    # Equal title and order make one legend of colour and shape.
    legend = altair.Legend(
        orient="bottom", columns=2, symbolSize=90, symbolStrokeWidth=0, symbolOpacity=1, symbolDash=[1, 0]
    )
    colour = altair.Color("system:N", sort=systems, title=None, scale=scale_of(systems, COLOURS), legend=legend)
    dash = altair.StrokeDash("system:N", sort=systems, scale=scale_of(systems, DASHES), legend=None)
    shape = altair.Shape("system:N", sort=systems, title=None, scale=scale_of(systems, SHAPES), legend=legend)
    base = altair.Chart(data_of(rows)).encode(
        x=altair.X("window:N", sort=order, title=None, axis=altair.Axis(labelAngle=-45, grid=True)),
        y=altair.Y("success:Q", title="Success", axis=altair.Axis(format="%"), scale=altair.Scale(domain=[0, 1])),
    )
    lines = base.mark_line(strokeWidth=2, invalid="break-paths-show-path-domains").encode(colour, dash)
    marks = base.mark_point(size=45, filled=True, opacity=1, invalid="filter").encode(colour, shape)
    return finished(name, (lines + marks).properties(width=max(240, 36 * len(order)), height=260, title=title))


def scale_of(names: Sequence[str], values: Sequence[Any]) -> Any:
    return altair.Scale(domain=list(names), range=[values[place % len(values)] for place in range(len(names))])


def cost_distribution(results: Sequence[TaskResult], caps: Sequence[float]) -> Figure:
    """Figure 5: share of tasks that cost at most so much, caps marked, a panel per track."""
    name, title = "cost_cdf", "Share of tasks by cost"
    known = [result for result in included(results) if result.cost_usd is not None]
    if not known:
        return empty(name, title, "no prediction has a cost")
    systems = sorted({result.system for result in known})
    tracks = [track for track in Track if any(result.track is track for result in known)]
    most = shown_cost([result.cost_usd or 0.0 for result in known], caps)
    x = altair.X("cost:Q", title="Cost per task, US dollars", scale=altair.Scale(domain=[0, most], nice=False))
    legend = altair.Legend(orient="bottom", columns=2)
    colour = altair.Color("system:N", sort=systems, title=None, scale=scale_of(systems, COLOURS), legend=legend)
    dash = altair.StrokeDash("system:N", sort=systems, legend=None, scale=scale_of(systems, DASHES))
    panels = []
    for track in tracks:
        rows = [row for system in systems for row in steps(known, system, track, most)]
        marks = cap_rows(known, track, caps)
        curves = altair.Chart(data_of(rows)).mark_line(interpolate="step-after", strokeWidth=2, clip=True)
        lines = curves.encode(x=x, y=share_axis(altair.Y, "Share of tasks"), color=colour, strokeDash=dash)
        drawn = altair.Chart(data_of(marks)).mark_rule(strokeDash=[4, 3], strokeWidth=1.2)
        rules = drawn.encode(x="cap:Q", color=altair.ColorValue("#777"))
        texts = altair.Chart(data_of(marks)).mark_text(
            align="left", baseline="top", angle=270, dx=4, dy=3, fontSize=10, color="#333"
        )
        notes = texts.encode(x="cap:Q", y=altair.YDatum(0), text="label:N")
        panels.append((lines + rules + notes).properties(width=430, height=220, title=f"{title}, {track.value}"))
    return finished(name, altair.vconcat(*panels).resolve_scale(color="shared"))


def share_axis(axis: Any, title: str) -> Any:
    """The field `share` from 0 to 1, in per cent."""
    return axis("share:Q", title=title, axis=altair.Axis(format="%"), scale=altair.Scale(domain=[0, 1]))


def shown_cost(costs: Sequence[float], caps: Sequence[float]) -> float:
    """The right end of the axis: all caps, and 98 % of the tasks; a few dear ones must not squeeze the rest."""
    ordered = sorted(costs)
    return max(ordered[int(0.98 * (len(ordered) - 1))], 1.15 * max(caps, default=0.0), 0.01)


def steps(results: Sequence[TaskResult], system: str, track: Track, most: float) -> list[dict[str, Any]]:
    """The empirical distribution function of one system."""
    costs = sorted(r.cost_usd or 0.0 for r in results if r.system == system and r.track is track)
    if not costs:
        return []
    points = [(cost, (place + 1) / len(costs)) for place, cost in enumerate(costs)]
    points = [(0.0, 0.0), *points, (max(most, costs[-1]), 1.0)]
    return [{"system": system, "cost": cost, "share": share} for cost, share in points]


def cap_rows(results: Sequence[TaskResult], track: Track, caps: Sequence[float]) -> list[dict[str, Any]]:
    """Where caps are and how many tasks they keep, over all systems."""
    costs = [result.cost_usd or 0.0 for result in results if result.track is track]
    rows = []
    for cap in sorted(caps):
        kept = sum(cost <= cap for cost in costs) / len(costs) if costs else None
        label = f"${cap:g}: {shown(kept, Column('', 'percent', digits=0))} kept"
        rows.append({"cap": cap, "label": label})
    return rows


def funnel(stages: Sequence[FunnelStage]) -> Figure:
    """Figure 1: what entered each stage, and what left it for good."""
    name, title = "funnel", "From histories to tasks"
    if not stages:
        return empty(name, title, "the dataset has no funnel")
    rows, order = [], []
    for number, stage in enumerate(stages):
        label = f"{stage.stage}: {stage.unit}"
        order.append(label)
        for what, count in (("went on", stage.went_on), ("left", stage.entered - stage.went_on)):
            share = count / stage.entered if stage.entered else 0.0
            rows.append({"stage": label, "what": what, "share": share, "place": number})
    numbers = [
        {"stage": label, "text": f"{stage.went_on:,} of {stage.entered:,}"}
        for label, stage in zip(order, stages, strict=True)
    ]
    y = altair.Y("stage:N", sort=order, title=None, axis=altair.Axis(labelLimit=320))
    scale = altair.Scale(domain=["went on", "left"], range=["#0072b2", "#d9d9d9"])
    bars = (
        altair.Chart(data_of(rows))
        .mark_bar()
        .encode(
            x=share_axis(altair.X, "Share of what entered the stage"),
            y=y,
            color=altair.Color("what:N", title=None, legend=altair.Legend(orient="bottom"), scale=scale),
            order=altair.Order("what:N", sort="descending"),
        )
    )
    marks = altair.Chart(data_of(numbers)).mark_text(align="left", dx=6, fontSize=11)
    text = marks.encode(x=altair.XDatum(1.0), y=y, text="text:N")
    height = max(120, 26 * len(order))
    return finished(name, (bars + text).properties(width=380, height=height, title=title))
