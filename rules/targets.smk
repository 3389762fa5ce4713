# Public targets beside the default one: a snapshot up to a stage.
rule builds:
    input:
        expand(FILES.builds, slug=SLUGS),


rule labels:
    input:
        expand(FILES.first_labels, slug=SLUGS),
