# package: last filters, grouping into tasks, the dataset folder and the export in the released schema.
# Reads: rules.filters. Writes: Label (final), Task, the dataset folder.
rule package_repository:
    input:
        repository=rules.clone.output.repository,
        commits=rules.clone.output.commits,
        bundle=rules.clone.output.bundle,
        builds=rules.build_check.output.builds,
        executions=rules.triple_execute.output.executions,
        labels=rules.triple_execute.output.labels,
        refactorings=rules.refactoring_filter.output.refactorings,
    output:
        labels=f"{SNAPSHOT}/package/{{slug}}/labels.jsonl",
        tasks=f"{SNAPSHOT}/package/{{slug}}/tasks.jsonl",
        funnel=f"{SNAPSHOT}/package/{{slug}}/funnel.jsonl",
    params:
        key=stage_key(CONFIG, "package"),
        snapshot=SNAPSHOT,
    log:
        f"{SNAPSHOT}/logs/package/{{slug}}.log",
    conda:
        "../envs/package.yaml"
    shell:
        stage_call("package_repository") + " --snapshot {params.snapshot}"
        " --bundle {input.bundle}"
        " --labels {output.labels}"
        " --tasks {output.tasks}"
        " --funnel {output.funnel} 2> {log}"


rule package:
    input:
        repositories=expand(rules.clone.output.repository, slug=SLUGS),
        labels=expand(rules.package_repository.output.labels, slug=SLUGS),
        tasks=expand(rules.package_repository.output.tasks, slug=SLUGS),
        funnels=expand(rules.package_repository.output.funnel, slug=SLUGS),
    output:
        checksums=f"{SNAPSHOT}/package/dataset/checksums.sha256",
    params:
        key=stage_key(CONFIG, "package"),
        snapshot=SNAPSHOT,
        dataset=f"{SNAPSHOT}/package/dataset",
    log:
        f"{SNAPSHOT}/logs/package.log",
    conda:
        "../envs/package.yaml"
    shell:
        "{PYTHON} {PROJECT}/scripts/package.py --config {RESOLVED} --snapshot {params.snapshot}"
        " --dataset {params.dataset} 2> {log}"
