# clone: one bundle per repository and its walk. Reads: sources, rules.walk, rules.pairs. Writes: Repository, Commit.
# It takes its candidate from the configuration, not from the list that `search` writes: a further candidate must cost
# only itself, and Snakemake overlooks a changed parameter behind an `ancient` input.
localrules:
    clone,


rule clone:
    output:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
        failure=FILES.failure("clone"),
    log:
        FILES.log("clone"),
    conda:
        "../envs/clone.yaml"
    container:
        container_of("clone")
    envmodules:
        *modules_of("clone"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=minutes("clone"),
    params:
        key=lambda wildcards: stage_key(CONFIG, "clone", wildcards.slug),
    message:
        "clone the history of {wildcards.slug}"
    shell:
        repository_call("clone")
