# build_check: compile every kept commit and run its suite. Reads: build, execution. Writes: BuildVerdict, SuiteVerdict,
# Certificate.
# Offline nothing is built before the proof that it can be.
BEFORE_BUILDS = (
    "<results>/warm_up/{slug}/prove_offline_failure.jsonl"
    if CONFIG.build.offline
    else "<results>/clone/{slug}/clone_failure.jsonl"
)


rule build_check:
    input:
        repository="<results>/clone/{slug}/repository.jsonl",
        commits="<results>/clone/{slug}/commits.jsonl",
        bundle="<results>/clone/{slug}/history.bundle",
        failure_before=BEFORE_BUILDS,
        shards=finished_shards("build_check"),
    output:
        builds="<results>/build_check/{slug}/builds.jsonl",
        suites="<results>/build_check/{slug}/suites.jsonl",
        certificates="<results>/build_check/{slug}/certificates.jsonl",
        failure="<results>/build_check/{slug}/build_check_failure.jsonl",
    log:
        "<results>/logs/build_check/{slug}.log",
    conda:
        "../envs/build_check.yaml"
    container:
        container_of("build_check")
    envmodules:
        *modules_of("build_check"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=1440,
    params:
        key=lambda wildcards: stage_key(CONFIG, "build_check", wildcards.slug),
    message:
        "build the commits of {wildcards.slug} and run their suites"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/build_check.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --repository {input.repository:q}"
        " --commits {input.commits:q} --bundle {input.bundle:q} --failure-before {input.failure_before:q}"
        " --shards {input.shards:q} --builds {output.builds:q} --suites {output.suites:q}"
        " --certificates {output.certificates:q} --failure {output.failure:q} 2> {log:q}"


rule build_check_shard:
    input:
        repository="<results>/clone/{slug}/repository.jsonl",
        commits="<results>/clone/{slug}/commits.jsonl",
        bundle="<results>/clone/{slug}/history.bundle",
        failure_before=BEFORE_BUILDS,
    output:
        finished="<results>/shards/build_check/{slug}@{shard}.json",
    log:
        "<results>/logs/build_check/{slug}@{shard}.log",
    conda:
        "../envs/build_check.yaml"
    container:
        container_of("build_check")
    envmodules:
        *modules_of("build_check"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=lambda wildcards, attempt: attempt * 170,
    params:
        key=lambda wildcards: stage_key(CONFIG, "build_check", wildcards.slug),
    message:
        "build a part of the commits of {wildcards.slug} and run their suites: {wildcards.shard}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/build_check.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --repository {input.repository:q}"
        " --commits {input.commits:q} --bundle {input.bundle:q} --failure-before {input.failure_before:q}"
        " --shard {wildcards.shard} --finished {output.finished:q} 2> {log:q}"
