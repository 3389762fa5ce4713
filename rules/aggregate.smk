# aggregate: tables, figures and report.json of everything that was graded. Reads: analysis, evaluation.cost_cap.
# Every table and figure is an output, so each can be asked for by its name.
from testevo.analysis.statistics.output_names import TABLES_PAGE, output_files

FIGURE_LABELS = {
    "figures/tasks_per_half_year.svg": "Tasks by half-year",
    "figures/cost_cdf.svg": "Cost per task",
    "figures/success_over_time_update.svg": "Success over time, update",
    "figures/success_over_time_generation.svg": "Success over time, generation",
}


def aggregated(name):
    """An output of the rule; a reader of the report sees the page of all tables and the figures."""
    file = LAYOUT.aggregate / name
    if name in FIGURE_LABELS:
        return shown(file, "figures", "Grading", FIGURE_LABELS[name])
    return shown(file, "tables", "Grading", "All tables") if name == TABLES_PAGE else file


rule aggregate:
    input:
        dataset=DATASET / "checksums.sha256",
        graded=GRADED,
        opinions=OPINIONS,
    output:
        [aggregated(name) for name in output_files(second_opinion=CONFIG.evaluation.asks_pit)],
    log:
        LAYOUT.root / "logs" / "aggregate.log",
    conda:
        "../envs/aggregate.yaml"
    container:
        container_of("aggregate")
    envmodules:
        *modules_of("aggregate"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=minutes("aggregate"),
    params:
        key=stage_key(CONFIG, "aggregate"),
    message:
        "make tables and figures"
    shell:
        stage_call("aggregate") + " 2> {log:q}"
