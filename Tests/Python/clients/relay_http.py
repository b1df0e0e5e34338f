"""A client of the standard relayer API v0 with `requests`, which checks every answer."""

from __future__ import annotations

from typing import Any

import requests
from checks import Check
from relay_schemas import ERROR, violations

# What the specification names, and HTTP's own for a body that is too large.
STATUSES = {200, 201, 400, 404, 405, 413, 429, 500, 501}


class Relay:
    """Requests to a relay; each answer's status, type and shape are judged as it comes."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._session = requests.Session()

    def get(
        self, check: Check, path: str, schema: dict[str, Any], **query: Any
    ) -> requests.Response:
        """A GET that has to succeed with an answer of this shape."""
        response = self._session.get(f"{self.url}/{path}", params=query, timeout=600)
        what = f"GET /{path} {query}"
        check.equal(response.status_code, 200, f"the status of {what}: {response.text[:300]}")
        self._judge(check, response, schema, what)
        return response

    def post(
        self, check: Check, path: str, body: Any, schema: dict[str, Any] | None, status: int
    ) -> requests.Response:
        """A POST of JSON with the status and the shape that it has to get; None is no body."""
        response = self._session.post(f"{self.url}/{path}", json=body, timeout=600)
        what = f"POST /{path}"
        check.equal(response.status_code, status, f"the status of {what}: {response.text[:300]}")
        if schema is None:
            check.equal(response.content, b"", f"the body of {what}")
        else:
            self._judge(check, response, schema, what)
        return response

    def fails(
        self,
        check: Check,
        status: int,
        code: int,
        fields: dict[str, int] | None,
        response: requests.Response,
        what: str,
    ) -> None:
        """An answer has to be this error, with exactly these fields and their codes."""
        check.equal(response.status_code, status, f"the status of {what}: {response.text[:300]}")
        self._judge(check, response, ERROR, what)
        body = response.json()
        check.equal(body["code"], code, f"the code of {what}")
        found = {item["field"]: item["code"] for item in body.get("validationErrors", [])}
        check.equal(found, fields or {}, f"the fields of {what}")

    def raw(self, method: str, target: str, **options: Any) -> requests.Response:
        """Any request, judged by the caller; the target is sent as it stands."""
        if method not in ("GET", "HEAD"):
            options.setdefault("headers", {}).setdefault("Content-Type", "application/json")
        request = requests.Request(method, self.url, **options).prepare()
        request.url = self.url + target
        return self._session.send(request, timeout=600)

    def survives(self, check: Check, response: requests.Response, what: str) -> None:
        """Whatever was asked, the answer is one of the specification's, errors in its shape."""
        check.true(
            response.status_code in STATUSES, f"the status of {what} is {response.status_code}"
        )
        check.true(response.status_code != 500, f"{what} broke the relay: {response.text[:300]}")
        if response.status_code >= 400:
            self._judge(check, response, ERROR, what)

    @staticmethod
    def _judge(
        check: Check, response: requests.Response, schema: dict[str, Any], what: str
    ) -> None:
        check.equal(response.headers.get("Content-Type"), "application/json", f"type of {what}")
        try:
            answer = response.json()
        except ValueError:
            check.true(False, f"{what} is not JSON: {response.text[:300]}")
            return
        found = violations(answer, schema)
        check.true(not found, f"{what} differs from the schema: {found}")
