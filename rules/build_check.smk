# build_check: compile every kept commit and run its suite. Reads: build, execution. Writes: BuildVerdict, SuiteVerdict.
rule build_check:
    input:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
        proofs=FILES.proofs if CONFIG.build.offline else [],
        failure=FILES.failure("prove_offline" if CONFIG.build.offline else "clone"),
        shards=finished_shards("build_check"),
    output:
        builds=FILES.builds,
        suites=FILES.suites,
        failure=FILES.failure("build_check"),
    log:
        FILES.log("build_check"),
    conda:
        "../envs/build_check.yaml"
    container:
        container_of("build_check")
    envmodules:
        *modules_of("build_check"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=minutes("build_check"),
    params:
        part=done_shards,
        key=lambda wildcards: stage_key(CONFIG, "build_check", wildcards.slug),
    message:
        "build the commits of {wildcards.slug} and run their suites"
    shell:
        repository_call("build_check", "{params.part}")


use rule build_check as build_check_shard with:
    input:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
        proofs=FILES.proofs if CONFIG.build.offline else [],
        failure=FILES.failure("prove_offline" if CONFIG.build.offline else "clone"),
    output:
        PART.finished_shard("build_check"),
    log:
        PART.log("build_check"),
    resources:
        mem_mb=memory,
        runtime=minutes("build_check", shard=True),
    params:
        part="--shard {shard}",
        key=lambda wildcards: stage_key(CONFIG, "build_check", wildcards.slug),
    message:
        "build a part of the commits of {wildcards.slug} and run their suites: {wildcards.shard}"
