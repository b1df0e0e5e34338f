import DexTestSupport
import Foundation
import GRDB
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// What goes wrong after a plan is confirmed reaches whoever listens, in every mode.
@Suite("Warnings after the confirmation")
struct LateWarningTests {
    private static let words = "could not be written to the journal"

    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private func send(_ flags: [String] = []) async throws -> DexBinary.Run {
        try await dex.run(
            ["send", "ETH", "0.1", "carol", "--wallet", "bob", "--yes", "--despite-pending"] + flags
        )
    }

    @Test(
        "an outcome that the journal does not take: on stderr and in the JSON, whatever the flags"
    )
    func journal() async throws {
        try await dex.withSandbox { _ in
            #expect(try await send().status == 0)
            let file = dex.home.appending(path: "sandbox/journal.sqlite")
            try await DatabaseQueue(path: file.path).write { database in
                try database.execute(
                    sql: """
                        CREATE TRIGGER broken BEFORE INSERT ON receipts
                        BEGIN SELECT RAISE(ABORT, 'the file is broken'); END
                        """
                )
            }
            for flags in [["--json"], ["--json", "-q"], ["-q"], []] {
                let run = try await send(flags)
                #expect(run.status == 0, "\(flags): \(run.stderr)")
                let count = run.stderr.components(separatedBy: Self.words).count - 1
                #expect(count == 1, "\(flags): \(run.stderr)")
                #expect(run.stderr.contains("the file is broken"), "\(flags)")
                guard flags.contains("--json") else { continue }
                let warnings = try run.json()["warnings"]?.arrayValue?.compactMap(\.stringValue)
                #expect(
                    warnings?.filter { $0.contains(Self.words) }.count == 1,
                    "\(flags): \(run.stdout)"
                )
            }
            // They are mined, and the next command asks the chain about them.
            let resume = try await dex.run("resume --yes --json")
            let items = try resume.json()["data"]?["items"]?.arrayValue
            #expect(items?.isEmpty == false, "\(resume.stdout)")
        }
    }

    @Test("the same where the command ends with an error, and where it changes a step only")
    func failures() async throws {
        try await dex.withSandbox { sandbox in
            #expect(try await send().status == 0)
            let file = dex.home.appending(path: "sandbox/journal.sqlite")
            try await DatabaseQueue(path: file.path).write { database in
                try database.execute(
                    sql: """
                        CREATE TRIGGER broken BEFORE UPDATE ON transactions
                        WHEN NEW.status = 'sent'
                        BEGIN SELECT RAISE(ABORT, 'the file is broken'); END
                        """
                )
            }
            let run = try await send(["--json", "-q"])
            #expect(run.status == 0, "\(run.stderr)")
            #expect(run.stderr.contains(Self.words))
            let warnings = try run.json()["warnings"]?.arrayValue?.compactMap(\.stringValue)
            #expect(warnings?.contains { $0.contains(Self.words) } == true, "\(run.stdout)")
        }
    }

    @Test("what an outcome found: on stderr and in the JSON, once each, whatever the flags")
    func outcome() async throws {
        try await dex.withSandbox { sandbox in
            let words = "does not give it back by its hash yet"
            // It takes the order, and does not have it.
            let relay = try Interposer(before: sandbox.relay) { request, _ in
                guard request.method == "GET", request.target.contains("/order/0x") else {
                    return .pass
                }
                return .take { $0.write(ScriptedAnswer("404 Not Found", body: "{}").bytes) }
            }
            let path = try #require(URL(string: sandbox.relay)?.path)
            for (index, flags) in [["--json"], ["--json", "-q"], ["-q"], []].enumerated() {
                let run = try await dex.run(
                    [
                        "place-limit", "sell", "ZRX/WETH", "\(index + 1)", "--price", "0.01",
                        "--wallet", "bob", "--yes", "--despite-pending", "--relay",
                        relay.url + path,
                    ] + flags
                )
                // Nothing is known of it: its error stands beside it.
                #expect(run.status == 4, "\(flags): \(run.stdout) \(run.stderr)")
                let count = run.stderr.components(separatedBy: words).count - 1
                #expect(count == 1, "\(flags): \(run.stderr)")
                guard flags.contains("--json") else { continue }
                let warnings = try run.json()["warnings"]?.arrayValue?.compactMap(\.stringValue)
                #expect(warnings?.filter { $0.contains(words) }.count == 1, "\(run.stdout)")
            }
        }
    }
}
