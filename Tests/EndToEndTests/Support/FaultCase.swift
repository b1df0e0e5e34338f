import DexStore
import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

/// A command that moves money, as the faults meet it.
enum FaultCommand: String, CaseIterable, Sendable {
    case marketBuy = "market-buy"
    case placeLimit = "place-limit"
    case cancel
    case send
    /// At the swap API, which then is the second server.
    case swap = "market-sell"

    /// - Parameter order: what is to be cancelled.
    func words(order: String) -> [String] {
        switch self {
        case .marketBuy: ["market-buy", "--via", "book", "ZRX/WETH", "0.1"]
        case .placeLimit: ["place-limit", "sell", "ZRX/WETH", "1", "--price", "0.01"]
        case .cancel: ["cancel", order]
        case .send: ["send", "ZRX", "1", "0x00000000000000000000000000000000DeaDBeef"]
        case .swap: ["market-sell", "ZRX/WETH", "1", "--via", "swap"]
        }
    }

    /// The approvals that its trader has sent before.
    var approvals: Int { self == .swap ? 3 : 2 }

    /// The server besides the node.
    var server: String { self == .swap ? "swap" : "relay" }
}

/// One fault at one request of one command.
struct FaultCase: Sendable, CustomStringConvertible {
    let command: FaultCommand
    /// It is one of the relay or the swap API, and not of the node.
    let isOfRelay: Bool
    /// The request, counted from 0.
    let step: Int
    let kind: FaultKind
    /// Every further request to the server fails too.
    let lasts: Bool
    /// The server does what it is asked, and only its answer fails.
    let isCarriedOut: Bool

    var description: String {
        "\(command.rawValue), \(isOfRelay ? command.server : "node"), request \(step + 1): "
            + "\(kind.rawValue)\(lasts ? " for good" : " once")"
            + (isCarriedOut ? ", carried out" : "")
    }

    /// It changes something at the server.
    static func isWrite(_ request: ScriptedRequest) -> Bool {
        request.method == "POST" && request.target.hasSuffix("/order")
            || request.methods.contains("eth_sendRawTransaction")
    }

    /// What becomes of a request to the server that fails.
    func decide(_ request: ScriptedRequest, _ number: Int) -> Interposer.Decision {
        guard lasts ? number >= step : number == step else { return .pass }
        let isWrite = Self.isWrite(request)
        if kind == .dies, !(isWrite && isCarriedOut) { return .die }
        let kind = kind
        if isWrite ? isCarriedOut : kind.needsGenuine {
            return .replace { kind.serve($0, request, genuine: $1) }
        }
        return .take { kind.serve($0, request, genuine: nil) }
    }
}

/// What a run under a fault left behind.
struct FaultRun: Sendable {
    let run: DexBinary.Run
    let json: JSONValue
    /// Distinct transactions and orders that left the command.
    let transactions: Set<String>
    let orders: Set<String>
    /// Everything that the journal has.
    let journal: [JournalTransaction]
    /// On chain, and in the pool.
    let mined: Int
    let waiting: Int
    /// On the relay.
    let posted: Int

    var exit: Int32 { run.status }
    var code: String { json["error"]?["code"]?.stringValue ?? "" }
}

/// Runs commands of one trader, in a home of its own, with and without faults.
struct FaultBench: Sendable {
    let sandbox: TestSandbox
    let trader: FaultTrader
    /// What the trader has on the relay from the start.
    let hasOrder: Bool
    private let order: String
    private let dex: DexBinary

    /// - Parameter order: posts one for the trader to begin with.
    init(sandbox: TestSandbox, trader: FaultTrader, order: Bool) throws {
        self.sandbox = sandbox
        self.trader = trader
        hasOrder = order
        self.order = order ? try sandbox.postOrder(of: trader).hex : ""
        dex = try DexBinary()
    }

    /// Runs a command once.
    ///
    /// - Parameter fault: nil lets everything through.
    func run(
        _ command: FaultCommand,
        under fault: FaultCase? = nil
    ) async throws -> (FaultRun, node: [ScriptedRequest], relay: [ScriptedRequest]) {
        let node = try Interposer(before: sandbox.rpc) { request, number in
            guard let fault, !fault.isOfRelay else { return .pass }
            return fault.decide(request, number)
        }
        let isSwap = command == .swap
        let relay = try Interposer(before: isSwap ? sandbox.swap : sandbox.relay) {
            request,
            number in
            guard let fault, fault.isOfRelay else { return .pass }
            return fault.decide(request, number)
        }
        // What lasts need not be waited for; what happens once must not use the time up.
        try dex.write(
            config: "[trade]\nreceipt_timeout = \(fault?.lasts == true ? 1 : 120)\n"
                + (isSwap ? "[networks.sandbox.swap]\napi = \"\(relay.url)\"\n" : "")
        )
        // Of a server that hangs nothing is to be waited for, and the other one has to answer in time.
        let run = try await dex.run(
            command.words(order: order) + [
                "--yes", "--json", "--network", "sandbox", "--rpc", node.url, "--relay",
                isSwap ? sandbox.relay : "\(relay.url)/v0", "--timeout",
                fault?.kind == .hangs ? "8" : "600",
            ],
            environment: ["DEX_PRIVATE_KEY": trader.key]
        )
        let sent = try sandbox.sent(by: trader, after: command.approvals)
        let outcome = FaultRun(
            run: run,
            json: try run.json(),
            transactions: Self.transactions(in: node.requests),
            orders: Set(
                relay.requests.filter { $0.method == "POST" && $0.target.hasSuffix("/order") }
                    .map { String(decoding: $0.body, as: UTF8.self) }
            ),
            journal: try journal(),
            mined: sent.mined,
            waiting: sent.waiting,
            posted: try sandbox.orders(of: trader)
        )
        return (outcome, node.requests, relay.requests)
    }

    /// `dex status HASH` straight at the sandbox.
    func status(_ hash: String) async throws -> DexBinary.Run {
        try await dex.run(
            [
                "status", hash, "--wait", "--json", "--network", "sandbox", "--rpc", sandbox.rpc,
                "--relay", sandbox.relay,
            ]
        )
    }

    /// The hashes of the transactions that were handed to the node.
    static func transactions(in requests: [ScriptedRequest]) -> Set<String> {
        var hashes: Set<String> = []
        for request in requests {
            guard let json = try? JSONParser.parse(request.body) else { continue }
            for call in json.arrayValue ?? [json]
            where call["method"]?.stringValue == "eth_sendRawTransaction" {
                guard let text = call["params"]?.arrayValue?.first?.stringValue,
                    let raw = try? Hex.decode(text)
                else { continue }
                hashes.insert(TransactionHash(Keccak256.hash(raw)).hex)
            }
        }
        return hashes
    }

    private func journal() throws -> [JournalTransaction] {
        let file = dex.home.appending(path: "sandbox/journal.sqlite")
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        return try Journal(path: file.path)
            .transactions(chainID: 1337, sender: trader.address, limit: 100)
    }
}
