# Public targets. `snakemake --cores 2` mines what the configuration names.
rule mine:
    default_target: True
    input:
        f"{SNAPSHOT}/package/dataset/checksums.sha256",


rule builds:
    input:
        expand(f"{SNAPSHOT}/build_check/{{slug}}/builds.jsonl", slug=SLUGS),


rule labels:
    input:
        expand(f"{SNAPSHOT}/triple_execute/{{slug}}/labels.jsonl", slug=SLUGS),
