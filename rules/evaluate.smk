# evaluate: grade what each system submitted, control submissions included. Reads: execution, evaluation.
# Writes: GradedTask, one per system and task. Results are kept by content outside the outputs, so that a killed run
# goes on, and a changed file of predictions costs only what has changed in it.
GRADED = expand("<results>/evaluate/{system}/{slug}.jsonl", system=SYSTEMS, slug=SLUGS)


rule evaluate_repository:
    input:
        dataset="<dataset>/checksums.sha256",
        predictions=lambda wildcards: SYSTEMS[wildcards.system] or [],
    output:
        graded="<results>/evaluate/{system}/{slug}.jsonl",
    log:
        "<results>/logs/evaluate/{system}/{slug}.log",
    conda:
        "../envs/evaluate.yaml"
    container:
        container_of("evaluate")
    envmodules:
        *modules_of("evaluate"),
    threads: processes(len(GRADED))
    resources:
        mem_mb=memory,
        runtime=lambda wildcards, attempt: attempt * 340,
    params:
        key=stage_key(CONFIG, "evaluate"),
    message:
        "grade {wildcards.system} on {wildcards.slug}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/evaluate_repository.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --system {wildcards.system:q} --processes {threads} --dataset {input.dataset:q}"
        " --predictions {input.predictions:q} --graded {output.graded:q} 2> {log:q}"


rule swe_bench_report:
    input:
        graded=expand("<results>/evaluate/{{system}}/{slug}.jsonl", slug=SLUGS),
        dataset="<dataset>/checksums.sha256",
    output:
        report="<results>/evaluate/{system}/report.json",
        instances="<results>/evaluate/{system}/instances.json",
    log:
        "<results>/logs/evaluate/{system}/report.log",
    conda:
        "../envs/evaluate.yaml"
    container:
        container_of("evaluate")
    envmodules:
        *modules_of("evaluate"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        key=stage_key(CONFIG, "evaluate"),
    message:
        "report on {wildcards.system}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/swe_bench_report.py' --config '{CONFIG_FILE}'"
        " --system {wildcards.system:q} --dataset {input.dataset:q} --report {output.report:q}"
        " --instances {output.instances:q} 2> {log:q}"


rule evaluate:
    input:
        GRADED,
        expand("<results>/evaluate/{system}/report.json", system=SYSTEMS),
