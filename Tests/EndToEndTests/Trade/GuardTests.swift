import DexStore
import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Synchronization
import Testing

@testable import EndToEndTestSupport

/// What the built `dex guard` does, also when it is killed.
@Suite("Guards, end to end")
struct GuardTests {
    /// A sale at a price that the sandbox's market pays from the start.
    private static let words = [
        "guard", "add", "sell", "ZRX/WETH", "1", "--above", "0.0001", "--allow-immediate",
    ]
    private static let exchange = "0x12459c951127e0c374ff9105dda097662a027093"

    /// When a run of guards is killed.
    enum Moment: Hashable, Sendable, CustomStringConvertible {
        /// At a request after the guard was taken in the journal, counted from 0.
        case taken(Int)
        /// At the broadcast, before the node gets it.
        case unsent
        /// At the broadcast, once the node has it.
        case sent

        var description: String {
            switch self {
            case .taken(let number): "request \(number + 1) after it fires"
            case .unsent: "before the broadcast"
            case .sent: "after the broadcast"
            }
        }

        static let all: [Moment] =
            KillSettings.process.isComplete
            ? (0..<8).map { .taken($0) } + [.unsent, .sent] : [.taken(0), .unsent, .sent]
    }

    private func json(_ dex: DexBinary, _ words: [String], status: Int32 = 0) async throws
        -> JSONValue
    {
        let run = try await dex.run(words + ["--json"])
        try #require(run.status == status, "\(words) \(run.stdout) \(run.stderr)")
        return try run.json()
    }

    private func state(_ dex: DexBinary) async throws -> String {
        let list = try await json(dex, ["guard", "list"])["data"]?["guards"]?.arrayValue
        return list?.first?["state"]?.stringValue ?? "none"
    }

    private func balance(_ dex: DexBinary) async throws -> String {
        let data = try await json(dex, ["balance", "ZRX"])["data"]
        let rows = try #require(data?["balances"]?.arrayValue)
        let row = try #require(rows.first { $0["token"]?["symbol"] == "ZRX" })
        return try #require(row["balance"]?["value"]?.stringValue)
    }

    /// More looks than a run needs, which fires in the second block.
    private static let maximumLooks = 300

    /// The node, with a new block for each look at the latest one.
    ///
    /// A run whose guard never fires would look for ever: one look too many kills it.
    private func mining(
        _ sandbox: TestSandbox,
        _ dex: DexBinary,
        _ decide: @escaping @Sendable (ScriptedRequest) -> Interposer.Decision? = { _ in nil }
    ) throws -> Interposer {
        let looks = Mutex(0)
        return try Interposer(before: sandbox.rpc) { request, _ in
            if let decision = decide(request) { return decision }
            guard request.methods == ["eth_chainId", "eth_getBlockByNumber"] else { return .pass }
            let count = looks.withLock { count in
                count += 1
                return count
            }
            if count == Self.maximumLooks {
                Issue.record("no guard has fired in \(Self.maximumLooks) looks")
                do { try dex.kill() } catch { Issue.record(error) }
            }
            // If it fails, nothing fires, and the test fails.
            _ = try? sandbox.call("evm_mine")
            return .pass
        }
    }

