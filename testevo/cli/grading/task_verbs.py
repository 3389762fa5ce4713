"""`testevo task` with all its verbs: those that run tests stand behind those that only look."""

from testevo.cli.grading.run_task import run_task
from testevo.cli.inspecting.checkout import brief, checkout
from testevo.cli.inspecting.task import app

app.command("brief")(brief)
app.command("checkout")(checkout)
app.command("run")(run_task)
