# testevo: from the source of a history to packaged, proven tasks, and to grades of what systems hand in for them.
# Composition only: each stage lives in rules/<stage>.smk.
from snakemake.utils import min_version

min_version("9.0")


report: "report/workflow.rst"


include: "rules/common.smk"


if MINING:

    include: "rules/targets.smk"
    include: "rules/search.smk"
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


include: "rules/evaluate.smk"
include: "rules/second_opinion.smk"
include: "rules/validate.smk"
include: "rules/aggregate.smk"
include: "rules/reproduce.smk"


# The default target. Snakemake looks for it in this file only.
if MINING:

    rule mine:
        input:
            rules.package.output,

else:

    rule grade:
        input:
            rules.evaluate.input,
