"""The program of the plain chat loop; runs alone in a sandbox and needs nothing but Python's standard library.

The prompt comes by standard input, all else by environment variables. Events go to standard output, one JSON object a
line. Ends with 0 when the tests pass, 1 when they never did, 2 when the model gives no answer.
"""

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

ROUNDS = 5
TEST_SECONDS = 600
SHOWN = 8000
"""Characters of the tests' output that the model sees: the last ones."""
FORM = """\
You cannot use tools. Answer with the whole new content of the file {file} in one block of code:
```java
...
```
It is written to the file, the tests are compiled and run, and you see what they print if they fail.
"""
BLOCK = re.compile(r"^```[^\n`]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def main() -> int:
    """Ask, write, test; again with what the tests printed."""
    file = Path(os.environ["CHAT_FILE"])
    now = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else "(the file does not exist yet)\n"
    messages = [
        {"role": "system", "content": FORM.format(file=file)},
        {"role": "user", "content": sys.stdin.read()},
        {"role": "user", "content": f"{file} is now:\n```java\n{now}```\n"},
    ]
    for _ in range(ROUNDS):
        try:
            answer = ask(messages)
        except (OSError, ValueError, KeyError, IndexError) as error:
            tell("other", f"no answer: {error}")
            return 2
        tell("message", answer)
        messages.append({"role": "assistant", "content": answer})
        blocks = BLOCK.findall(answer)
        if blocks:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(max(blocks, key=len), encoding="utf-8")
            tell("edit", max(blocks, key=len), path=str(file))
            status, output = test()
            if status == 0:
                return 0
            messages.append({"role": "user", "content": f"The tests end with status {status}:\n{output[-SHOWN:]}"})
        else:
            messages.append({"role": "user", "content": "There was no block of code in your answer."})
    return 1


def ask(messages: list[dict[str, str]]) -> str:
    """The model's next message."""
    body = json.dumps({"model": os.environ["CHAT_MODEL"], "messages": messages}).encode()
    headers = {"content-type": "application/json", "authorization": f"Bearer {os.environ['CHAT_KEY']}"}
    request = urllib.request.Request(os.environ["CHAT_ADDRESS"], body, headers)
    with urllib.request.urlopen(request) as reply:
        return str(json.load(reply)["choices"][0]["message"]["content"])


def test() -> tuple[int, str]:
    """Status and output of the test command."""
    command = os.environ["CHAT_TEST"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CHAT_")}
    try:
        done = subprocess.run(["/bin/sh", "-c", command], **streams, env=environment, timeout=TEST_SECONDS, check=False)  # type: ignore[call-overload]
        status, output = done.returncode, done.stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        status, output = 124, f"the tests took longer than {TEST_SECONDS} seconds"
    tell("command", command, output=output)
    return status, output


def tell(kind: str, text: str, path: str | None = None, output: str | None = None) -> None:
    sys.stdout.write(json.dumps({"kind": kind, "text": text, "path": path, "output": output}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
