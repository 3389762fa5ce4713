# package: last filters, grouping into tasks, the dataset folder and the export in the released schema.
# Reads: rules. Writes: Label (final), Task, the dataset folder.
rule package_repository:
    input:
        repository=FILES.repository,
        commits=FILES.commits,
        bundle=FILES.bundle,
        builds=FILES.builds,
        executions=FILES.executions,
        labels=FILES.first_labels,
        refactorings=FILES.refactorings,
    output:
        labels=FILES.labels,
        tasks=FILES.tasks,
        history=FILES.task_history,
    log:
        FILES.log("package"),
    conda:
        "../envs/package.yaml"
    resources:
        mem_mb=1024,
    params:
        key=stage_key(CONFIG, "package"),
    shell:
        repository_call("package_repository")


rule package:
    input:
        candidates=LAYOUT.repositories,
        repositories=expand(FILES.repository, slug=SLUGS),
        labels=expand(FILES.labels, slug=SLUGS),
        tasks=expand(FILES.tasks, slug=SLUGS),
        histories=expand(FILES.task_history, slug=SLUGS),
        executions=expand(FILES.executions, slug=SLUGS),
        suites=expand(FILES.suites, slug=SLUGS),
        pairs=expand(FILES.pairs, slug=SLUGS),
    output:
        LAYOUT.dataset / "checksums.sha256",
    log:
        LAYOUT.root / "logs" / "package.log",
    conda:
        "../envs/package.yaml"
    resources:
        mem_mb=1024,
    params:
        key=stage_key(CONFIG, "package"),
    shell:
        stage_call("package") + " 2> {log:q}"
