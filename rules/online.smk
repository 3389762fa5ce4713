# online: all that needs a network. `snakemake online` on a machine that has one; everything else then runs without
# (`build.offline: true`), on nodes that have none. Reads: build. Writes: WarmBuild, OfflineProof.
localrules:
    warm_up,
    prove_offline,


rule warm_up:
    input:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
        failure=FILES.failure("clone"),
    output:
        fetched=FILES.fetched,
        failure=FILES.failure("warm_up"),
    log:
        FILES.log("warm_up"),
    conda:
        "../envs/build_check.yaml"
    container:
        container_of("build_check")
    envmodules:
        *modules_of("build_check"),
    threads: 1
    resources:
        mem_mb=memory,
        runtime=minutes("warm_up"),
    params:
        key=lambda wildcards: stage_key(CONFIG, "warm_up", wildcards.slug),
    message:
        "fetch what the builds of {wildcards.slug} need"
    shell:
        repository_call("warm_up")


# Where users may make no network name spaces the script finds a network, and says what to do.
rule prove_offline:
    input:
        repository=FILES.repository,
        bundle=FILES.bundle,
        fetched=FILES.fetched,
        failure=FILES.failure("warm_up"),
    output:
        proofs=FILES.proofs,
        failure=FILES.failure("prove_offline"),
    log:
        FILES.log("prove_offline"),
    conda:
        "../envs/build_check.yaml"
    container:
        container_of("build_check")
    envmodules:
        *modules_of("build_check"),
    threads: 1
    resources:
        mem_mb=memory,
        runtime=minutes("warm_up"),
    params:
        key=lambda wildcards: stage_key(CONFIG, "warm_up", wildcards.slug),
    message:
        "build {wildcards.slug} without a network"
    shell:
        without_network(repository_call("prove_offline"))


rule online:
    input:
        LAYOUT.repositories,
        LAYOUT.commit_lock,
        expand(FILES.proofs, slug=SLUGS),
