# aggregate: tables, figures and report.json of everything that was graded. Reads: analysis, evaluation.cost_cap.
# Every table and figure is an output, so each can be asked for by its name.
from testevo.analysis.output.file_names import output_files

SHOWN_FIGURES = {
    "figures/tasks_per_half_year.svg": "Tasks by half-year",
    "figures/cost_cdf.svg": "Cost per task",
    "figures/success_over_time_update.svg": "Success over time, update",
    "figures/success_over_time_generation.svg": "Success over time, generation",
}
OTHER_FILES = set(output_files(second_opinion=CONFIG.evaluation.asks_pit)) - {
    "report.json",
    "tables.html",
    *SHOWN_FIGURES,
}


rule aggregate:
    input:
        dataset="<dataset>/checksums.sha256",
        graded=GRADED,
        opinions=OPINIONS if CONFIG.evaluation.asks_pit else [],
    output:
        [f"<results>/aggregate/{name}" for name in sorted(OTHER_FILES)],
        report="<results>/aggregate/report.json",
        page=report(
            "<results>/aggregate/tables.html",
            caption="../report/tables.rst",
            category="Grading",
            labels={"what": "All tables"},
        ),
        figures=[
            report(
                f"<results>/aggregate/{name}",
                caption="../report/figures.rst",
                category="Grading",
                labels={"what": label},
            )
            for name, label in SHOWN_FIGURES.items()
        ],
    log:
        "<results>/logs/aggregate.log",
    conda:
        "../envs/aggregate.yaml"
    container:
        container_of("aggregate")
    envmodules:
        *modules_of("aggregate"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        key=stage_key(CONFIG, "aggregate"),
    message:
        "make tables and figures"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/aggregate.py' --config '{CONFIG_FILE}'"
        " --dataset {input.dataset:q} --report {output.report:q} 2> {log:q}"
