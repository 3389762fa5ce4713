# evaluate: grade what each system handed in, control submissions included. Reads: execution, evaluation.
# Writes: GradedTask, one per system and task. Results are kept by content outside the outputs, so that a killed run
# goes on, and a changed file of predictions costs only what has changed in it.
GRADED = [LAYOUT.of_system(system, slug).graded for system in SYSTEMS for slug in SLUGS]


rule evaluate_repository:
    input:
        dataset=DATASET / "checksums.sha256",
        predictions=lambda wildcards: SYSTEMS[wildcards.system] or [],
    output:
        LAYOUT.of_system("{system}", "{slug}").graded,
    log:
        LAYOUT.of_system("{system}", "{slug}").log,
    conda:
        "../envs/evaluate.yaml"
    container:
        container_of("evaluate")
    envmodules:
        *modules_of("evaluate"),
    threads: processes(len(GRADED))
    resources:
        mem_mb=memory,
        runtime=minutes("evaluate"),
    params:
        key=stage_key(CONFIG, "evaluate"),
    message:
        "grade {wildcards.system} on {wildcards.slug}"
    shell:
        stage_call("evaluate")
        + " --system {wildcards.system:q} --repository {wildcards.slug:q} --processes {threads} 2> {log:q}"


rule swe_bench_report:
    input:
        [LAYOUT.of_system("{system}", slug).graded for slug in SLUGS],
    output:
        report=LAYOUT.of_system("{system}", "").report,
        instances=LAYOUT.of_system("{system}", "").instances,
    log:
        LAYOUT.of_system("{system}", "report").log,
    conda:
        "../envs/evaluate.yaml"
    container:
        container_of("evaluate")
    envmodules:
        *modules_of("evaluate"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=minutes("aggregate"),
    params:
        key=stage_key(CONFIG, "evaluate"),
    message:
        "report on {wildcards.system}"
    shell:
        stage_call("swe_bench_report") + " --system {wildcards.system:q} 2> {log:q}"


rule evaluate:
    input:
        GRADED,
        [LAYOUT.of_system(system, "").report for system in SYSTEMS],
