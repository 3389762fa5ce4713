# second_opinion: ask PIT about the tests that passed, when `evaluation.second_opinion` says so; otherwise nothing of
# this is run. Reads: execution, evaluation. Writes: SecondOpinion, one per system and task.
OPINIONS = expand("<results>/second_opinion/{system}/{slug}.jsonl", system=SYSTEMS, slug=SLUGS)


rule second_opinion:
    input:
        dataset="<dataset>/checksums.sha256",
        predictions=lambda wildcards: SYSTEMS[wildcards.system] or [],
        graded="<results>/evaluate/{system}/{slug}.jsonl",
    output:
        opinions="<results>/second_opinion/{system}/{slug}.jsonl",
    log:
        "<results>/logs/second_opinion/{system}/{slug}.log",
    conda:
        "../envs/evaluate.yaml"
    container:
        container_of("evaluate")
    envmodules:
        *modules_of("evaluate"),
    threads: processes(len(GRADED))
    resources:
        mem_mb=memory,
        runtime=lambda wildcards, attempt: attempt * 340,
    params:
        key=stage_key(CONFIG, "second_opinion"),
    message:
        "ask PIT about {wildcards.system} on {wildcards.slug}"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/second_opinion.py' --config '{CONFIG_FILE}'"
        " --slug {wildcards.slug:q} --system {wildcards.system:q} --processes {threads} --dataset {input.dataset:q}"
        " --predictions {input.predictions:q} --graded {input.graded:q} --opinions {output.opinions:q} 2> {log:q}"
