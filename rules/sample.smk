# reproduce_sample: whether the mined dataset is, byte for byte, the one whose checksums are committed beside the
# configuration. Reads: nothing of its own. See docs/artifact.md.
EXPECTED = PROJECT / "config" / "snapshots" / f"{CONFIG.snapshot}.sha256"


rule reproduce_sample:
    input:
        dataset="<results>/package/dataset/checksums.sha256",
        expected=EXPECTED,
    log:
        "<results>/logs/reproduce_sample.log",
    conda:
        "../envs/package.yaml"
    container:
        container_of("package")
    envmodules:
        *modules_of("package"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        key=stage_key(CONFIG, "package"),
    message:
        "compare the dataset with what is expected of it"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/reproduce_sample.py'"
        " --dataset {input.dataset:q} --expected {input.expected:q} 2> {log:q}"
