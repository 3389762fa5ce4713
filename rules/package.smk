# package: last filters, grouping into tasks, what their developers' tests reach, the dataset folder and the export in
# the released schema. Reads: rules, execution, evaluation. Writes: Label (final), Task, Mutant, the dataset folder.
rule package_repository:
    input:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
        builds=FILES.builds,
        executions=FILES.executions,
        labels=FILES.first_labels,
        refactorings=FILES.refactorings,
        failure=FILES.failure("refactoring_filter"),
    output:
        labels=FILES.labels,
        tasks=FILES.tasks,
        history=FILES.task_history,
        failure=FILES.failure("package_repository"),
    log:
        FILES.log("package"),
    conda:
        "../envs/package.yaml"
    container:
        container_of("package")
    envmodules:
        *modules_of("package"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=minutes("package"),
    params:
        key=stage_key(CONFIG, "package"),
    message:
        "make the tasks of {wildcards.slug}"
    shell:
        repository_call("package_repository")


rule measure_gold:
    input:
        repository=FILES.repository,
        tasks=FILES.tasks,
        history=FILES.task_history,
        failure=FILES.failure("package_repository"),
    output:
        measured=FILES.measured,
        mutants=FILES.mutants,
        archives=FILES.mutant_archives,
        failure=FILES.failure("measure_gold"),
    log:
        FILES.log("measure_gold"),
    conda:
        "../envs/package.yaml"
    container:
        container_of("package")
    envmodules:
        *modules_of("package"),
    threads: PROCESSES
    resources:
        mem_mb=memory,
        runtime=minutes("measure_gold"),
    params:
        key=lambda wildcards: stage_key(CONFIG, "measure_gold", wildcards.slug),
    message:
        "measure the developers' tests of {wildcards.slug}"
    shell:
        repository_call("measure_gold")


rule package:
    input:
        candidates=LAYOUT.repositories,
        repositories=expand(FILES.repository, slug=SLUGS),
        commits=expand(FILES.commits, slug=SLUGS),
        builds=expand(FILES.builds, slug=SLUGS),
        labels=expand(FILES.labels, slug=SLUGS),
        tasks=expand(FILES.measured, slug=SLUGS),
        mutants=expand(FILES.mutants, slug=SLUGS),
        archives=expand(FILES.mutant_archives, slug=SLUGS),
        histories=expand(FILES.task_history, slug=SLUGS),
        executions=expand(FILES.executions, slug=SLUGS),
        suites=expand(FILES.suites, slug=SLUGS),
        pairs=expand(FILES.pairs, slug=SLUGS),
        failures=expand(FILES.failure("measure_gold"), slug=SLUGS),
    output:
        LAYOUT.dataset / "checksums.sha256",
        snapshot=shown(LAYOUT.pages / "snapshot.html", "snapshot", "Mining", "All on one page"),
        funnel=shown(LAYOUT.pages / "funnel.html", "funnel", "Mining", "Funnel"),
        tasks=shown(LAYOUT.pages / "tasks.html", "tasks", "Mining", "Tasks"),
        known=shown(LAYOUT.pages / "labels.html", "labels", "Mining", "Known labels"),
        datasheet=shown(LAYOUT.pages / "datasheet.html", "datasheet", "Mining", "Datasheet"),
        configuration=shown(LAYOUT.pages / "configuration.html", "configuration", "Configuration", "Settings"),
    log:
        LAYOUT.root / "logs" / "package.log",
    conda:
        "../envs/package.yaml"
    container:
        container_of("package")
    envmodules:
        *modules_of("package"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=minutes("package"),
    params:
        key=stage_key(CONFIG, "package"),
    message:
        "write the dataset"
    shell:
        stage_call("package") + " 2> {log:q}"
