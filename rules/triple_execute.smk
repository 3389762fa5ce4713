# triple_execute: join, link, run old/new test x old/new code, label. Reads: rules, execution.
# Writes: Execution, Label, and the CommitPair and MethodChange records of joined pairs.
rule triple_execute:
    input:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
        suites=FILES.suites,
        pairs=FILES.pairs,
        changes=FILES.changes,
        calls=FILES.calls,
        failure=FILES.failure("instrument"),
        shards=finished_shards("triple_execute"),
    output:
        executions=FILES.executions,
        labels=FILES.first_labels,
        joined_pairs=FILES.joined_pairs,
        joined_changes=FILES.joined_changes,
        failure=FILES.failure("triple_execute"),
    log:
        FILES.log("triple_execute"),
    conda:
        "../envs/triple_execute.yaml"
    container:
        container_of("triple_execute")
    envmodules:
        *modules_of("triple_execute"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=minutes("triple_execute"),
    params:
        part=done_shards,
        key=lambda wildcards: stage_key(CONFIG, "triple_execute", wildcards.slug),
    message:
        "run old and new tests of {wildcards.slug} on old and new code"
    shell:
        repository_call("triple_execute", "{params.part}")


use rule triple_execute as triple_execute_shard with:
    input:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
        suites=FILES.suites,
        pairs=FILES.pairs,
        changes=FILES.changes,
        calls=FILES.calls,
        failure=FILES.failure("instrument"),
    output:
        PART.finished_shard("triple_execute"),
    log:
        PART.log("triple_execute"),
    resources:
        mem_mb=memory,
        runtime=minutes("triple_execute", shard=True),
    params:
        part="--shard {shard}",
        key=lambda wildcards: stage_key(CONFIG, "triple_execute", wildcards.slug),
    message:
        "run a part of the tests of {wildcards.slug} on old and new code: {wildcards.shard}"
