# reproduce: the paper's tables and figures from its released files, which are not part of this project.
# Reads: reproduction, analysis. See docs/reproduction.md.
from testevo.analysis.output.file_names import reproduction_names

RELEASED = CONFIG.reproduction.released


rule reproduce_tables:
    input:
        [Path(RELEASED) / name for name in ("index.json", "leaderboard.json")] if RELEASED else [],
    output:
        [f"<results>/reproduction/{name}" for name in reproduction_names() if name != "differences.json"],
        differences="<results>/reproduction/differences.json",
    log:
        "<results>/logs/reproduce_tables.log",
    conda:
        "../envs/reproduce.yaml"
    container:
        container_of("reproduce")
    envmodules:
        *modules_of("reproduce"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=lambda wildcards, attempt: attempt * 60,
    params:
        key=stage_key(CONFIG, "reproduce"),
    message:
        "make the paper's tables from its released files"
    shell:
        f"exec {PYTHON} '{SCRIPTS}/reproduce_tables.py' --config '{CONFIG_FILE}'"
        " --differences {output.differences:q} 2> {log:q}"
