# commit_pair: pair usable commits and list their method-level changes. Reads: rules. Writes: CommitPair, MethodChange.
rule commit_pair:
    input:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
        builds=FILES.builds,
        suites=FILES.suites,
        failure=FILES.failure("build_check"),
    output:
        pairs=FILES.pairs,
        changes=FILES.changes,
        failure=FILES.failure("commit_pair"),
    log:
        FILES.log("commit_pair"),
    conda:
        "../envs/commit_pair.yaml"
    container:
        container_of("commit_pair")
    envmodules:
        *modules_of("commit_pair"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=minutes("commit_pair"),
    params:
        key=lambda wildcards: stage_key(CONFIG, "commit_pair", wildcards.slug),
    message:
        "pair the commits of {wildcards.slug}"
    shell:
        repository_call("commit_pair")
