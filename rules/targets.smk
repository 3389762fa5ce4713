# Public targets beside the default one: a snapshot up to a stage.
rule builds:
    input:
        expand("<results>/build_check/{slug}/builds.jsonl", slug=SLUGS),


rule labels:
    input:
        expand("<results>/triple_execute/{slug}/labels.jsonl", slug=SLUGS),


rule tasks:
    input:
        expand("<results>/package/{slug}/tasks.jsonl", slug=SLUGS),
