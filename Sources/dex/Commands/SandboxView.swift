import DexTerminal
import Ethereum
import SandboxHost
import StrictJSON

/// How a running sandbox is shown.
enum SandboxView {
    static func json(
        _ state: SandboxState,
        folder: SandboxFolder,
        block: UInt64?,
        orders: Int?
    ) -> JSONValue {
        [
            "running": true,
            "pid": .integer(state.pid),
            "rpc": .string(state.rpc),
            "relay": .string(state.relay),
            "chainId": .integer(state.chainID),
            "seed": .string(String(state.seed)),
            "startedAt": .integer(state.startedAt),
            "folder": .string(folder.path),
            "block": JSONForms.integer(block),
            "orders": orders.map { .integer($0) } ?? .null,
            "accounts": .array(
                state.accounts.map {
                    ["name": .string($0.name), "address": JSONForms.address($0.address)]
                }
            ),
        ]
    }

    static func lines(
        _ state: SandboxState,
        folder: SandboxFolder,
        block: UInt64?,
        orders: Int?,
        _ screen: Screen
    ) -> [String] {
        let style = screen.style
        let blockText = block.map { ", block \($0)" } ?? ""
        let orderText = orders.map { ", \($0) orders" } ?? ""
        var lines = [
            style.paint("The sandbox is running", .green) + " (process \(state.pid)).",
            "  node   \(state.rpc)  (chain \(state.chainID)\(blockText))",
            "  relay  \(state.relay)  (0x v1\(orderText))",
            "  data   \(TerminalText.clean(folder.path))",
            "",
            "Accounts, for --wallet; their keys are public, never send anything of worth:",
        ]
        let traders = state.accounts.filter { SandboxAccounts.traderNames.contains($0.name) }
        let width = traders.map(\.name.count).max() ?? 0
        for account in traders {
            let padding = String(repeating: " ", count: width - account.name.count)
            lines.append("  \(account.name)\(padding)  \(account.address.checksummed)")
        }
        return lines
    }

    /// What to type next.
    static func hints(stop: String) -> [String] {
        [
            "",
            "Try, in another terminal:",
            "  dex orderbook ZRX/WETH --network sandbox",
            "  dex market-buy ZRX/WETH 100 --network sandbox --wallet alice",
            stop,
        ]
    }
}
