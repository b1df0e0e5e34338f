import DexCore
import DexNetwork
import DexTerminal
import Ethereum
import SandboxHost
import StrictJSON
import ZeroEx

/// A copy of another machine's sandbox as text and JSON.
struct SandboxCopyView {
    let state: SandboxState
    let folder: SandboxFolder
    /// nil if its node does not answer.
    let status: CopyStatus?

    /// What the running copy says of itself.
    ///
    /// A copy that stopped ends the command with exit 6.
    static func report(
        _ state: SandboxState,
        _ folder: SandboxFolder,
        warnings: [String] = []
    ) async throws -> CommandReport {
        let status = await status(of: state)
        let view = SandboxCopyView(state: state, folder: folder, status: status)
        return CommandReport(
            data: view.json,
            warnings: warnings
                + (status == nil ? ["The copy runs, but its node is silent."] : []),
            error: status?.stop.map { DexError(SandboxHostError.copyStopped($0)) },
            lines: { view.lines($0) }
        )
    }

    /// What a running copy answers of itself; nil if its node is silent.
    static func status(of state: SandboxState) async -> CopyStatus? {
        let answer = try? await SandboxNode(url: state.rpc).call("sandbox_copy")  // nil: silent
        return answer.flatMap { CopyStatus($0, now: Sandbox.systemTime()) }
    }

    var json: JSONValue {
        let copy = status?.json(now: Sandbox.systemTime()) ?? .null
        return [
            "running": true,
            "pid": .integer(state.pid),
            "leader": JSONFormat.text(state.leader),
            "copy": copy,
            "rpcUrl": .string(state.rpc),
            "relay": JSONFormat.text(state.networks.first?.relay),
            "swapUrl": .null,
            "chainId": .integer(state.chainID),
            "coin": .string(state.coin.text),
            "genesis": .string(state.genesis.hex),
            "hosts": .array(state.reachableHosts.map { .string($0) }),
            "startedAt": .integer(state.startedAt),
            "folder": .string(folder.path),
            "block": JSONFormat.integer(status?.block),
            "networks": .list(state.networks) {
                [
                    "name": .string($0.name), "protocol": .string($0.version.rawValue),
                    "relay": JSONFormat.text($0.relay),
                ]
            },
            "accounts": .list(state.accounts) {
                ["name": .string($0.name), "address": JSONFormat.address($0.address)]
            },
        ]
    }

    func lines(_ screen: Screen) -> [String] {
        let style = screen.style
        let leader = TerminalText.clean(state.leader ?? "")
        var lines: [String]
        switch status?.condition {
        case .stopped:
            lines = [
                style.paint("The copy of \(leader) has stopped", .red) + " (process \(state.pid))."
            ]
        default:
            lines = [
                style.paint("A copy of \(leader) is running", .green) + " (process \(state.pid))."
            ]
        }
        if let status { lines += progress(status, screen) }
        lines += [
            "",
            "  node     \(state.rpc)  (chain \(state.chainID))",
            "  web      \(state.rpc)/  (the explorer, for a browser)",
            "  genesis  \(state.genesis.hex)",
            "  data     \(TerminalText.clean(folder.path))",
        ]
        lines += ["", "Networks, for --network, read from the copy:"]
        lines += SandboxView.columns(
            state.networks.map {
                [$0.name, "0x \($0.version.rawValue)", $0.relay.map { "relay \($0)" } ?? ""]
            }
        )
        return lines
    }

    /// How far it is, and what the other machine says.
    private func progress(_ status: CopyStatus, _ screen: Screen) -> [String] {
        let verified = "Verified to block \(status.block)"
        switch status.condition {
        case .connecting: return ["\(verified); asking for more."]
        case .following where status.isAhead:
            let leader = status.leaderBlock ?? 0
            return TerminalText.wrap(
                "\(verified); the other machine has only \(leader), and is followed again once its "
                    + "chain is as long.",
                width: screen.width
            )
        case .following:
            let behind = Int(clamping: status.behind ?? 0)
            return [
                behind == 0
                    ? "\(verified), the newest."
                    : "\(verified), \(NumberText.count(behind, "block")) behind."
            ]
        case .cutOff(let reason):
            let now = Sandbox.systemTime()
            let silence = status.answered.map { at in
                " The other machine was heard \(now > at ? now - at : 0) s ago."
            }
            let words = PlainText.sentence(reason, limit: 200)
            let cut = TerminalText.wrap(
                "Cut off: \(TerminalText.clean(words))",
                width: screen.width
            )
            let served = TerminalText.wrap(
                "\(verified), which is served on.\(silence ?? "")",
                width: screen.width
            )
            return cut.map { screen.style.paint($0, .yellow) } + served
        case .stopped: return ["\(verified); nothing is served any more."]
        }
    }
}
