# search: candidate repositories of the configured sources. Reads: sources. Writes: Repository.
rule search:
    output:
        LAYOUT.repositories,
    params:
        key=stage_key(CONFIG, "search"),
    log:
        LAYOUT.root / "logs" / "search.log",
    conda:
        "../envs/search.yaml"
    shell:
        stage_call("search") + " 2> {log:q}"
