# build_check: compile every kept commit and run its suite. Reads: build, execution. Writes: BuildVerdict, SuiteVerdict.
rule build_check:
    input:
        repository=rules.clone.output.repository,
        commits=rules.clone.output.commits,
        bundle=rules.clone.output.bundle,
    output:
        builds=f"{SNAPSHOT}/build_check/{{slug}}/builds.jsonl",
        suites=f"{SNAPSHOT}/build_check/{{slug}}/suites.jsonl",
    params:
        key=stage_key(CONFIG, "build_check"),
    log:
        f"{SNAPSHOT}/logs/build_check/{{slug}}.log",
    resources:
        mem_mb=4096,
    conda:
        "../envs/build_check.yaml"
    shell:
        stage_call("build_check") + " --repository-record {input.repository}"
        " --commits {input.commits}"
        " --bundle {input.bundle}"
        " --builds {output.builds}"
        " --suites {output.suites} 2> {log}"
