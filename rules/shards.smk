# shards: parts of a repository's work as jobs of their own, where `machine.shard_minutes` asks for them. How many there
# are is known when all histories are cloned. This is the only checkpoint: the cost of them grows with their square.
# A part leaves its finished work in a journal; the job of the whole repository reads it (testevo/config/machine/shards.py).
localrules:
    commit_lock,


checkpoint commit_lock:
    input:
        commits=expand("<results>/clone/{slug}/commits.jsonl", slug=SLUGS),
        bundles=expand("<results>/clone/{slug}/history.bundle", slug=SLUGS),
    output:
        commit_lock="<results>/clone/commit_lock.json",
    log:
        "<results>/logs/commit_lock.log",
    conda:
        "../envs/clone.yaml"
    container:
        container_of("clone")
    envmodules:
        *modules_of("clone"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 30,
    params:
        key=stage_key(CONFIG, "search"),
    message:
        "estimate the work on each repository"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/commit_lock.py' --config '{CONFIG_FILE}'"
        " --commit-lock {output.commit_lock:q} 2> {log:q}"


def finished_shards(stage):
    """The parts of a stage that come before its job for a whole repository; none where that does all."""
    if CONFIG.machine.shard_minutes is None:
        return []

    def finished(wildcards):
        work = read_commit_lock(Path(checkpoints.commit_lock.get().output[0]))[wildcards.slug]
        parts = shards_of(work, CONFIG.machine.shard_minutes)
        return [f"<results>/shards/{stage}/{wildcards.slug}@{part}.json" for part in parts]

    return finished
