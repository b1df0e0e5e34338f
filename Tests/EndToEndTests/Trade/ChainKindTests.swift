import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Plans, caps and sending on a node of each kind of chain.
@Suite("Chains that are not Ethereum, through the program")
struct ChainKindTests {
    private static let gwei: UInt256 = 1_000_000_000
    private static let receiver = "0x00000000000000000000000000000000000000e1"

    private static func price(_ transaction: Transaction) -> (maximum: UInt256, tip: UInt256) {
        switch transaction.fee {
        case .legacy(let price), .accessList(let price): (price.rawValue, price.rawValue)
        case .dynamic(let maximum, let tip): (maximum.rawValue, tip.rawValue)
        }
    }

    /// A node that refuses prices below a highest price and a tip.
    private static func minimum(
        _ maximum: UInt256,
        tip: UInt256 = .zero
    ) -> @Sendable (Transaction) -> String? {
        { transaction in
            let price = price(transaction)
            if price.tip < tip {
                return "transaction underpriced: gas tip cap \(price.tip), minimum needed \(tip)"
            }
            return price.maximum < maximum ? "max fee per gas less than block base fee" : nil
        }
    }

    static let kinds = [
        ChainKind(
            name: "mainnet",
            chainID: 1,
            coin: "ETH",
            base: 10 * gwei,
            tip: gwei,
            gasPrice: 11 * gwei,
            refusal: minimum(10 * gwei)
        ),
        // The base fee is 0 by rule: the tip is the whole price, and validators take none below.
        ChainKind(
            name: "bsc",
            chainID: 56,
            coin: "BNB",
            base: 0,
            tip: gwei / 20,
            gasPrice: gwei / 20,
            refusal: minimum(gwei / 20, tip: gwei / 20)
        ),
        // Suggestions of nodes may be below what they take.
        ChainKind(
            name: "polygon",
            chainID: 137,
            coin: "POL",
            base: 30 * gwei,
            tip: gwei,
            gasPrice: 31 * gwei,
            refusal: minimum(30 * gwei, tip: 25 * gwei)
        ),
        ChainKind(
            name: "sonic",
            chainID: 146,
            coin: "S",
            base: 60 * gwei,
            tip: gwei,
            gasPrice: 66 * gwei,
            refusal: minimum(63 * gwei)
        ),
        ChainKind(
            name: "monad",
            chainID: 143,
            coin: "MON",
            base: 100 * gwei,
            tip: 2 * gwei,
            gasPrice: 102 * gwei,
            refusal: { transaction in
                // More than a payment needs is paid for nothing.
                transaction.gasLimit == 21_000
                    ? minimum(100 * gwei)(transaction) : "the whole limit is charged"
            }
        ),
        ChainKind(
            name: "avalanche",
            chainID: 43_114,
            coin: "AVAX",
            base: 10 * gwei,
            tip: 1,
            gasPrice: 10 * gwei,
            refusal: { transaction in
                transaction.gasLimit < 42_000
                    ? minimum(10 * gwei)(transaction) : "half of the limit is charged"
            }
        ),
        ChainKind(
            name: "hyperevm",
            chainID: 999,
            coin: "HYPE",
            base: 10 * gwei,
            tip: 0,
            gasPrice: 10 * gwei,
            refusal: { transaction in
                if transaction.gasLimit > 2_000_000 { return "exceeds block gas limit" }
                return price(transaction).tip > 0
                    ? "a tip would be burnt" : minimum(10 * gwei)(transaction)
            }
        ),
        ChainKind(
            name: "arbitrum",
            chainID: 42_161,
            coin: "ETH",
            base: 10 * gwei,
            tip: 0,
            gasPrice: 10 * gwei,
            refusal: { transaction in
                price(transaction).tip > 0 ? "tips are dropped" : minimum(10 * gwei)(transaction)
            }
        ),
        ChainKind(
            name: "optimism",
            chainID: 10,
            coin: "ETH",
            base: 10 * gwei,
            tip: gwei,
            gasPrice: 11 * gwei,
            dataFee: 1_000_000 * gwei,
            refusal: minimum(10 * gwei)
        ),
        ChainKind(
            name: "scroll",
            chainID: 534_352,
            coin: "ETH",
            base: 10 * gwei,
            tip: gwei,
            gasPrice: 11 * gwei,
            dataFee: 1_000_000 * gwei,
            refusal: minimum(10 * gwei)
        ),
        ChainKind(
            name: "linea",
            chainID: 59_144,
            coin: "ETH",
            base: 7,
            tip: gwei,
            gasPrice: 2 * gwei,
            ownTip: 3 * gwei,
            refusal: minimum(3 * gwei, tip: 3 * gwei)
        ),
    ]

    private let home: WalletHome
    private var dex: DexBinary { home.dex }
    private let key = ["DEX_PRIVATE_KEY": WalletHome.key]

    init() throws {
        home = try WalletHome()
    }

