# Public targets. `snakemake --cores 2` mines what the configuration names.
rule mine:
    default_target: True
    input:
        LAYOUT.dataset / "checksums.sha256",


rule builds:
    input:
        expand(FILES.builds, slug=SLUGS),


rule labels:
    input:
        expand(FILES.first_labels, slug=SLUGS),
