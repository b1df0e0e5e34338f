"""Holds what `dex` printed with --json against its JSON Schemas.

    validate.py FOLDER

FOLDER/schemas/NAME.json is the schema that `dex schema NAME` printed. Each line of
FOLDER/answers.jsonl is {"schema": NAME, "line": the command line, "answer": what it printed}.
Every answer has to be valid, and each of its wrong forms invalid: a surplus key, a missing one, a
value of another type, a status that does not fit the exit code. Prints what is not so, one a line.
"""

import copy
import json
import pathlib
import sys

import jsonschema

# Values that may be anything: orders in wire form, settings, typed data, keystores, schemas.
ANY = {
    "order", "value", "fileSettings", "newSettings", "removedSettings", "typedData", "keystore", "schema",
}


# A valid answer is wrong in one place of each form: of its lists a few rows are enough.
ROWS = 3


def short(value):
    """A value whose lists have at most a few rows."""
    if isinstance(value, dict):
        return {key: short(item) for key, item in value.items()}
    return [short(item) for item in value[:ROWS]] if isinstance(value, list) else value


def wrong_forms(answer):
    """Forms of a valid answer that no schema may take, each with what is wrong about it."""

    def changed(what, change):
        form = copy.deepcopy(answer)
        change(form)
        return what, form

    yield changed("a surplus key", lambda a: a.update(surplus=1))
    yield changed("another exit code", lambda a: a.update(exitCode=99))
    yield changed("exit 0 of an error", lambda a: a.update(status="error", exitCode=0))
    yield changed("a number for warnings", lambda a: a.update(warnings=[1]))
    yield changed("another version", lambda a: a.update(schema="dex/0"))
    for key in ("schema", "command", "status", "exitCode", "data", "warnings", "error"):
        yield changed(f"no {key}", lambda a, key=key: a.pop(key))
    if answer["status"] == "error":
        yield changed("an error without a code", lambda a: a["error"].pop("code"))
        return
    yield changed("an error of success", lambda a: a.update(error={"code": "x"}))
    yield changed("a surplus key of data", lambda a: a["data"].update(surplus=1))
    for key in answer["data"]:
        if key in ANY:
            continue
        yield changed(f"{key} of another type", lambda a, key=key: a["data"].update({key: {"x": 1}}))
        rows = answer["data"][key]
        if isinstance(rows, list) and rows and isinstance(rows[0], dict):
            yield changed(f"a surplus key of {key}", lambda a, key=key: a["data"][key][0].update(surplus=1))


def check(schemas):
    """Holds schemas against that of schemas: a definition that several have once."""
    definitions = {}
    for schema in schemas:
        own = schema.get("$defs", {})
        definitions |= {json.dumps(one, sort_keys=True): one for one in own.values()}
        jsonschema.Draft202012Validator.check_schema(schema | {"$defs": {}})
    jsonschema.Draft202012Validator.check_schema({"$defs": definitions})


def main(folder):
    schemas = {
        file.stem: json.loads(file.read_text()) for file in sorted((folder / "schemas").iterdir())
    }
    check(schemas.values())
    validators = {name: jsonschema.Draft202012Validator(one) for name, one in schemas.items()}
    faults, answers, wrong = [], 0, 0
    for text in (folder / "answers.jsonl").read_text().splitlines():
        entry = json.loads(text)
        answer, validator = entry["answer"], validators[entry["schema"]]
        answers += 1
        error = jsonschema.exceptions.best_match(validator.iter_errors(answer))
        if error:
            while error.context:
                error = min(error.context, key=lambda e: (-len(e.absolute_path), e.validator == "const"))
            place = "/".join(str(part) for part in error.absolute_path)
            faults.append(f"{entry['line']}: {place}: {error.message[:400]}")
            continue
        few = short(answer)
        if few != answer and not validator.is_valid(few):
            faults.append(f"{entry['line']}: not valid with {ROWS} rows of each list")
        for what, form in wrong_forms(few):
            wrong += 1
            if validator.is_valid(form):
                faults.append(f"{entry['line']}: {what} is valid")
    for fault in faults:
        print(fault)
    print(f"{answers} answers, {wrong} wrong forms, {len(validators)} schemas", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
