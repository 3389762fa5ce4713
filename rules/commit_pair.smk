# commit_pair: pair usable commits and list their method-level changes. Reads: rules. Writes: CommitPair, MethodChange.
rule commit_pair:
    input:
        repository="<results>/clone/{slug}/repository.jsonl",
        commits="<results>/clone/{slug}/commits.jsonl",
        bundle="<results>/clone/{slug}/history.bundle",
        builds="<results>/build_check/{slug}/builds.jsonl",
        suites="<results>/build_check/{slug}/suites.jsonl",
        failure_before="<results>/build_check/{slug}/build_check_failure.jsonl",
    output:
        pairs="<results>/commit_pair/{slug}/pairs.jsonl",
        changes="<results>/commit_pair/{slug}/changes.jsonl",
        failure="<results>/commit_pair/{slug}/commit_pair_failure.jsonl",
    log:
        "<results>/logs/commit_pair/{slug}.log",
    conda:
        "../envs/commit_pair.yaml"
    container:
        container_of("commit_pair")
    envmodules:
        *modules_of("commit_pair"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=lambda wildcards, attempt: attempt * 170,
    params:
        key=lambda wildcards: stage_key(CONFIG, "commit_pair", wildcards.slug),
    message:
        "pair the commits of {wildcards.slug}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/commit_pair.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --repository {input.repository:q}"
        " --commits {input.commits:q} --bundle {input.bundle:q} --builds {input.builds:q} --suites {input.suites:q}"
        " --failure-before {input.failure_before:q} --pairs {output.pairs:q} --changes {output.changes:q}"
        " --failure {output.failure:q} 2> {log:q}"
