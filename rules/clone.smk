# clone: one bundle per repository and its walk. Reads: sources, rules.walk, rules.pairs. Writes: Repository, Commit.
rule clone:
    input:
        repositories=rules.search.output.repositories,
    output:
        repository=f"{SNAPSHOT}/clone/{{slug}}/repository.jsonl",
        commits=f"{SNAPSHOT}/clone/{{slug}}/commits.jsonl",
        bundle=f"{SNAPSHOT}/clone/{{slug}}/history.bundle",
    params:
        key=stage_key(CONFIG, "clone"),
    log:
        f"{SNAPSHOT}/logs/clone/{{slug}}.log",
    conda:
        "../envs/clone.yaml"
    shell:
        stage_call("clone") + " --repositories {input.repositories}"
        " --repository-record {output.repository}"
        " --commits {output.commits}"
        " --bundle {output.bundle} 2> {log}"
