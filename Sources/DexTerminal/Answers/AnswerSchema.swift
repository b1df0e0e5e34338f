import DexCore
package import StrictJSON

/// The JSON Schema of all that a command prints with `--json`: one object, or one a line.
package struct AnswerSchema: Sendable {
    /// As in `command`: `tx list`.
    package let command: String
    /// One sentence.
    package let summary: String
    package let answer: Answer

    package init(command: String, summary: String, answer: Answer) {
        self.command = command
        self.summary = summary
        self.answer = answer
    }

    /// Draft 2020-12; refers to nothing outside of itself.
    package var document: JSONValue {
        var document = JSONObject()
        document["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        document["title"] = .string("dex \(command)")
        document["description"] = .string(summary)
        for member in envelope.members { document[member.key] = member.value }
        document["$defs"] = definitions
        return .object(document)
    }

    private var envelope: JSONObject {
        var object =
            Shape.object([
                .init(
                    "schema",
                    .constant(.string(JSONEnvelope.schema)),
                    "The version of all answers"
                ),
                .init("command", .text, "The command; of a usage error its first word"),
                .init("status", .words(JSONEnvelope.Status.all), "How it ended"),
                .init("exitCode", .count, "The exit code of the process"),
                .init("data", .any, "The answer"),
                .init("warnings", .list(.text), "Sentences"),
                .init("error", Self.error.orNull, "What went wrong, or null"),
                .init(
                    "stale",
                    Self.stale,
                    "Only where the state that was read last is old",
                    isOptional: true
                ),
                .init(
                    "proof",
                    Self.proof,
                    "Only of a plan or a signed order, with proofs: what is proven of its state",
                    isOptional: true
                ),
            ]).schema.objectValue ?? JSONObject()
        object["oneOf"] = .array(
            [
                end(.ok, [.done]), end(.plan, [.planOnly]), end(.dryRun, [.dryRun]),
                failure,
            ]
        )
        return object
    }

    /// A command that did, or would do, what it was asked for.
    private func end(_ status: JSONEnvelope.Status, _ codes: [ExitCode]) -> JSONValue {
        Self.properties([
            "status": .constant(.string(status.rawValue)),
            "command": .constant(.string(command)),
            "exitCode": .either(codes.map { .constant(.integer($0.rawValue)) }),
            "data": answer.data, "error": .constant(.null),
        ])
    }

    /// A failure has no data, the transactions before it, or the whole answer.
    private var failure: JSONValue {
        Self.properties([
            "status": .constant(.string(JSONEnvelope.Status.error.rawValue)),
            "exitCode": .either(ExitCode.failures.map { .constant(.integer($0.rawValue)) }),
            "data": .either([.object([]), .object([TradeAnswer.transactions]), answer.data]),
            "error": Self.error,
        ])
    }

    private static func properties(_ shapes: KeyValuePairs<String, Shape>) -> JSONValue {
        var object = JSONObject()
        for (name, shape) in shapes { object[name] = shape.schema }
        return ["properties": .object(object)]
    }

    private var definitions: JSONValue {
        let used = Shape.either([
            answer.data, TradeAnswer.transactions.shape, Self.error, Self.stale, Self.proof,
        ]).definitions
        var object = JSONObject()
        for name in used.keys.sorted() {
            guard let named = used[name] else { continue }
            var schema = named.shape.schema.objectValue ?? JSONObject()
            schema["description"] = .string(named.about)
            object[name] = .object(schema)
        }
        return .object(object)
    }

    package static let error = Shape.named(
        .init(
            "error",
            "Why a command failed",
            .object([
                .init("code", .pattern("[a-z][a-zA-Z0-9_-]*"), "A stable word"),
                .init("message", .text, "A sentence"),
                .init("hint", .text, "What mends it; may be empty"),
                .init("retryable", .bool, "The same command may succeed later"),
            ])
        )
    )

    package static let proof = ChangesJSON.proof.shape

    package static let stale = Shape.named(
        .init(
            "stale",
            "How old the state is that was read last",
            .object([
                .init("block", .integer, "The latest block"),
                .init("age", .integer, "Its age in seconds"),
                .init("limit", .integer, "How old it may be"),
            ])
        )
    )
}

extension JSONEnvelope.Status {
    static let all = [Self.ok, .error, .plan, .dryRun].map(\.rawValue)
}

extension ExitCode {
    /// Those that an envelope can have: one that is lost with the result has none.
    fileprivate static let failures = allCases.filter {
        ![.done, .planOnly, .dryRun, .resultLost].contains($0)
    }
}
