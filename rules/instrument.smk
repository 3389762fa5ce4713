# instrument: run tests with the call probe, old ends of joined pairs too. Reads: execution, rules. Writes: CallMap.
rule instrument:
    input:
        repository=rules.clone.output.repository,
        commits=rules.clone.output.commits,
        bundle=rules.clone.output.bundle,
        pairs=rules.commit_pair.output.pairs,
        changes=rules.commit_pair.output.changes,
    output:
        calls=f"{SNAPSHOT}/instrument/{{slug}}/calls.jsonl",
    params:
        key=stage_key(CONFIG, "instrument"),
    log:
        f"{SNAPSHOT}/logs/instrument/{{slug}}.log",
    resources:
        mem_mb=4096,
    conda:
        "../envs/instrument.yaml"
    shell:
        stage_call("instrument") + " --repository-record {input.repository}"
        " --commits {input.commits}"
        " --bundle {input.bundle}"
        " --pairs {input.pairs}"
        " --changes {input.changes}"
        " --calls {output.calls} 2> {log}"
