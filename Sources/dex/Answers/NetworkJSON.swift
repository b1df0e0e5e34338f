import DexCore
import DexSettings
import DexTerminal
import Ethereum
import SandboxHost
import StrictJSON
import Uniswap
import ZeroEx

/// `data` of `network`.
enum NetworkJSON {
    /// A network with the parts of its URLs that may be shown.
    struct Row: Sendable {
        let network: Network
        let nodes: [String]
        let relay: String?
        let swap: String?
        /// It is the default.
        let isCurrent: Bool

        /// - Parameters:
        ///   - sandbox: the running one, whose URLs are its own and have no key.
        ///   - current: the name of the default.
        ///   - known: all networks.
        init(
            _ network: Network,
            _ sandbox: SandboxState?,
            among known: [Network],
            current: String
        ) {
            var shown = network
            if network.isSandbox, let sandbox {
                shown.run(on: sandbox, among: known)
                nodes = shown.rpc
                relay = shown.relay
                swap = shown.swap?.api
            } else {
                nodes = network.nodeNames
                relay = network.relayName
                swap = network.swapName
            }
            self.network = network
            isCurrent = network.name == current
        }
    }

    static let list = Fields<[Row]> {
        Field("networks", "Those of dex and of config.toml", list: network) { $0 }
    }

    static let network = Fields<Row> {
        Field("name", "For `--network`") { ExactText($0.network.name) }.csv(0, "name")
            .sorted("name") { $0.network.name < $1.network.name }
            .shown(1, "NAME") { row, _ in .init(row.network.name, row.isCurrent ? .bold : nil) }
        Field("chainId", "Its chain", \.network.chainID).csv(1, "chain_id")
            .sorted("chain") { $0.network.chainID < $1.network.chainID }
            .shown(2, "CHAIN", .right) { row, _ in .init("\(row.network.chainID)") }
        Field("rpc", "Its nodes") { $0.nodes.map { ExactText($0) } }.csv(6, "rpc")
            .shown(6, "NODE", dropOrder: 2, minimumWidth: 12) { row, _ in
                .init(row.nodes.first ?? "-", row.nodes.isEmpty ? .dim : nil)
            }
        Field("quorum", "How many nodes must agree", \.network.quorum).csv(8, "quorum")
            .shown(7) { rows, _ in
                // One of one needs no word.
                guard rows.contains(where: { $0.network.quorum > 1 }) else { return nil }
                return .init(column: .init("AGREE")) { quorum($0) }
            }
        Field("proofs", "What a signature rests on is proven", \.network.provesState)
        Field("relay", "Its first relay, or null", \.relay)
            .shown(4, "RELAY", dropOrder: 1, minimumWidth: 12) { row, _ in
                .init(row.relay ?? "-", row.relay == nil ? .dim : nil)
            }
        Field("relays", "Its relays", \.network.relayNames).csv(4, "relays")
        Field("protocol", "The version of 0x", \.network.protocolVersion.word)
            .csv(2, "protocol")
            .shown(3, "PROTOCOL", dropOrder: 3) { row, _ in
                row.network.hasExchange
                    ? .init(row.network.protocolVersion.rawValue) : .init("-", .dim)
            }
        Field("orderSigning", "What is signed of an order", \.network.orderSigning.word)
        Field("exchange", "Null: only the swap API trades") {
            $0.network.hasExchange ? $0.network.exchange : nil
        }
        .csv(3, "exchange")
        Field("swap", "0x's Swap API, or null", nullable: swap) { row in
            row.network.swap.map { Swap(api: row.swap, via: $0.via) }
        }
        .csv(5, "swap", "api")
        .shown(5, "SWAP", dropOrder: 4) { row, _ in
            .init(row.network.swap?.via.rawValue ?? "-", row.network.swap == nil ? .dim : nil)
        }
        Field("poolRouter", "The router of Uniswap's pools, or null", \.network.pools?.router)
        Field("weth", "The wrapped coin, or null", \.network.weth)
        Field("coin", "The symbol of its coin", \.network.coin)
        Field("tokenList", "Its token list, or null", \.network.tokenList)
        Field("blockTime", "Whole seconds, rounded up", \.network.blockSeconds)
        Field("blockMilliseconds", "Between two blocks", \.network.blockMilliseconds)
        Field("freshness", "Seconds that a state may be old", \.network.freshness)
        Field("isDefault", "It is used without `--network`", \.isCurrent).csv(7, "default")
            .shown(0, "") { row, _ in .init(row.isCurrent ? "*" : "", .green) }
    }

    /// How many of the nodes must agree.
    private static func quorum(_ row: Row) -> Table.Cell {
        guard row.network.quorum > 1 else { return .init("-", .dim) }
        return .init("\(row.network.quorum) of \(row.network.distinctNodes.count)")
    }

    struct Swap: Sendable {
        let api: String?
        let via: VenueChoice
    }

    private static let swap = Fields<Swap> {
        Field("api", "Its address, cut to what may be shown", \.api)
        Field("via", "Where market orders trade", \.via.word)
    }

    /// A network that was added, and what its node says.
    struct Added: Sendable {
        let row: Row
        let found: NetworkProbe.Findings?
    }

    static let added = Fields<Added> {
        network.of(\.row)
        Field("findings", "Null if no node was asked", nullable: findings, \.found)
    }

    private static let findings = Fields<NetworkProbe.Findings> {
        Field("block", "The latest block", \.block)
        Field("version", "As the exchange reports it; null if it reports none", \.version)
        Field("transferContract", "What is allowed to move tokens", \.contracts.transferContract)
        Field("feeToken", "Null: it depends on the order", \.contracts.feeToken)
        Field("protocolFeeMultiplier", "Of the price of gas, for each order") {
            UInt64($0.contracts.protocolFeeMultiplier)
        }
    }
}
