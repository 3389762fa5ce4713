# instrument: run tests with the call probe, at the old ends of joined pairs too. Reads: execution, rules. Writes: CallMap.
rule instrument:
    input:
        repository=FILES.repository,
        bundle=FILES.bundle,
        pairs=FILES.pairs,
        changes=FILES.changes,
        failure=FILES.failure("commit_pair"),
        shards=finished_shards("instrument"),
    output:
        calls=FILES.calls,
        failure=FILES.failure("instrument"),
    log:
        FILES.log("instrument"),
    conda:
        "../envs/instrument.yaml"
    container:
        container_of("instrument")
    envmodules:
        *modules_of("instrument"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=minutes("instrument"),
    params:
        part=done_shards,
        key=lambda wildcards: stage_key(CONFIG, "instrument", wildcards.slug),
    message:
        "learn what the tests of {wildcards.slug} call"
    shell:
        repository_call("instrument", "{params.part}")


use rule instrument as instrument_shard with:
    input:
        repository=FILES.repository,
        bundle=FILES.bundle,
        pairs=FILES.pairs,
        changes=FILES.changes,
        failure=FILES.failure("commit_pair"),
    output:
        PART.finished_shard("instrument"),
    log:
        PART.log("instrument"),
    resources:
        mem_mb=memory,
        runtime=minutes("instrument", shard=True),
    params:
        part="--shard {shard}",
        key=lambda wildcards: stage_key(CONFIG, "instrument", wildcards.slug),
    message:
        "learn what a part of the tests of {wildcards.slug} call: {wildcards.shard}"
