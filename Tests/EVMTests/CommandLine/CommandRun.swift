import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

/// A run of `dex` whose envelope was checked.
struct CommandRun: Sendable {
    /// Who ran it; nil where there was no key.
    let account: Address?
    let data: JSONValue
    let error: JSONValue
    let warnings: [String]
    let stderr: String

    /// A transaction as `data` tells of it.
    struct Sent: Hashable, Sendable, CustomStringConvertible {
        let hash: String
        let succeeded: Bool
        let block: Int
        let gasUsed: Int128
        let cost: Int128

        var description: String {
            "\(hash.prefix(10)) \(succeeded ? "mined" : "reverted") in \(block): "
                + "\(gasUsed) gas, \(cost) wei"
        }
    }

    /// The base units of the amount at a path of `data`.
    func raw(_ path: String, location: SourceLocation = #_sourceLocation) throws -> Int128 {
        try data.raw(path, location: location)
    }

    /// The text at a path of `data`.
    func text(_ path: String, location: SourceLocation = #_sourceLocation) throws -> String {
        try data.text(path, location: location)
    }

    /// The purposes and ends of its transactions: `approve mined`.
    var transactions: [String] {
        (data.at("transactions").arrayValue ?? []).map {
            "\($0.at("purpose").stringValue ?? "?") \($0.at("status").stringValue ?? "?")"
        }
    }

    /// The orders of the outcome: status, and reason where there is one.
    var outcomes: [String] {
        (data.at("outcome.orders").arrayValue ?? []).map { order in
            let status = order.at("status").stringValue ?? "?"
            return order.at("reason").stringValue.map { "\(status): \($0)" } ?? status
        }
    }

    /// Those transactions that are in blocks, whichever way they ended.
    func minedTransactions() throws -> [Sent] {
        try (data.at("transactions").arrayValue ?? []).compactMap { transaction in
            let status = transaction.at("status")
            guard status == "mined" || status == "reverted" else { return nil }
            return Sent(
                hash: try transaction.text("hash"),
                succeeded: status == "mined",
                block: try #require(transaction.at("block").numberText.flatMap { Int($0) }),
                gasUsed: try #require(transaction.at("gasUsed").numberText.flatMap { Int128($0) }),
                cost: try transaction.raw("cost")
            )
        }
    }
}

extension CommandRun.Sent {
    init(_ mined: MinedTransaction) {
        self.init(
            hash: mined.hash,
            succeeded: mined.succeeded,
            block: mined.block,
            gasUsed: mined.gasUsed,
            cost: mined.cost
        )
    }
}

extension EVMStage {
    /// Takes all away that `dex` has kept of what it did.
    func forgetJournal() throws {
        let files = FileManager.default
        for file in try files.contentsOfDirectory(atPath: binary.home.path)
        where file.hasPrefix("journal.sqlite") {
            try files.removeItem(at: binary.home.appending(path: file))
        }
    }

    /// Runs `dex` with `--json --yes` as somebody, and checks exit code and envelope.
    ///
    /// - Parameters:
    ///   - line: the command line, split at spaces.
    ///   - exit: what the command has to end with.
    ///   - code: the code of its error, where it has to be a certain one.
    func dex(
        _ party: Party?,
        _ line: String...,
        input: String = "",
        exit: Int32 = 0,
        code: String? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws -> CommandRun {
        try await dex(
            party,
            arguments: DexBinary.words(line),
            input: input,
            exit: exit,
            code: code,
            location: location
        )
    }

    /// The same with the arguments in an array.
    func dex(
        _ party: Party?,
        arguments: [String],
        input: String = "",
        exit: Int32 = 0,
        code: String? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws -> CommandRun {
        let run = try await binary.run(
            // A call that py-evm runs is one answer of seconds, on a busy machine of minutes.
            arguments + ["--json", "--yes", "--timeout", "600"],
            environment: scene.environment.merging(
                party.map { ["DEX_PRIVATE_KEY": $0.secret] } ?? [:]
            ) { $1 },
            input: input
        )
        let words = "\(arguments.joined(separator: " ")): \(run.stderr) \(run.stdout)"
        let leftovers = hooks.leftovers()
        #expect(leftovers == [], "\(words)", sourceLocation: location)
        #expect(run.status == exit, "\(words)", sourceLocation: location)
        #expect(run.stdout.utf8.count { $0 == 10 } == 1, "\(words)", sourceLocation: location)
        let envelope = try run.json()
        let status = [0: "ok", 25: "plan", 30: "dry-run"][exit] ?? "error"
        let error = envelope.at("error")
        #expect(envelope.at("schema") == "dex/2", sourceLocation: location)
        let command = try envelope.text("command", location: location).split(separator: " ")
        #expect(arguments.starts(with: command.map(String.init)), sourceLocation: location)
        #expect(envelope.at("status") == .string(status), "\(words)", sourceLocation: location)
        #expect(envelope.at("exitCode") == .integer(run.status), sourceLocation: location)
        #expect(error.isNull == (status != "error"), "\(words)", sourceLocation: location)
        if status == "error" {
            let message = try error.text("message", location: location)
            #expect(message.hasSuffix("."), "\(message)", sourceLocation: location)
            #expect(!error.at("retryable").isNull, sourceLocation: location)
        }
        if let code {
            #expect(error.at("code") == .string(code), "\(words)", sourceLocation: location)
        }
        if let party {
            #expect(!words.contains(party.secret.dropFirst(2)), sourceLocation: location)
        }
        #expect(!words.contains(SwapScene.key), sourceLocation: location)
        return CommandRun(
            account: try party?.address,
            data: envelope.at("data"),
            error: error,
            warnings: try envelope.list("warnings").map { try $0.text("") },
            stderr: run.stderr
        )
    }
}
