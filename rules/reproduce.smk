# reproduce: the paper's tables and figures from its released files, which are not part of this project.
# Reads: reproduction, analysis. See docs/reproduction.md.
from testevo.analysis.statistics.output_names import reproduction_names

RELEASED = CONFIG.reproduction.released


rule reproduce_tables:
    input:
        [Path(RELEASED) / name for name in ("index.json", "leaderboard.json")] if RELEASED else [],
    output:
        [LAYOUT.reproduction / name for name in reproduction_names()],
    log:
        LAYOUT.root / "logs" / "reproduce_tables.log",
    conda:
        "../envs/reproduce.yaml"
    container:
        container_of("reproduce")
    envmodules:
        *modules_of("reproduce"),
    threads: 1
    resources:
        mem_mb=small,
        runtime=minutes("reproduce"),
    params:
        key=stage_key(CONFIG, "reproduce"),
    message:
        "make the paper's tables from its released files"
    shell:
        stage_call("reproduce_tables") + " 2> {log:q}"
