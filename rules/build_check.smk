# build_check: compile every kept commit and run its suite. Reads: build, execution. Writes: BuildVerdict, SuiteVerdict.
rule build_check:
    input:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
    output:
        builds=FILES.builds,
        suites=FILES.suites,
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
    params:
        key=lambda wildcards: stage_key(CONFIG, "build_check", wildcards.slug),
    shell:
        repository_call("build_check")
