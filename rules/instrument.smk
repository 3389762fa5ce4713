# instrument: run tests with the call probe, at the old ends of joined pairs too. Reads: execution, rules. Writes: CallMap.
rule instrument:
    input:
        repository="<results>/clone/{slug}/repository.jsonl",
        bundle="<results>/clone/{slug}/history.bundle",
        builds="<results>/build_check/{slug}/builds.jsonl",
        pairs="<results>/commit_pair/{slug}/pairs.jsonl",
        changes="<results>/commit_pair/{slug}/changes.jsonl",
        failure_before="<results>/commit_pair/{slug}/commit_pair_failure.jsonl",
        shards=finished_shards("instrument"),
    output:
        calls="<results>/instrument/{slug}/calls.jsonl",
        failure="<results>/instrument/{slug}/instrument_failure.jsonl",
    log:
        "<results>/logs/instrument/{slug}.log",
    conda:
        "../envs/instrument.yaml"
    container:
        container_of("instrument")
    envmodules:
        *modules_of("instrument"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=1440,
    params:
        key=lambda wildcards: stage_key(CONFIG, "instrument", wildcards.slug),
    message:
        "learn what the tests of {wildcards.slug} call"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/instrument.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --repository {input.repository:q}"
        " --bundle {input.bundle:q} --builds {input.builds:q} --pairs {input.pairs:q} --changes {input.changes:q}"
        " --failure-before {input.failure_before:q} --shards {input.shards:q} --calls {output.calls:q}"
        " --failure {output.failure:q} 2> {log:q}"


rule instrument_shard:
    input:
        repository="<results>/clone/{slug}/repository.jsonl",
        bundle="<results>/clone/{slug}/history.bundle",
        builds="<results>/build_check/{slug}/builds.jsonl",
        pairs="<results>/commit_pair/{slug}/pairs.jsonl",
        changes="<results>/commit_pair/{slug}/changes.jsonl",
        failure_before="<results>/commit_pair/{slug}/commit_pair_failure.jsonl",
    output:
        finished="<results>/shards/instrument/{slug}@{shard}.json",
    log:
        "<results>/logs/instrument/{slug}@{shard}.log",
    conda:
        "../envs/instrument.yaml"
    container:
        container_of("instrument")
    envmodules:
        *modules_of("instrument"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=lambda wildcards, attempt: attempt * 170,
    params:
        key=lambda wildcards: stage_key(CONFIG, "instrument", wildcards.slug),
    message:
        "learn what a part of the tests of {wildcards.slug} call: {wildcards.shard}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/instrument.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --repository {input.repository:q}"
        " --bundle {input.bundle:q} --builds {input.builds:q} --pairs {input.pairs:q} --changes {input.changes:q}"
        " --failure-before {input.failure_before:q} --shard {wildcards.shard} --finished {output.finished:q}"
        " 2> {log:q}"