    private func run(_ kind: ChainKind, _ words: String...) async throws -> DexBinary.Run {
        try await dex.run(words + ["--network", kind.name, "--json"], environment: key)
    }

    /// Runs a body on a node of the chain, whose account has what a sandbox gives.
    private func on(
        _ kind: ChainKind,
        _ body: (ChainFixtureNode, TestSandbox) async throws -> Void
    ) async throws {
        try await dex.withSandbox("--fund", WalletHome.address, "--block-time", "1") { sandbox in
            let node = try ChainFixtureNode(
                kind,
                before: sandbox,
                key: try PrivateKeySigner(hex: WalletHome.key)
            )
            // The genesis block of a sandbox is old; what follows is not.
            try await until("the first block") { try sandbox.call("eth_blockNumber") != "0x0" }
            try dex.write(config: "[networks.\(kind.name)]\nrpc = [\"\(node.url)\"]\n")
            try await body(node, sandbox)
        }
    }

    @Test("plan, cap, sending, and nearly all of the coin", arguments: kinds)
    func payment(kind: ChainKind) async throws {
        try await on(kind) { node, sandbox in
            let send = ["send", kind.coin, "0.5", Self.receiver]
            // The plan names the coin, and its fee covers what the chain takes.
            let dry = try await run(kind, send[0], send[1], send[2], send[3], "--dry-run")
            #expect(dry.status == 30, "\(dry.stdout) \(dry.stderr)")
            let gas = try #require(try dry.json()["data"]?["plan"]?["gas"], "\(dry.stdout)")
            let maximum = try #require(
                gas["maxCost"]?["raw"]?.stringValue.flatMap { UInt256(decimal: $0) }
            )
            let minimum = kind.base == .zero ? kind.gasPrice : kind.base
            #expect(maximum >= 21_000 * minimum + (kind.dataFee ?? 0), "\(gas.text)")
            #expect(gas["maxCost"]?["symbol"]?.stringValue == kind.coin, "\(gas.text)")
            // A cap below that is a refusal, and nothing is sent.
            let capped = try await run(
                kind,
                send[0],
                send[1],
                send[2],
                send[3],
                "--yes",
                "--max-gas-cost",
                "0.00000001"
            )
            #expect(capped.status == 6, "\(capped.stdout)")
            #expect(node.taken.isEmpty && node.refused.isEmpty)
            // The node takes what is sent.
            let sent = try await run(kind, send[0], send[1], send[2], send[3], "--yes")
            #expect(sent.status == 0, "\(sent.stdout) \(sent.stderr)")
            #expect(node.taken.count == 1 && node.refused.isEmpty, "\(node.refused)")
            // All of it leaves nothing for what the chain takes; nearly all of it is taken.
            let rest = try sandbox.call(
                "eth_getBalance",
                "\"\(WalletHome.address)\",\"latest\""
            )
            let digits = try #require(rest.stringValue)
            let left = try #require(UInt256(quantity: digits))
            let whole = DecimalText.format(left, decimals: 18)
            let none = try await run(kind, "send", kind.coin, whole, Self.receiver, "--yes")
            #expect(none.status == 6, "\(none.stdout)")
            #expect(node.taken.count == 1 && node.refused.isEmpty, "\(node.refused)")
            let nearly = DecimalText.format(left - 50_000_000 * Self.gwei, decimals: 18)
            let all = try await run(kind, "send", kind.coin, nearly, Self.receiver, "--yes")
            #expect(all.status == 0, "\(all.stdout) \(all.stderr)")
            #expect(node.taken.count == 2 && node.refused.isEmpty, "\(node.refused)")
            let isKept = try all.json()["warnings"]?.arrayValue?.contains {
                $0.stringValue?.hasPrefix("IT LEAVES") == true
            }
            #expect((isKept == true) == (kind.name == "monad"), "\(all.stdout)")
        }
    }

    @Test("HyperEVM: the exchange side's address is no recipient")
    func bridge() async throws {
        let kind = try #require(Self.kinds.first { $0.name == "hyperevm" })
        try await on(kind) { node, _ in
            let run = try await run(
                kind,
                "send",
                "HYPE",
                "1",
                "0x2222222222222222222222222222222222222222",
                "--yes"
            )
            #expect(run.status == 6)
            #expect(try run.json()["error"]?["code"] == "bad-recipient")
            #expect(node.taken.isEmpty)
        }
    }

    @Test("Tempo: no transaction carries value")
    func noCoin() async throws {
        let kind = ChainKind(
            name: "tempo",
            chainID: 4_217,
            coin: "USD",
            base: 6 * Self.gwei,
            tip: 0,
            gasPrice: 6 * Self.gwei,
            refusal: { $0.value == .zero ? nil : "value is not allowed" }
        )
        try await on(kind) { node, _ in
            let run = try await run(kind, "send", "USD", "1", Self.receiver, "--yes")
            #expect(run.status != 0, "\(run.stdout)")
            #expect(node.taken.isEmpty && node.refused.isEmpty)
        }
    }
}
