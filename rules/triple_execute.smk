# triple_execute: join, link, run old/new test x old/new code, label. Reads: rules, execution.
# Writes: Execution, Label, and the CommitPair and MethodChange records of joined pairs.
rule triple_execute:
    input:
        repository=rules.clone.output.repository,
        commits=rules.clone.output.commits,
        bundle=rules.clone.output.bundle,
        pairs=rules.commit_pair.output.pairs,
        changes=rules.commit_pair.output.changes,
        calls=rules.instrument.output.calls,
    output:
        executions=f"{SNAPSHOT}/triple_execute/{{slug}}/executions.jsonl",
        labels=f"{SNAPSHOT}/triple_execute/{{slug}}/labels.jsonl",
        joined_pairs=f"{SNAPSHOT}/triple_execute/{{slug}}/joined_pairs.jsonl",
        joined_changes=f"{SNAPSHOT}/triple_execute/{{slug}}/joined_changes.jsonl",
    params:
        key=stage_key(CONFIG, "triple_execute"),
    log:
        f"{SNAPSHOT}/logs/triple_execute/{{slug}}.log",
    resources:
        mem_mb=4096,
    conda:
        "../envs/triple_execute.yaml"
    shell:
        stage_call("triple_execute") + " --repository-record {input.repository}"
        " --commits {input.commits}"
        " --bundle {input.bundle}"
        " --pairs {input.pairs}"
        " --changes {input.changes}"
        " --calls {input.calls}"
        " --executions {output.executions}"
        " --labels {output.labels}"
        " --joined-pairs {output.joined_pairs}"
        " --joined-changes {output.joined_changes} 2> {log}"
