# instrument: run tests with the call probe, at the old ends of joined pairs too. Reads: execution, rules. Writes: CallMap.
rule instrument:
    input:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
        pairs=FILES.pairs,
        changes=FILES.changes,
    output:
        calls=FILES.calls,
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
    params:
        key=lambda wildcards: stage_key(CONFIG, "instrument", wildcards.slug),
    shell:
        repository_call("instrument")
