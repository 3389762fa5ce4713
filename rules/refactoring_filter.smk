# refactoring_filter: refactorings between the ends of labelled pairs. Reads: refactoring, rules.filters.
# Writes: RefactoringVerdict, one per kept label.
rule refactoring_filter:
    input:
        repository=rules.clone.output.repository,
        bundle=rules.clone.output.bundle,
        labels=rules.triple_execute.output.labels,
        changes=rules.commit_pair.output.changes,
        joined_changes=rules.triple_execute.output.joined_changes,
    output:
        refactorings=f"{SNAPSHOT}/refactoring_filter/{{slug}}/refactorings.jsonl",
    params:
        key=stage_key(CONFIG, "refactoring_filter"),
    log:
        f"{SNAPSHOT}/logs/refactoring_filter/{{slug}}.log",
    resources:
        mem_mb=3072,
    conda:
        "../envs/refactoring_filter.yaml"
    shell:
        stage_call("refactoring_filter") + " --repository-record {input.repository}"
        " --bundle {input.bundle}"
        " --labels {input.labels}"
        " --changes {input.changes}"
        " --joined-changes {input.joined_changes}"
        " --refactorings {output.refactorings} 2> {log}"
