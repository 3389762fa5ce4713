# clone: one bundle per repository and its walk. Reads: sources, rules.walk, rules.pairs. Writes: Repository, Commit.
# It takes its candidate from the configuration, not from the list that `search` writes: a further candidate must cost
# only itself, and Snakemake overlooks a changed parameter behind an `ancient` input.
localrules:
    clone,


rule clone:
    output:
        repository="<results>/clone/{slug}/repository.jsonl",
        commits="<results>/clone/{slug}/commits.jsonl",
        bundle="<results>/clone/{slug}/history.bundle",
        failure="<results>/clone/{slug}/clone_failure.jsonl",
    log:
        "<results>/logs/clone/{slug}.log",
    conda:
        "../envs/clone.yaml"
    container:
        container_of("clone")
    envmodules:
        *modules_of("clone"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        key=lambda wildcards: stage_key(CONFIG, "clone", wildcards.slug),
    message:
        "clone the history of {wildcards.slug}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/clone.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --repository {output.repository:q}"
        " --commits {output.commits:q} --bundle {output.bundle:q} --failure {output.failure:q} 2> {log:q}"
