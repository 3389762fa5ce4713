# validate: what the control submissions reached, task by task, and whether the snapshot may be published.
# `validation` writes the tables whatever they say; the target `validate` fails when they say no.
CONTROL_GRADES = [LAYOUT.of_system(system, slug).graded for system in SYSTEMS if not SYSTEMS[system] for slug in SLUGS]


rule validation:
    input:
        dataset=DATASET / "checksums.sha256",
        graded=CONTROL_GRADES,
    output:
        verdict=LAYOUT.validation / "verdict.json",
        page=shown(LAYOUT.validation / "controls.html", "controls", "Controls", "Controls by task"),
        tables=[LAYOUT.validation / f"{name}.{suffix}" for name in ("tasks", "sabotage") for suffix in ("csv", "md")],
    log:
        LAYOUT.root / "logs" / "validation.log",
    conda:
        "../envs/validate.yaml"
    container:
        container_of("validate")
    envmodules:
        *modules_of("validate"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=minutes("validate"),
    params:
        key=stage_key(CONFIG, "validate"),
    message:
        "compare the control submissions with what they must reach"
    shell:
        stage_call("validate") + " 2> {log:q}"


rule validate:
    input:
        rules.validation.output.verdict,
    log:
        LAYOUT.root / "logs" / "validate.log",
    conda:
        "../envs/validate.yaml"
    container:
        container_of("validate")
    envmodules:
        *modules_of("validate"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=minutes("validate"),
    message:
        "judge the snapshot"
    shell:
        stage_call("validate") + " --judge 2> {log:q}"