    @Test("a guard is planned, added, run, fires once, and is listed as fired")
    func story() async throws {
        let dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
        try await dex.withSandbox { sandbox in
            let planned = try await json(dex, Self.words, status: 25)
            #expect(planned["data"]?["plan"]?["worstPrice"] == "0.000099009901")
            #expect(try await state(dex) == "none")
            let added = try await json(dex, Self.words + ["--yes"])
            #expect(added["data"]?["state"] == "waiting")
            let before = try await balance(dex)
            let node = try mining(sandbox, dex)
            let run = try await dex.run("guard run --json --rpc \(node.url)")
            #expect(run.status == 0, "\(run.stdout) \(run.stderr)")
            let lines = try run.stdout.split(separator: "\n").map {
                try JSONParser.parse(text: String($0))
            }
            #expect(
                lines.map { $0["data"]?["event"]?.stringValue ?? "" }
                    == ["begun", "reached", "firing", "fired"]
            )
            #expect(try await state(dex) == "ended")
            #expect(try await balance(dex) != before)
            let none = try await json(dex, ["guard", "run"], status: 6)
            #expect(none["error"]?["code"] == "no-guards")
            #expect(try await json(dex, ["resume"])["data"]?["items"]?.arrayValue?.isEmpty == true)
            _ = try await json(dex, ["guard", "remove", "1"])
            let gone = try await json(dex, ["guard", "remove", "1"], status: 2)
            #expect(gone["error"]?["code"] == "no-such-guard")
        }
    }

    @Test("rules that cannot be read are told before a password is asked for")
    func unreadable() async throws {
        let home = try WalletHome()
        _ = try await home.importKey()
        try home.dex.write(config: "network = \"sandbox\"\n")
        _ = try home.file("policy.toml", "networks = [")
        try await home.dex.withSandbox { _ in
            let added = try await json(
                home.dex,
                Self.words + ["--allow-unfunded", "--wallet", "main", "--yes"],
                status: 3
            )
            #expect(added["error"]?["code"] == "bad-policy")
        }
    }

    @Test(
        "a killed run fires a guard at most once, and says what became of it",
        arguments: Moment.all
    )
    func killed(moment: Moment) async throws {
        let dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
        try await dex.withSandbox { sandbox in
            // So that the first broadcast is that of the order.
            _ = try await json(dex, ["allowance", "set", "ZRX", "1", "--yes"])
            _ = try await json(dex, Self.words + ["--yes"])
            let before = try await balance(dex)
            let path = dex.home.appending(path: "sandbox/journal.sqlite").path
            let later = Mutex(0)
            // One of its own: the cases run beside each other, and each is watched for hanging.
            let mark = UUID().uuidString
            let kill: @Sendable () -> Void = {
                do { #expect(try dex.kill(with: "\(HangWatch.variable)=\(mark)") <= 1) } catch {
                    Issue.record(error)
                }
            }
            let node = try mining(sandbox, dex) { request in
                switch moment {
                case .unsent where request.methods.contains("eth_sendRawTransaction"):
                    return .take { _ in kill() }
                case .sent where request.methods.contains("eth_sendRawTransaction"):
                    return .replace { _, _ in kill() }
                case .taken(let number):
                    guard Self.isTaken(path) else { return nil }
                    let count = later.withLock { count in
                        count += 1
                        return count - 1
                    }
                    return count == number ? .take { _ in kill() } : nil
                case .unsent, .sent: return nil
                }
            }
            _ = try await dex.run(
                ["guard", "run", "--json", "--rpc", node.url],
                environment: [HangWatch.variable: mark]
            )
            let left = try await state(dex)
            var mayEnd = false
            if case .taken = moment { mayEnd = true }
            #expect(left == "interrupted" || (mayEnd && left == "ended"), "\(left)")
            // It never fires again by itself.
            let again = try await json(dex, ["guard", "run"], status: 6)
            #expect(again["error"]?["code"] == "no-guards")
            let resumed = try await dex.run("resume --yes --json")
            #expect(resumed.status == 0, "\(resumed.stdout) \(resumed.stderr)")
            let isDone = try await balance(dex) != before
            switch moment {
            case .unsent, .sent: #expect(isDone)
            case .taken(0): #expect(!isDone)
            case .taken: break
            }
            let once = try await json(dex, ["guard", "run"], status: 6)
            #expect(once["error"]?["code"] == "no-guards")
            #expect(try await state(dex) != "waiting")
            let sent = try await json(dex, ["tx", "list"])["data"]?["transactions"]?.arrayValue
            let fills = sent?.filter { $0["purpose"] == "fill" } ?? []
            #expect(fills.count == (isDone ? 1 : fills.count) && fills.count <= 1)
        }
    }

    /// The guard has an intent in the journal.
    private static func isTaken(_ path: String) -> Bool {
        // unreadable: the process is just writing
        let guards = try? Journal(path: path).guards(
            chainID: 1337,
            exchange: Address(lenient: exchange)
        )
        return guards?.first?.intent != nil
    }
}
