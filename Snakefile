# testevo: from the source of a history to packaged, proven tasks. Composition only: each stage lives in rules/<stage>.smk.
from snakemake.utils import min_version

min_version("9.0")


include: "rules/common.smk"
include: "rules/targets.smk"
include: "rules/search.smk"
include: "rules/clone.smk"
include: "rules/build_check.smk"
include: "rules/commit_pair.smk"
include: "rules/instrument.smk"
include: "rules/triple_execute.smk"
include: "rules/refactoring_filter.smk"
include: "rules/package.smk"


# The default target. Snakemake looks for it in this file only.
rule mine:
    input:
        rules.package.output,
