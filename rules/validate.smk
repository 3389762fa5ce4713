# validation: what the control submissions reached, task by task, and whether the snapshot may be published.
# `validation` writes the tables whatever they say; the target `validate` fails when they say no.
CONTROLS = [system for system in SYSTEMS if not SYSTEMS[system]]


rule validation:
    input:
        dataset="<dataset>/checksums.sha256",
        graded=expand("<results>/evaluate/{system}/{slug}.jsonl", system=CONTROLS, slug=SLUGS),
    output:
        verdict="<results>/validate/verdict.json",
        page=report(
            "<results>/validate/controls.html",
            caption="../report/controls.rst",
            category="Controls",
            labels={"what": "Controls by task"},
        ),
        tables=expand("<results>/validate/{table}.{suffix}", table=["tasks", "sabotage"], suffix=["csv", "md"]),
    log:
        "<results>/logs/validation.log",
    conda:
        "../envs/validate.yaml"
    container:
        container_of("validate")
    envmodules:
        *modules_of("validate"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 30,
    params:
        key=stage_key(CONFIG, "validate"),
    message:
        "compare the control submissions with what they must reach"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/validation.py' --config '{CONFIG_FILE}'"
        " --dataset {input.dataset:q} --verdict {output.verdict:q} 2> {log:q}"


rule validate:
    input:
        verdict="<results>/validate/verdict.json",
    log:
        "<results>/logs/validate.log",
    conda:
        "../envs/validate.yaml"
    container:
        container_of("validate")
    envmodules:
        *modules_of("validate"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 30,
    message:
        "judge the snapshot"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/validate.py'" " --verdict {input.verdict:q} 2> {log:q}"
