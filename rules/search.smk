# search: candidate repositories of the configured sources. Reads: sources. Writes: Repository, FoundRepository.
# A search of GitHub also writes its lock file, which later runs read (docs/sources.md); no rule owns that file, since
# Snakemake removes what a rule owns before it runs.
localrules:
    search,


rule search:
    output:
        repositories="<results>/search/repositories.jsonl",
        found="<results>/search/found.jsonl",
    log:
        "<results>/logs/search.log",
    conda:
        "../envs/search.yaml"
    container:
        container_of("search")
    envmodules:
        *modules_of("search"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 30,
    params:
        key=stage_key(CONFIG, "search"),
    message:
        "list the candidate repositories"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/search.py' --config '{CONFIG_FILE}'"
        " --repositories {output.repositories:q} --found {output.found:q} 2> {log:q}"
