# search: candidate repositories of the configured sources. Reads: sources. Writes: Repository.
localrules:
    search,


rule search:
    output:
        LAYOUT.repositories,
    log:
        LAYOUT.root / "logs" / "search.log",
    conda:
        "../envs/search.yaml"
    container:
        container_of("search")
    envmodules:
        *modules_of("search"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=minutes("search"),
    params:
        key=stage_key(CONFIG, "search"),
    message:
        "list the candidate repositories"
    shell:
        stage_call("search") + " 2> {log:q}"
