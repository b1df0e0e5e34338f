"""The program of an operator that decides as a file says: `relay_policy_program.py FILE`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

for line in sys.stdin:
    question = json.loads(line)
    mode = Path(sys.argv[1]).read_text().strip()
    if mode == "crash":
        sys.exit(3)
    if mode == "silence":
        time.sleep(10_000)
    answers = {
        "nonsense": "yes, please",
        "foreign": json.dumps({"id": question["id"] + 1, "verdict": "accept"}),
        "unknown": json.dumps({"id": question["id"], "verdict": "maybe"}),
        "reject": json.dumps({"id": question["id"], "verdict": "reject", "reason": "not \u001b[31mthis one"}),
    }
    print(answers.get(mode, json.dumps({"id": question["id"], "verdict": mode})), flush=True)
