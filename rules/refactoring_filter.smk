# refactoring_filter: refactorings between the ends of labelled pairs. Reads: refactoring, rules.filters.
# Writes: RefactoringVerdict, one per label other than none.
rule refactoring_filter:
    input:
        bundle=FILES.bundle,
        labels=FILES.first_labels,
        failure=FILES.failure("triple_execute"),
    output:
        refactorings=FILES.refactorings,
        failure=FILES.failure("refactoring_filter"),
    log:
        FILES.log("refactoring_filter"),
    conda:
        "../envs/refactoring_filter.yaml"
    container:
        container_of("refactoring_filter")
    envmodules:
        *modules_of("refactoring_filter"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=minutes("refactoring_filter"),
    params:
        key=stage_key(CONFIG, "refactoring_filter"),
    message:
        "look for refactorings in {wildcards.slug}"
    shell:
        repository_call("refactoring_filter")
