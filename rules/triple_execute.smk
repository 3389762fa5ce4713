# triple_execute: join, link, run old/new test x old/new code, label. Reads: rules, execution.
# Writes: Execution, Label, and the CommitPair and MethodChange records of joined pairs.
rule triple_execute:
    input:
        repository="<results>/clone/{slug}/repository.jsonl",
        commits="<results>/clone/{slug}/commits.jsonl",
        bundle="<results>/clone/{slug}/history.bundle",
        builds="<results>/build_check/{slug}/builds.jsonl",
        suites="<results>/build_check/{slug}/suites.jsonl",
        pairs="<results>/commit_pair/{slug}/pairs.jsonl",
        changes="<results>/commit_pair/{slug}/changes.jsonl",
        calls="<results>/instrument/{slug}/calls.jsonl",
        failure_before="<results>/instrument/{slug}/instrument_failure.jsonl",
        shards=finished_shards("triple_execute"),
    output:
        executions="<results>/triple_execute/{slug}/executions.jsonl",
        first_labels="<results>/triple_execute/{slug}/labels.jsonl",
        joined_pairs="<results>/triple_execute/{slug}/joined_pairs.jsonl",
        joined_changes="<results>/triple_execute/{slug}/joined_changes.jsonl",
        failure="<results>/triple_execute/{slug}/triple_execute_failure.jsonl",
    log:
        "<results>/logs/triple_execute/{slug}.log",
    conda:
        "../envs/triple_execute.yaml"
    container:
        container_of("triple_execute")
    envmodules:
        *modules_of("triple_execute"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=1440,
    params:
        key=lambda wildcards: stage_key(CONFIG, "triple_execute", wildcards.slug),
    message:
        "run old and new tests of {wildcards.slug} on old and new code"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/triple_execute.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --repository {input.repository:q}"
        " --commits {input.commits:q} --bundle {input.bundle:q} --builds {input.builds:q} --suites {input.suites:q}"
        " --pairs {input.pairs:q} --changes {input.changes:q} --calls {input.calls:q}"
        " --failure-before {input.failure_before:q}"
        " --shards {input.shards:q} --executions {output.executions:q} --first-labels {output.first_labels:q}"
        " --joined-pairs {output.joined_pairs:q} --joined-changes {output.joined_changes:q}"
        " --failure {output.failure:q} 2> {log:q}"


rule triple_execute_shard:
    input:
        repository="<results>/clone/{slug}/repository.jsonl",
        commits="<results>/clone/{slug}/commits.jsonl",
        bundle="<results>/clone/{slug}/history.bundle",
        builds="<results>/build_check/{slug}/builds.jsonl",
        suites="<results>/build_check/{slug}/suites.jsonl",
        pairs="<results>/commit_pair/{slug}/pairs.jsonl",
        changes="<results>/commit_pair/{slug}/changes.jsonl",
        calls="<results>/instrument/{slug}/calls.jsonl",
        failure_before="<results>/instrument/{slug}/instrument_failure.jsonl",
    output:
        finished="<results>/shards/triple_execute/{slug}@{shard}.json",
    log:
        "<results>/logs/triple_execute/{slug}@{shard}.log",
    conda:
        "../envs/triple_execute.yaml"
    container:
        container_of("triple_execute")
    envmodules:
        *modules_of("triple_execute"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=lambda wildcards, attempt: attempt * 170,
    params:
        key=lambda wildcards: stage_key(CONFIG, "triple_execute", wildcards.slug),
    message:
        "run a part of the tests of {wildcards.slug} on old and new code: {wildcards.shard}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/triple_execute.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --repository {input.repository:q}"
        " --commits {input.commits:q} --bundle {input.bundle:q} --builds {input.builds:q} --suites {input.suites:q}"
        " --pairs {input.pairs:q} --changes {input.changes:q} --calls {input.calls:q}"
        " --failure-before {input.failure_before:q}"
        " --shard {wildcards.shard} --finished {output.finished:q} 2> {log:q}"
