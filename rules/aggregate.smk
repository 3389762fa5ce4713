# aggregate: tables, figures and report.json of everything that was graded. Reads: analysis, evaluation.cost_cap.
# Every table and figure is an output, so each can be asked for by its name.
from testevo.analysis.statistics.output_names import output_files


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
