# package: last filters, grouping into tasks, what their developers' tests reach, the dataset folder and the export in
# the released schema. Reads: rules, execution, evaluation. Writes: Label (final), Task, Mutant, the dataset folder.
rule package_repository:
    input:
        repository="<results>/clone/{slug}/repository.jsonl",
        commits="<results>/clone/{slug}/commits.jsonl",
        bundle="<results>/clone/{slug}/history.bundle",
        builds="<results>/build_check/{slug}/builds.jsonl",
        executions="<results>/triple_execute/{slug}/executions.jsonl",
        first_labels="<results>/triple_execute/{slug}/labels.jsonl",
        refactorings="<results>/refactoring_filter/{slug}/refactorings.jsonl",
        failure_before="<results>/refactoring_filter/{slug}/refactoring_filter_failure.jsonl",
    output:
        labels="<results>/package/{slug}/labels.jsonl",
        tasks="<results>/package/{slug}/tasks.jsonl",
        task_history="<results>/package/{slug}/history.bundle",
        failure="<results>/package/{slug}/package_repository_failure.jsonl",
    log:
        "<results>/logs/package_repository/{slug}.log",
    conda:
        "../envs/package.yaml"
    container:
        container_of("package")
    envmodules:
        *modules_of("package"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        key=stage_key(CONFIG, "package"),
    message:
        "make the tasks of {wildcards.slug}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/package_repository.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --repository {input.repository:q}"
        " --commits {input.commits:q} --bundle {input.bundle:q} --builds {input.builds:q}"
        " --executions {input.executions:q} --first-labels {input.first_labels:q}"
        " --refactorings {input.refactorings:q} --failure-before {input.failure_before:q} --labels {output.labels:q}"
        " --tasks {output.tasks:q} --task-history {output.task_history:q} --failure {output.failure:q} 2> {log:q}"


rule measure_gold:
    input:
        repository="<results>/clone/{slug}/repository.jsonl",
        tasks="<results>/package/{slug}/tasks.jsonl",
        task_history="<results>/package/{slug}/history.bundle",
        failure_before="<results>/package/{slug}/package_repository_failure.jsonl",
    output:
        measured="<results>/package/{slug}/measured.jsonl",
        mutants="<results>/package/{slug}/mutants.jsonl",
        mutant_archives="<results>/package/{slug}/mutants.zip",
        failure="<results>/package/{slug}/measure_gold_failure.jsonl",
    log:
        "<results>/logs/measure_gold/{slug}.log",
    conda:
        "../envs/package.yaml"
    container:
        container_of("package")
    envmodules:
        *modules_of("package"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=lambda wildcards, attempt: min(attempt, 2) * 720,
    params:
        key=lambda wildcards: stage_key(CONFIG, "measure_gold", wildcards.slug),
    message:
        "measure the developers' tests of {wildcards.slug}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/measure_gold.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --processes {threads} --repository {input.repository:q} --tasks {input.tasks:q}"
        " --task-history {input.task_history:q} --failure-before {input.failure_before:q}"
        " --measured {output.measured:q} --mutants {output.mutants:q} --mutant-archives {output.mutant_archives:q}"
        " --failure {output.failure:q} 2> {log:q}"


# The files of all repositories are too many for a command line: the script finds them by the table of paths.
rule package:
    input:
        candidates="<results>/search/repositories.jsonl",
        found="<results>/search/found.jsonl",
        repositories=expand("<results>/clone/{slug}/repository.jsonl", slug=SLUGS),
        commits=expand("<results>/clone/{slug}/commits.jsonl", slug=SLUGS),
        builds=expand("<results>/build_check/{slug}/builds.jsonl", slug=SLUGS),
        certificates=expand("<results>/build_check/{slug}/certificates.jsonl", slug=SLUGS),
        labels=expand("<results>/package/{slug}/labels.jsonl", slug=SLUGS),
        tasks=expand("<results>/package/{slug}/measured.jsonl", slug=SLUGS),
        mutants=expand("<results>/package/{slug}/mutants.jsonl", slug=SLUGS),
        archives=expand("<results>/package/{slug}/mutants.zip", slug=SLUGS),
        histories=expand("<results>/package/{slug}/history.bundle", slug=SLUGS),
        executions=expand("<results>/triple_execute/{slug}/executions.jsonl", slug=SLUGS),
        suites=expand("<results>/build_check/{slug}/suites.jsonl", slug=SLUGS),
        pairs=expand("<results>/commit_pair/{slug}/pairs.jsonl", slug=SLUGS),
        failures=expand("<results>/package/{slug}/measure_gold_failure.jsonl", slug=SLUGS),
    output:
        checksums="<results>/package/dataset/checksums.sha256",
        funnel=report(
            "<results>/package/pages/funnel.html",
            caption="../report/funnel.rst",
            category="Mining",
            labels={"what": "Funnel"},
        ),
        known=report(
            "<results>/package/pages/labels.html",
            caption="../report/labels.rst",
            category="Mining",
            labels={"what": "Known labels"},
        ),
        datasheet=report(
            "<results>/package/pages/datasheet.html",
            caption="../report/datasheet.rst",
            category="Mining",
            labels={"what": "Datasheet"},
        ),
        configuration=report(
            "<results>/package/pages/configuration.html",
            caption="../report/configuration.rst",
            category="Configuration",
            labels={"what": "Settings"},
        ),
    log:
        "<results>/logs/package.log",
    conda:
        "../envs/package.yaml"
    container:
        container_of("package")
    envmodules:
        *modules_of("package"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        key=stage_key(CONFIG, "package"),
    message:
        "write the dataset"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/package.py' --config '{CONFIG_FILE}'"
        " --repositories {input.candidates:q} --found {input.found:q} --checksums {output.checksums:q}"
        " --funnel {output.funnel:q} 2> {log:q}"
