import Ethereum
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A user who types lines; one more question than there are lines fails the test.
final class ScriptedDialog: SetupDialog {
    private struct State {
        var lines: [String]
        var questions: [SetupQuestion] = []
        var messages: [SetupMessage] = []
    }

    /// The line of a user who presses Ctrl-C.
    static let interrupt = "^C"
    /// The line of a user who presses Ctrl-D.
    static let end = "^D"

    private let state: Mutex<State>

    init(_ lines: [String]) {
        state = Mutex(State(lines: lines))
    }

    var questions: [SetupQuestion] { state.withLock { $0.questions } }
    var messages: [SetupMessage] { state.withLock { $0.messages } }
    /// Lines that were never asked for.
    var left: [String] { state.withLock { $0.lines } }

    /// The codes of the answers that were refused.
    var problems: [String] {
        messages.compactMap { if case .problem(let error) = $0 { error.code } else { nil } }
    }

    func show(_ message: SetupMessage) {
        state.withLock { $0.messages.append(message) }
    }

    func ask(_ question: SetupQuestion) throws -> String {
        let line = state.withLock { state in
            state.questions.append(question)
            return state.lines.isEmpty ? nil : state.lines.removeFirst()
        }
        switch try #require(line, "\(question) was not expected") {
        case Self.interrupt: throw CancellationError()
        case Self.end: throw DexError(.declined, code: "declined", message: "Declined.")
        case let line: return line
        }
    }
}

/// Wallets in memory.
final class FakeWallets: SetupWallets {
    private struct State {
        var known: [SetupWallet]
        var made: [String] = []
        var failures: [DexError] = []
    }

    private let state: Mutex<State>

    /// - Parameter failures: thrown by the next wallets that are made or brought in, one each.
    init(_ known: [SetupWallet] = [], failures: [DexError] = []) {
        state = Mutex(State(known: known, failures: failures))
    }

    /// What was made and brought in: `new main`, `key main from FILE`.
    var made: [String] { state.withLock { $0.made } }

    func known() -> [SetupWallet] { state.withLock { $0.known } }

    func existing(_ name: String) throws -> SetupWallet {
        guard let wallet = known().first(where: { $0.name == name }) else {
            throw DexError(.wallet, code: "unknown-wallet", message: "There is none.")
        }
        return wallet
    }

    func freeName(_ name: String?) throws -> String {
        guard let name else { return "wallet-\(known().count + 1)" }
        guard !known().contains(where: { $0.name == name }) else {
            throw DexError(.usage, code: "bad-name", message: "It is taken.")
        }
        return name
    }

    func make(_ name: String) throws -> SetupWallet { try add("new \(name)", name) }

    func bringIn(_ form: SetupWalletForm, file: String?, name: String) throws -> SetupWallet {
        try add("\(form.rawValue) \(name) from \(file ?? "-")", name)
    }

    private func add(_ what: String, _ name: String) throws -> SetupWallet {
        try state.withLock { state in
            if !state.failures.isEmpty { throw state.failures.removeFirst() }
            let wallet = SetupWallet(name: name, address: TestMarket.zrx)
            state.known.append(wallet)
            state.made.append(what)
            return wallet
        }
    }
}

/// Networks, and servers by their URLs.
struct SetupBench {
    static let good = "https://node.example/KEY"
    static let otherChain = "https://other-chain.example"
    static let garbage = "https://garbage.example"
    static let silent = "https://silent.example"
    static let account = "https://account.example"
    static let relay = "https://relay.example/v0"
    static let otherRelay = "https://other.example/v0"
    static let emptyRelay = "https://empty.example/v0"

    static let pair = RelayTokenPair(
        tokenA: .init(token: TestMarket.zrx, minimum: 5, maximum: nil, precision: nil),
        tokenB: .init(token: TestMarket.weth, minimum: nil, maximum: nil, precision: nil)
    )

    let networks: [Network]
    private let markets: [String: TestMarket]

