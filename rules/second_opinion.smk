# second_opinion: ask PIT about the tests that passed, when `evaluation.second_opinion` says so; otherwise nothing of
# this is run. Reads: execution, evaluation. Writes: SecondOpinion, one per system and task.
OPINIONS = [
    LAYOUT.of_system(system, slug).opinions for system in SYSTEMS for slug in SLUGS if CONFIG.evaluation.asks_pit
]


rule second_opinion:
    input:
        dataset=DATASET / "checksums.sha256",
        predictions=lambda wildcards: SYSTEMS[wildcards.system] or [],
        graded=LAYOUT.of_system("{system}", "{slug}").graded,
    output:
        LAYOUT.of_system("{system}", "{slug}").opinions,
    log:
        LAYOUT.of_system("{system}", "{slug}").opinions_log,
    conda:
        "../envs/evaluate.yaml"
    container:
        container_of("evaluate")
    envmodules:
        *modules_of("evaluate"),
    threads: processes(len(GRADED))
    resources:
        mem_mb=memory,
        runtime=minutes("evaluate"),
    params:
        key=stage_key(CONFIG, "second_opinion"),
    message:
        "ask PIT about {wildcards.system} on {wildcards.slug}"
    shell:
        stage_call("second_opinion")
        + " --system {wildcards.system:q} --repository {wildcards.slug:q} --processes {threads} 2> {log:q}"
