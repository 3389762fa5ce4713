# solve: let systems work on tasks. Reads: execution, solving. Writes: AgentRun, one per system, task and attempt, and
# a file of predictions for `testevo evaluate`. A job goes on after a kill, and pays for no finished run again.
RUNS = expand("<results>/solve/{system}/{slug}.jsonl", system=SOLVERS, slug=SLUGS)


rule solve_repository:
    input:
        dataset="<dataset>/checksums.sha256",
    output:
        runs="<results>/solve/{system}/{slug}.jsonl",
    log:
        "<results>/logs/solve/{system}/{slug}.log",
    conda:
        "../envs/solve.yaml"
    container:
        container_of("solve")
    envmodules:
        *modules_of("solve"),
    threads: processes(len(RUNS))
    resources:
        mem_mb=memory,
        runtime=lambda wildcards, attempt: attempt * 1440,
    params:
        key=stage_key(CONFIG, "solve"),
    message:
        "let {wildcards.system} work on {wildcards.slug}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/solve_repository.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --system {wildcards.system:q} --processes {threads} --dataset {input.dataset:q}"
        " --runs {output.runs:q} 2> {log:q}"


rule solve_predictions:
    input:
        runs=expand("<results>/solve/{{system}}/{slug}.jsonl", slug=SLUGS),
    output:
        predictions="<results>/solve/{system}/predictions.jsonl",
        findings="<results>/solve/{system}/findings.csv",
        usage="<results>/solve/{system}/usage.csv",
    log:
        "<results>/logs/solve/{system}/predictions.log",
    conda:
        "../envs/solve.yaml"
    container:
        container_of("solve")
    envmodules:
        *modules_of("solve"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 60,
    message:
        "collect the runs of {wildcards.system}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/solve_predictions.py' --config '{CONFIG_FILE}' --system {{wildcards.system:q}}"
        " --predictions {output.predictions:q} --findings {output.findings:q} --usage {output.usage:q} 2> {log:q}"


rule solve:
    input:
        expand("<results>/solve/{system}/predictions.jsonl", system=SOLVERS),
