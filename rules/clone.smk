# clone: one bundle per repository and its walk. Reads: sources, rules.walk, rules.pairs. Writes: Repository, Commit.
rule clone:
    input:
        repositories=ancient(LAYOUT.repositories),
    output:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
    log:
        FILES.log("clone"),
    conda:
        "../envs/clone.yaml"
    resources:
        mem_mb=1024,
    params:
        key=lambda wildcards: stage_key(CONFIG, "clone", wildcards.slug),
    shell:
        repository_call("clone")
