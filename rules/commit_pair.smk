# commit_pair: pair usable commits, list their method-level changes. Reads: rules. Writes: CommitPair, MethodChange.
rule commit_pair:
    input:
        repository=rules.clone.output.repository,
        commits=rules.clone.output.commits,
        bundle=rules.clone.output.bundle,
        builds=rules.build_check.output.builds,
        suites=rules.build_check.output.suites,
    output:
        pairs=f"{SNAPSHOT}/commit_pair/{{slug}}/pairs.jsonl",
        changes=f"{SNAPSHOT}/commit_pair/{{slug}}/changes.jsonl",
    params:
        key=stage_key(CONFIG, "commit_pair"),
    log:
        f"{SNAPSHOT}/logs/commit_pair/{{slug}}.log",
    resources:
        mem_mb=3072,
    conda:
        "../envs/commit_pair.yaml"
    shell:
        stage_call("commit_pair") + " --repository-record {input.repository}"
        " --commits {input.commits}"
        " --bundle {input.bundle}"
        " --builds {input.builds}"
        " --suites {input.suites}"
        " --pairs {output.pairs}"
        " --changes {output.changes} 2> {log}"
