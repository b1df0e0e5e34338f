import DexSandbox
import DexStore
import DexTestSupport
import Ethereum
import Foundation
import SandboxHost
import StrictJSON
import Testing
import ZeroEx

/// Commands of one account in a home of its own, which are broken off and repeated; what they did
/// is read from the sandbox, not from what they say.
struct KillBench: Sendable {
    /// What a run left behind.
    struct Run: Sendable, CustomStringConvertible {
        let run: DexBinary.Run
        /// The whole answer; nil where it was killed before it gave one.
        let json: JSONValue?
        /// The transactions that left, by hash.
        let transactions: Set<String>
        /// How many requests it made of each server.
        let node: Int
        let relay: Int

        var exit: Int32 { run.status }
        var code: String { json?["error"]?["code"]?.stringValue ?? "" }
        var description: String { "exit \(exit) \(run.stdout) \(run.stderr)" }
    }

    /// What is so, by chain and relay.
    struct Truth: Sendable {
        /// How many purchases of a tenth of a ZRX.
        let fills: UInt256
        let mined: UInt64
        /// Mined, and in the pool without a gap.
        let pending: UInt64
        let orders: Int
        let allowance: UInt256
        /// Of the order that is to be cancelled; nothing where there is none.
        let cancelled: UInt256
        /// Orders in the journal of an account that replaces one; zero for the others.
        let recorded: Int
    }

    let sandbox: TestSandbox
    let trader: FaultTrader
    let command: KillCommand
    let dex: DexBinary
    private let order: OrderHash?
    /// Transactions before the first command.
    private let start: UInt64

    init(sandbox: TestSandbox, trader: FaultTrader, command: KillCommand) throws {
        self.sandbox = sandbox
        self.trader = trader
        self.command = command
        order = command.needsOrder ? try sandbox.postOrder(of: trader) : nil
        start = command.isApproved ? 2 : 0
        dex = try DexBinary()
        try dex.write(config: Self.config)
    }

    private static let config = "[trade]\nreceipt_timeout = 60\n"

    // MARK: Runs

    /// Runs the command.
    ///
    /// - Parameters:
    ///   - broken: where it is broken off; nil lets it end.
    ///   - seconds: kills it after so many seconds.
    ///   - environment: what it gets besides the key.
    func run(
        _ broken: KillCase? = nil,
        killedAfter seconds: String? = nil,
        environment: [String: String] = [:],
        with options: [String] = []
    ) async throws -> Run {
        try await run(
            command.words(order: order?.hex ?? "") + options,
            broken,
            killedAfter: seconds,
            environment: environment
        )
    }

