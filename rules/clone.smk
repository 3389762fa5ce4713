# clone: one bundle per repository and its walk. Reads: sources, rules.walk, rules.pairs. Writes: Repository, Commit.
rule clone:
    input:
        repositories=ancient(LAYOUT.repositories),
    output:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
    params:
        key=lambda wildcards: stage_key(CONFIG, "clone", wildcards.slug),
    log:
        FILES.log("clone"),
    resources:
        mem_mb=1024,
    conda:
        "../envs/clone.yaml"
    shell:
        repository_call("clone")
