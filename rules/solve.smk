# solve: let systems work on tasks. Reads: execution, solving. Writes: AgentRun, one per system, task and attempt, and
# a file of predictions for `testevo evaluate`. A job goes on after a kill, and pays for no finished run again.
from testevo.agents.systems.locks import STAMP, lock_of
from testevo.runtime.files.files import file_digest

RUNS = expand("<results>/solve/{system}/{slug}.jsonl", system=SOLVERS, slug=SOLVED)
INSTALLED = f"{CONFIG.solving.programs}/{{program}}/{STAMP}"
# What is installed for a system; nothing where its program is part of this project or a command.
PROGRAMS = {
    folder: expand(INSTALLED, program=[one for one in [CONFIG.solving.systems[name].program] if lock_of(one)])
    for folder, name in SOLVERS.items()
}


localrules:
    install_program,


# The packages of a lock in envs/agents, by npm or pip, in a folder of their own; a changed lock installs them again.
rule install_program:
    output:
        installed=INSTALLED,
    log:
        "<results>/logs/install/{program}.log",
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
    params:
        lock=lambda wildcards: file_digest(lock_of(wildcards.program)),
    message:
        "install {wildcards.program}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/install_program.py' --program {{wildcards.program:q}}"
        " --installed {output.installed:q} 2> {log:q}"


rule solve_repository:
    input:
        lambda wildcards: PROGRAMS[wildcards.system],
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
        runtime=1440,
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
        dataset="<dataset>/checksums.sha256",
        runs=expand("<results>/solve/{{system}}/{slug}.jsonl", slug=SOLVED),
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
    params:
        key=stage_key(CONFIG, "solve"),
    message:
        "collect the runs of {wildcards.system}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/solve_predictions.py' --config '{CONFIG_FILE}' --system {{wildcards.system:q}}"
        " --dataset {input.dataset:q} --predictions {output.predictions:q} --findings {output.findings:q}"
        " --usage {output.usage:q} 2> {log:q}"


rule solve:
    input:
        expand("<results>/solve/{system}/predictions.jsonl", system=SOLVERS),
