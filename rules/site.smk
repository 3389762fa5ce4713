# site: pages for a browser of all tasks with their evidence and of what was graded (docs/site.md). Asked for by its name.
# Reads: analysis, evaluation.cost_cap, reproduction.
rule site:
    input:
        dataset="<dataset>/checksums.sha256",
        graded=GRADED,
        executions=expand("<results>/triple_execute/{slug}/executions.jsonl", slug=SLUGS if MINING else []),
        released=[Path(RELEASED) / name for name in ("index.json", "leaderboard.json")] if RELEASED else [],
    output:
        index="<results>/site/index.html",
    log:
        "<results>/logs/site.log",
    conda:
        "../envs/site.yaml"
    container:
        container_of("site")
    envmodules:
        *modules_of("site"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        key=stage_key(CONFIG, "site"),
    message:
        "write the site"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/site.py' --config '{CONFIG_FILE}'"
        " --dataset {input.dataset:q} --index {output.index:q} 2> {log:q}"
