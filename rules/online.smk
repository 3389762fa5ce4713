# online: all that needs a network. `snakemake online` on a machine that has one; everything else then runs without
# (`build.offline: true`), on nodes that have none. Reads: build. Writes: WarmBuild, OfflineProof.
localrules:
    warm_up,
    prove_offline,


rule warm_up:
    input:
        repository="<results>/clone/{slug}/repository.jsonl",
        commits="<results>/clone/{slug}/commits.jsonl",
        bundle="<results>/clone/{slug}/history.bundle",
        failure_before="<results>/clone/{slug}/clone_failure.jsonl",
    output:
        fetched="<results>/warm_up/{slug}/fetched.jsonl",
        failure="<results>/warm_up/{slug}/warm_up_failure.jsonl",
    log:
        "<results>/logs/warm_up/{slug}.log",
    conda:
        "../envs/build_check.yaml"
    container:
        container_of("build_check")
    envmodules:
        *modules_of("build_check"),
    threads: 1
    resources:
        mem_mb=memory,
        runtime=lambda wildcards, attempt: attempt * 340,
    params:
        key=lambda wildcards: stage_key(CONFIG, "warm_up", wildcards.slug),
    message:
        "fetch what the builds of {wildcards.slug} need"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/warm_up.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --repository {input.repository:q}"
        " --commits {input.commits:q} --bundle {input.bundle:q} --failure-before {input.failure_before:q}"
        " --fetched {output.fetched:q} --failure {output.failure:q} 2> {log:q}"


# The script makes itself a network name space with nothing in it, and says what to do where it may not.
rule prove_offline:
    input:
        repository="<results>/clone/{slug}/repository.jsonl",
        bundle="<results>/clone/{slug}/history.bundle",
        fetched="<results>/warm_up/{slug}/fetched.jsonl",
        failure_before="<results>/warm_up/{slug}/warm_up_failure.jsonl",
    output:
        proofs="<results>/warm_up/{slug}/proofs.jsonl",
        failure="<results>/warm_up/{slug}/prove_offline_failure.jsonl",
    log:
        "<results>/logs/prove_offline/{slug}.log",
    conda:
        "../envs/build_check.yaml"
    container:
        container_of("build_check")
    envmodules:
        *modules_of("build_check"),
    threads: 1
    resources:
        mem_mb=memory,
        runtime=lambda wildcards, attempt: attempt * 340,
    params:
        key=lambda wildcards: stage_key(CONFIG, "warm_up", wildcards.slug),
    message:
        "build {wildcards.slug} without a network"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/prove_offline.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --repository {input.repository:q}"
        " --bundle {input.bundle:q} --fetched {input.fetched:q} --failure-before {input.failure_before:q}"
        " --proofs {output.proofs:q} --failure {output.failure:q} 2> {log:q}"


rule online:
    input:
        "<results>/search/repositories.jsonl",
        "<results>/clone/commit_lock.json",
        expand("<results>/warm_up/{slug}/proofs.jsonl", slug=SLUGS),
