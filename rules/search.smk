# search: candidate repositories from the configured sources. Reads: sources. Writes: Repository records.
rule search:
    output:
        repositories=f"{SNAPSHOT}/search/repositories.jsonl",
    params:
        key=stage_key(CONFIG, "search"),
    log:
        f"{SNAPSHOT}/logs/search.log",
    conda:
        "../envs/search.yaml"
    shell:
        "{PYTHON} {PROJECT}/scripts/search.py --config {RESOLVED} --repositories {output.repositories} 2> {log}"
