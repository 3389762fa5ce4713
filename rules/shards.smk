# shards: parts of a repository's work as jobs of their own, where `machine.shard_minutes` asks for them. How many there
# are is known when all histories are cloned. This is the only checkpoint: the cost of them grows with their square.
# A part leaves its finished work in a journal; the job of the whole repository reads it (testevo/config/machine/shards.py).
localrules:
    commit_lock,


checkpoint commit_lock:
    input:
        commits=expand(FILES.commits, slug=SLUGS),
        bundles=expand(FILES.bundle, slug=SLUGS),
    output:
        LAYOUT.commit_lock,
    log:
        LAYOUT.root / "logs" / "commit_lock.log",
    conda:
        "../envs/clone.yaml"
    container:
        container_of("clone")
    envmodules:
        *modules_of("clone"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=minutes("commit_lock"),
    params:
        key=stage_key(CONFIG, "search"),
    message:
        "estimate the work on each repository"
    shell:
        stage_call("commit_lock") + " 2> {log:q}"


def finished_shards(stage):
    """The parts of a stage that come before its job for a whole repository; none where that does all."""
    if CONFIG.machine.shard_minutes is None:
        return []

    def finished(wildcards):
        work = read_commit_lock(Path(checkpoints.commit_lock.get().output[0]))[wildcards.slug]
        parts = shards_of(work, CONFIG.machine.shard_minutes)
        files = LAYOUT.of_repository(wildcards.slug)
        return [files.of_shard(str(part)).finished_shard(stage) for part in parts]

    return finished


def done_shards(wildcards, input):
    """The option that names those parts to the job of the whole repository, such as `1of2 2of2`."""
    names = [Path(file).stem.rpartition("@")[2] for file in input.get("shards", [])]
    return " ".join(["--done-shards", *names]) if names else ""
