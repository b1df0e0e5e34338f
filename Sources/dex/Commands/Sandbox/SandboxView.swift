import DexTerminal
import Ethereum
import SandboxHost
import StrictJSON
import Uniswap
import ZeroEx

/// A running sandbox as text and JSON.
struct SandboxView {
    let state: SandboxState
    let folder: SandboxFolder
    let reading: SandboxReading

    /// `relay` and `orderCount` are those of the first network.
    var json: JSONValue {
        let networks = zip(state.networks, reading.orders).map { network, orders -> JSONValue in
            [
                "name": .string(network.name),
                "protocol": .string(network.version.rawValue),
                "relay": JSONFormat.text(network.relay),
                "orderCount": orders.map { .integer($0) } ?? .null,
            ]
        }
        return [
            "running": true,
            "pid": .integer(state.pid),
            "rpcUrl": .string(state.rpc),
            "relay": networks.first?["relay"] ?? .null,
            "swapUrl": JSONFormat.text(state.swap),
            "pools": .list(SandboxUniswap.listed) {
                [
                    "pair": .string($0.pair), "kind": .string($0.id.kind == .v2 ? "v2" : "v3"),
                    "feePercent": .string(
                        DecimalText.format(UInt256(UInt64($0.id.kind.fee)), decimals: 4)
                    ),
                    "address": JSONFormat.address($0.address),
                ]
            },
            "followers": ServerJSON.follower(reading.followers?.arrayValue ?? []),
            "chainId": .integer(state.chainID),
            "coin": .string(state.coin.text),
            "genesis": .string(state.genesis.hex),
            "hosts": .array(state.reachableHosts.map { .string($0) }),
            "seed": .string(String(state.seed)),
            "startedAt": .integer(state.startedAt),
            "folder": .string(folder.path),
            "block": JSONFormat.integer(reading.block),
            "orderCount": networks.first?["orderCount"] ?? .null,
            "networks": .array(networks),
            "accounts": .list(state.accounts) {
                ["name": .string($0.name), "address": JSONFormat.address($0.address)]
            },
        ]
    }

    func lines(_ screen: Screen) -> [String] {
        let style = screen.style
        let blockText = reading.block.map { ", block \($0)" } ?? ""
        var lines = [
            style.paint("The sandbox is running", .green) + " (process \(state.pid)).",
            "  node  \(state.rpc)  (chain \(state.chainID)\(blockText))",
            "  web   \(state.rpc)/  (the explorer, for a browser)",
            "  swap  \(state.swap ?? "none")  (0x Swap API v2)",
            "  pools " + Self.pools,
            "  data  \(TerminalText.clean(folder.path))",
            "",
            "Networks, for --network, each with a market of its own:",
        ]
        lines += Self.columns(
            zip(state.networks, reading.orders).map { network, orders in
                [
                    network.name, "0x \(network.version.rawValue)",
                    network.relay.map { "relay \($0)" } ?? "",
                    orders.map { NumberText.count($0, "order") } ?? "silent",
                ]
            }
        )
        if let host = state.reachableHosts.first {
            if let url = SandboxState.url(state.rpc, at: host) {
                lines += [
                    "", "On another machine, with a copy that verifies every block:",
                    "  dex sandbox follow \(url)", "Block 0, which the copy shows too, is",
                    "  \(state.genesis.hex)",
                ]
            }
            lines += ["", "Without a copy, trusting this machine:"] + setUp(host).map { "  " + $0 }
        }
        lines += followerLines(screen)
        let traders = state.accounts.filter { SandboxAccounts.traderNames.contains($0.name) }
        guard !traders.isEmpty else {
            return lines + ["", "No account has a name here: use wallets of your own."]
        }
        lines += [
            "",
            "Accounts, for --wallet; their keys are public, never send anything of value:",
        ]
        return lines + Self.columns(traders.map { [$0.name, $0.address.checksummed] })
    }

    /// How many pools each kind has.
    private static var pools: String {
        let pairs = SandboxUniswap.listed.count { $0.id.kind == .v2 }
        return "\(pairs) of Uniswap v2, \(SandboxUniswap.listed.count - pairs) of v3, on the node"
    }

    /// The machines that keep a copy, the one that lags most first.
    private func followerLines(_ screen: Screen) -> [String] {
        let followers = reading.followers?.arrayValue ?? []
        guard !followers.isEmpty else { return [] }
        return [""] + ServerJSON.follower.lines(followers, screen)
    }

    /// What whoever lets other machines in should know.
    var warnings: [String] {
        guard !state.reachableHosts.isEmpty, !state.accounts.isEmpty else { return [] }
        return [
            "Every machine that can connect can spend what the named accounts own: their keys are "
                + "public. For a group: dex sandbox reset, then up with --accounts none --fund ADDRESS."
        ]
    }

    /// The commands that let another machine trade here.
    private func setUp(_ host: String) -> [String] {
        func set(_ network: String, _ key: String, _ value: String) -> String {
            "dex config set networks.\(network).\(key) \(value)"
        }
        var lines: [String] = []
        for network in state.networks {
            if let url = SandboxState.url(state.rpc, at: host) {
                lines.append(set(network.name, "rpc", url))
            }
            if let url = network.relay.flatMap({ SandboxState.url($0, at: host) }) {
                lines.append(set(network.name, "relay", url))
            }
            if state.chainID != SandboxTokens.chainID {
                lines.append(set(network.name, "chain_id", "\(state.chainID)"))
            }
            if state.coin != .ether { lines.append(set(network.name, "coin", state.coin.text)) }
        }
        return lines
    }

    /// The next commands.
    func hints(stop: String) -> [String] {
        var lines = ["", "Try, in another terminal:"]
        for network in state.networks {
            lines += [
                "  dex orderbook ZRX/WETH --network \(network.name)"
            ]
            if !state.accounts.isEmpty {
                lines.append(
                    "  dex market-buy ZRX/WETH 100 --network \(network.name) --wallet alice"
                )
            }
        }
        return lines + [stop]
    }

    /// Rows of indented plain text.
    static func columns(_ rows: [[String]]) -> [String] {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], cell.count)
            }
        }
        return rows.map { row in
            var line = ""
            for (index, cell) in row.enumerated() {
                line += "  " + cell
                guard index < row.count - 1 else { break }
                line += String(repeating: " ", count: widths[index] - cell.count)
            }
            return line
        }
    }
}
