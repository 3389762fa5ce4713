# testevo: from the source of a history to packaged, proven tasks, and to grades of what systems hand in for them.
# Composition only: each stage lives in rules/<stage>.smk.
from snakemake.utils import min_version, validate

min_version("9.22")


# A file given by --configfile stands alone: it is not laid over this one.
if not config:

    configfile: f"{workflow.basedir}/config/snapshots/demo.yaml"


report: "report/workflow.rst"


include: "rules/common.smk"


# With its preset and defaults, as jobs read it; a wrong key or value has been refused in common.smk by name.
validate(CONFIG.model_dump(mode="json"), "config/config.schema.json", set_default=False)


pathvars:
    results=str(LAYOUT.root),
    dataset=str(DATASET),


if MINING:

    include: "rules/search.smk"


# What follows works on the repositories that a search has found.
if MINING and SEARCHED:

    include: "rules/targets.smk"
    include: "rules/clone.smk"
    include: "rules/shards.smk"
    include: "rules/online.smk"
    include: "rules/build_check.smk"
    include: "rules/commit_pair.smk"
    include: "rules/instrument.smk"
    include: "rules/triple_execute.smk"
    include: "rules/refactoring_filter.smk"
    include: "rules/package.smk"
    include: "rules/sample.smk"


if SEARCHED:

    include: "rules/solve.smk"
    include: "rules/evaluate.smk"
    include: "rules/second_opinion.smk"
    include: "rules/validate.smk"
    include: "rules/aggregate.smk"
    include: "rules/reproduce.smk"
    include: "rules/site.smk"


# The default target. Snakemake looks for it in this file only.
rule all:
    input:
        default_target,