    init(nodes: [String] = [], relay: String? = nil) throws {
        func network(_ name: String, _ change: (inout Network) -> Void = { _ in }) -> Network {
            var network = Network(
                name: name,
                chainID: 1337,
                rpc: [],
                relay: nil,
                protocolVersion: .v1,
                exchange: TestMarket.exchange,
                weth: TestMarket.weth
            )
            change(&network)
            return network
        }
        networks = [
            network("main") { network in
                network.rpc = nodes
                network.relay = relay
            },
            network("swaps") { network in
                network.exchange = .zero
                network.swap = SwapSettings(api: "https://swap.example")
            },
            network("sandbox") { $0.isSandbox = true },
        ]
        markets = [
            Self.good: try Self.market(),
            Self.otherChain: try Self.market { $0.chain.set { $0.chainID = 5 } },
            Self.garbage: try Self.market(failing: .nonsense("HTML")),
            Self.silent: try Self.market(failing: .unreachable(url: "u", reason: "no answer")),
            Self.account: try Self.market { market in
                market.chain.answer(TestMarket.exchange, Self.version, with: .success([]))
                market.chain.set { $0.code[TestMarket.exchange] = .success([]) }
            },
            Self.relay: try Self.market { $0.relay.set { $0.pairs = .success([Self.pair]) } },
            Self.otherRelay: try Self.market { market in
                market.relay.set { state in
                    state.pairs = .success([Self.pair])
                    state.fees = .failure(
                        .refused(status: 400, code: 100, reason: "another exchange", fields: [])
                    )
                }
            },
            Self.emptyRelay: try Self.market { $0.relay.set { $0.pairs = .success([]) } },
        ]
    }

    private static let version: [UInt8] = [0xff, 0xa1, 0xad, 0x74]

    private static func market(
        failing failure: ChainError? = nil,
        _ change: (TestMarket) -> Void = { _ in }
    ) throws -> TestMarket {
        let market = try TestMarket()
        let text = Array("1.0.0".utf8) + [UInt8](repeating: 0, count: 27)
        let answer = UInt256(32).bigEndianBytes + UInt256(5).bigEndianBytes + text
        market.chain.answer(TestMarket.exchange, version, with: .success(answer))
        let sample = NetworkProbe.sample(TestMarket.exchange)
        let call = try #require(market.protocolV1.hashCall(of: sample))
        market.chain.answer(
            call.to,
            call.data,
            with: .success(market.protocolV1.hash(of: sample).word.bytes)
        )
        market.relay.set { $0.fees = .success(.none) }
        if let failure { market.chain.set { $0.onRound = { _, _ in .failure(failure) } } }
        change(market)
        return market
    }

    /// - Parameter onSession: called before an address is tested.
    func tools(onSession: @escaping @Sendable () -> Void = {}) -> SetupModel.Tools {
        SetupModel.Tools(
            network: { [networks] name throws(DexError) in
                guard let network = networks.first(where: { $0.name == name }) else {
                    throw DexError(.configuration, code: "unknown-network", message: "None.")
                }
                return network
            },
            addresses: { text, _, _ throws(DexError) in
                guard text.hasPrefix("https://") else {
                    throw DexError(.usage, code: "bad-url", message: "It is none.")
                }
                return text.split(separator: ",").map(String.init)
            },
            session: { [markets] network throws(DexError) in
                onSession()
                let url = network.relays.first?.url ?? network.rpc.first ?? ""
                do {
                    let market = try #require(markets[url], "\(url)")
                    var session = try market.session()
                    session.network = network
                    return session
                } catch {
                    throw DexError(.fault, code: "fault", message: "\(error)")
                }
            }
        )
    }

    func model(
        _ dialog: ScriptedDialog?,
        _ wallets: FakeWallets = FakeWallets(),
        flags: SetupFlags = SetupFlags(),
        network: String = "sandbox",
        wallet: String? = nil,
        isSandboxRunning: Bool = false,
        onSession: @escaping @Sendable () -> Void = {}
    ) -> SetupModel {
        SetupModel(
            start: SetupModel.Start(
                networks: networks,
                network: network,
                wallet: wallet,
                isSandboxRunning: isSandboxRunning
            ),
            flags: flags,
            tools: tools(onSession: onSession),
            wallets: wallets,
            dialog: dialog
        )
    }
}
