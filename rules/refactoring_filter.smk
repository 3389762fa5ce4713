# refactoring_filter: refactorings between the ends of labelled pairs. Reads: refactoring, rules.filters.
# Writes: RefactoringVerdict, one per label other than none.
rule refactoring_filter:
    input:
        bundle="<results>/clone/{slug}/history.bundle",
        builds="<results>/build_check/{slug}/builds.jsonl",
        first_labels="<results>/triple_execute/{slug}/labels.jsonl",
        failure_before="<results>/triple_execute/{slug}/triple_execute_failure.jsonl",
    output:
        refactorings="<results>/refactoring_filter/{slug}/refactorings.jsonl",
        failure="<results>/refactoring_filter/{slug}/refactoring_filter_failure.jsonl",
    log:
        "<results>/logs/refactoring_filter/{slug}.log",
    conda:
        "../envs/refactoring_filter.yaml"
    container:
        container_of("refactoring_filter")
    envmodules:
        *modules_of("refactoring_filter"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=lambda wildcards, attempt: attempt * 340,
    params:
        key=stage_key(CONFIG, "refactoring_filter"),
    message:
        "look for refactorings in {wildcards.slug}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/refactoring_filter.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --bundle {input.bundle:q} --builds {input.builds:q}"
        " --first-labels {input.first_labels:q} --failure-before {input.failure_before:q}"
        " --refactorings {output.refactorings:q} --failure {output.failure:q} 2> {log:q}"