    /// Runs the command with a standard output that takes nothing: its disk is full.
    func runUnheard() async throws -> DexBinary.Run {
        try await dex.run(
            command.words(order: order?.hex ?? "") + [
                "--yes", "--json", "--network", "sandbox", "--rpc", sandbox.rpc, "--relay",
                sandbox.relay,
            ],
            environment: ["DEX_PRIVATE_KEY": trader.key],
            under: ["/bin/sh", "-c", #"exec "$0" "$@" > /dev/full"#],
            program: DexBinary.executable.path
        )
    }

    /// Another command of the account, which nothing breaks off.
    func run(_ words: [String]) async throws -> Run {
        try await run(words, nil, killedAfter: nil, environment: [:])
    }

    private func run(
        _ words: [String],
        _ broken: KillCase?,
        killedAfter seconds: String?,
        environment: [String: String]
    ) async throws -> Run {
        let dex = dex
        // Others may run in the same home.
        let mark = (HangWatch.variable, UUID().uuidString)
        let kill: @Sendable () -> Void = {
            do {
                let count = try dex.kill(with: "\(mark.0)=\(mark.1)")
                // After its last answer it may have ended before.
                #expect(count <= 1)
            } catch {
                Issue.record(error)
            }
        }
        let node = try Interposer(before: sandbox.rpc) { _, number in
            guard let broken, !broken.isOfRelay else { return .pass }
            return broken.decide(number, kill: kill)
        }
        let isSwap = command == .firstSwap
        let relay = try Interposer(before: isSwap ? sandbox.swap : sandbox.relay) { _, number in
            guard let broken, broken.isOfRelay else { return .pass }
            return broken.decide(number, kill: kill)
        }
        if isSwap {
            try dex.write(config: "\(Self.config)[networks.sandbox.swap]\napi = \"\(relay.url)\"\n")
        }
        let run = try await dex.run(
            words + [
                "--yes", "--json", "--network", "sandbox", "--rpc", node.url, "--relay",
                isSwap ? sandbox.relay : "\(relay.url)/v0", "--timeout", "600",
            ],
            environment: ["DEX_PRIVATE_KEY": trader.key, mark.0: mark.1]
                .merging(environment) { $1 },
            under: seconds.map { ["/usr/bin/timeout", "--signal=KILL", $0] } ?? [],
            program: DexBinary.executable.path
        )
        return Run(
            run: run,
            json: try? JSONParser.parse(text: run.stdout),
            transactions: FaultBench.transactions(in: node.requests),
            node: node.requests.count,
            relay: relay.requests.count
        )
    }

    // MARK: What is so

    func truth() throws -> Truth {
        let account = "\"\(trader.address.checksummed)\""
        let zrx = FaultTrader.zrx
        let spender = SandboxTokens.contracts.transferContract
        let answers = try sandbox.batch([
            ("eth_getTransactionCount", "\(account),\"latest\""),
            ("eth_getTransactionCount", "\(account),\"pending\""),
            ("eth_call", Self.call(zrx, ERC20.balanceOf(trader.address))),
            (
                "eth_call",
                Self.call(zrx, ERC20.allowance(owner: trader.address, spender: spender))
            ),
            (
                "eth_call",
                Self.call(
                    SandboxTokens.contracts.exchange,
                    ERC20.call("cancelled(bytes32)", order?.word ?? .zero)
                )
            ),
        ]).map { try #require($0.stringValue) }
        let counts = try answers[..<2].map {
            try #require(UInt64($0.dropFirst(2), radix: 16)) - start
        }
        let balance = UInt256(try Bytes32(hex: answers[2]))
        let unit = UInt256(100_000_000_000_000_000)
        #expect(balance >= 50 * unit || !command.buys)
        return Truth(
            fills: balance > 50 * unit ? (balance - 50 * unit) / unit : 0,
            mined: counts[0],
            pending: counts[1],
            orders: try sandbox.orders(of: trader),
            allowance: UInt256(try Bytes32(hex: answers[3])),
            cancelled: UInt256(try Bytes32(hex: answers[4])),
            recorded: command == .replace ? try ownOrders() : 0
        )
    }

    private static func call(_ to: Address, _ data: [UInt8]) -> String {
        #"{"to":"\#(to.checksummed)","data":"\#(Hex.encode(data))"},"latest""#
    }

    /// Whether what the command is for is done.
    func isDone(_ truth: Truth) -> Bool {
        switch command {
        case .firstBuy, .marketBuy, .firstSwap: truth.fills == 1
        case .placeLimit: truth.orders == 1
        case .approve: truth.allowance == 7_000_000_000_000_000_000
        case .cancel: truth.cancelled > .zero
        case .replace: truth.cancelled > .zero && truth.recorded == 1
        }
    }

    /// All that the journal has.
    func journal() throws -> [JournalTransaction] {
        try opened().transactions(chainID: 1337, sender: trader.address, limit: 100)
    }

    /// What the journal calls unfinished.
    func unfinished() throws -> JournalUnfinished {
        try opened().unfinished(chainID: 1337)
    }

    /// How many orders of the account the journal has.
    func ownOrders() throws -> Int {
        try opened().orders(
            chainID: 1337,
            exchange: SandboxTokens.contracts.exchange,
            maker: trader.address
        ).count
    }

    private func opened() -> Journal {
        Journal(path: dex.home.appending(path: "sandbox/journal.sqlite").path)
    }
}
