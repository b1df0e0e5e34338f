import DexTestSupport
import Ethereum
import StrictJSON
import Testing

extension DexBinary {
    /// Runs with `--json` and checks the envelope.
    ///
    /// - Parameters:
    ///   - line: the command line, split at spaces.
    ///   - code: of the error that there has to be; nil where there must be none.
    /// - Returns: its `data`.
    func data(
        _ line: String...,
        exit: Int32 = 0,
        status: String = "ok",
        code: String? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        try await data(
            arguments: Self.words(line),
            exit: exit,
            status: status,
            code: code,
            location: location
        )
    }

    /// The same with the arguments in an array, as they are.
    func data(
        arguments: [String],
        exit: Int32 = 0,
        status: String = "ok",
        code: String? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let run = try await run(arguments + ["--json"])
        #expect(
            run.status == exit,
            "\(arguments): \(run.stderr) \(run.stdout)",
            sourceLocation: location
        )
        let envelope = try run.json()
        #expect(envelope["schema"] == "dex/2", sourceLocation: location)
        #expect(envelope["status"]?.stringValue == status, sourceLocation: location)
        #expect(envelope["exitCode"] == .integer(exit), sourceLocation: location)
        #expect(envelope["error"]?.isNull == (status != "error"), sourceLocation: location)
        #expect(envelope["error"]?["code"]?.stringValue == code, sourceLocation: location)
        #expect(run.stdout.utf8.filter { $0 == 10 }.count == 1, sourceLocation: location)
        return try #require(envelope["data"], sourceLocation: location)
    }

    /// What an account has of a token, as its amount in JSON.
    func balance(_ symbol: String, of account: String) async throws -> JSONValue {
        let rows = try await data("balance", symbol, "--wallet", account)["balances"]?.arrayValue
        let row = rows?.first { $0["token"]?["symbol"]?.stringValue == symbol }
        return try #require(row?["balance"])
    }
}

extension JSONValue {
    /// An amount's base units.
    func units() throws -> UInt256 {
        try #require(self["raw"]?.stringValue.flatMap { UInt256(decimal: $0) })
    }
}
