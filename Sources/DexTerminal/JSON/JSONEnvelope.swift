package import DexCore
package import StrictJSON

/// The one object that `--json` prints; its shape is a promise to scripts (docs/output.md).
package struct JSONEnvelope: Sendable {
    /// The name and version of the shape.
    package static let schema = "dex/2"

    package enum Status: String, Sendable {
        case ok
        case error
        case plan
        case dryRun = "dry-run"
    }

    package var command: String
    package var status: Status
    package var exit: ExitCode
    package var data: JSONValue
    package var warnings: [String]
    package var error: DexError?
    /// The state that was read last is old; nil if it is fresh, or none was read.
    package var stale: StaleChain?
    /// What is proven of a plan that is not signed, or of a signed order; nil without either, or where
    /// no proofs are asked for.
    package var proof: StateProof?

    package init(
        command: String,
        status: Status,
        exit: ExitCode,
        data: JSONValue = [:],
        warnings: [String] = [],
        error: DexError? = nil
    ) {
        self.command = command
        self.status = status
        self.exit = exit
        self.data = data
        self.warnings = warnings
        self.error = error
    }

    /// The envelope of a failure; its data has the transactions sent before.
    package init(command: String, error: DexError, warnings: [String] = []) {
        self.init(
            command: command,
            status: .error,
            exit: error.exit,
            data: TradeJSON.sent(error.sent),
            warnings: warnings,
            error: error
        )
    }

    /// The envelope as JSON; `error` is null without one.
    package var json: JSONValue {
        guard stale != nil || proof != nil, var members = whole.objectValue else { return whole }
        if let stale {
            members["stale"] = [
                "block": JSONFormat.integer(stale.block),
                "age": JSONFormat.integer(stale.age),
                "limit": JSONFormat.integer(stale.limit),
            ]
        }
        if let proof { members["proof"] = ChangesJSON.proof(proof) }
        return .object(members)
    }

    private var whole: JSONValue {
        [
            "schema": .string(Self.schema),
            "command": .string(command),
            "status": .string(status.rawValue),
            "exitCode": .integer(exit.rawValue),
            "data": data,
            "warnings": .array(warnings.map { .string(TerminalText.cleanLines($0)) }),
            "error": error.map(Self.json) ?? .null,
        ]
    }

    static func json(_ error: DexError) -> JSONValue {
        [
            "code": .string(error.code),
            "message": .string(TerminalText.cleanLines(error.message)),
            "hint": .string(TerminalText.cleanLines(error.hint ?? "")),
            "retryable": .bool(error.retryable),
        ]
    }
}
