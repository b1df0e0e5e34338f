import DexCore
import DexNetwork
import DexTerminal
import Ethereum
import SandboxHost
import StrictJSON
import ZeroEx

/// A running fork of a live chain as text and JSON.
struct SandboxForkView {
    let state: SandboxState
    let live: SandboxState.Fork
    let folder: SandboxFolder
    let reading: Reading
    let gaps: [ForkGap]

    /// What its node says.
    struct Reading: Sendable {
        /// The latest block's number; nil if it does not answer.
        var block: UInt64?
        /// Accounts and words that were fetched; nil if it does not answer.
        var values: UInt64?
        /// Round trips to the live node since the start; nil if it does not answer.
        var trips: UInt64?

        static func read(_ state: SandboxState) async -> Reading {
            // Loopback needs no proxy, whatever the environment says.
            let transport = CurlTransport(
                options: .init(connectTimeout: 1_000, timeout: 5_000, environment: { _ in nil })
            )
            let chain = JSONRPCChainClient(urls: [state.rpc], transport: transport)
            // nil: no answer
            async let fork = try? SandboxNode(url: state.rpc).call("sandbox_fork", nil)
            async let block = try? chain.read(.blockNumber)  // nil: no answer
            func number(_ json: JSONValue?) -> UInt64? { json?.numberText.flatMap { UInt64($0) } }
            let answer = await fork
            return Reading(
                block: await block,
                values: number(answer?["values"]),
                trips: number(answer?["trips"])
            )
        }
    }

    /// A running fork.
    static func report(
        _ state: SandboxState,
        _ folder: SandboxFolder,
        _ context: CommandContext,
        warnings: [String] = [],
        hint: String? = nil
    ) async throws -> CommandReport {
        guard let live = state.fork else { throw SandboxHostError.noFork }
        let reading = await Reading.read(state)
        let view = SandboxForkView(
            state: state,
            live: live,
            folder: folder,
            reading: reading,
            gaps: try SandboxForkRun.gaps(state, context)
        )
        let silence = reading.block == nil ? ["The fork runs, but its node is silent."] : []
        return view.report(warnings: warnings + silence, hint: hint)
    }

    func report(warnings: [String] = [], hint: String?) -> CommandReport {
        CommandReport(
            data: json,
            warnings: warnings + self.warnings,
            lines: { screen in
                lines(screen) + (hint.map { tries + [$0] } ?? [])
            }
        )
    }

    var json: JSONValue {
        [
            "running": true,
            "pid": .integer(state.pid),
            "forkOf": [
                "chainId": .integer(live.chainID),
                "block": .integer(live.block),
                "node": JSONFormat.text(live.origin),
                "valueCount": JSONFormat.integer(reading.values),
                "trips": JSONFormat.integer(reading.trips),
                "missing": .array(gaps.map { .string($0.words) }),
            ],
            "rpcUrl": .string(state.rpc),
            "relay": .null,
            "swapUrl": .null,
            "chainId": .integer(state.chainID),
            "coin": .string(state.coin.text),
            "genesis": .string(state.genesis.hex),
            "hosts": .array(state.reachableHosts.map { .string($0) }),
            "seed": .string(String(state.seed)),
            "startedAt": .integer(state.startedAt),
            "folder": .string(folder.path),
            "block": JSONFormat.integer(reading.block),
            "networks": .list(state.networks) {
                ["name": .string($0.name), "protocol": .string($0.version.rawValue)]
            },
            "accounts": .list(state.accounts) {
                ["name": .string($0.name), "address": JSONFormat.address($0.address)]
            },
        ]
    }

    /// What a fork has and has not.
    private static let parts =
        "a node alone: no relay, market, swap API, faults or explorer"

    func lines(_ screen: Screen) -> [String] {
        let title = "A fork of chain \(live.chainID) is running"
        let blockText = reading.block.map { ", block \($0)" } ?? ""
        var lines = [
            screen.style.paint(title, .green) + " (process \(state.pid)).",
            "  node  \(state.rpc)  (chain \(state.chainID)\(blockText))",
            "  from  block \(live.block)",
            "        \(state.genesis.hex)",
            "  live  " + TerminalText.clean(live.origin ?? "none: it goes on offline"),
        ]
        if let values = reading.values, let trips = reading.trips {
            lines.append(
                "  kept  \(NumberText.count(Int(clamping: values), "value")) of the live chain, "
                    + "\(NumberText.count(Int(clamping: trips), "round trip")) since the start"
            )
        }
        lines.append("  data  \(TerminalText.clean(folder.path))")
        lines += TerminalText.wrap(Self.parts, width: max(20, screen.width - 8)).enumerated()
            .map { index, line in (index == 0 ? "  has   " : "        ") + line }
        lines += ["", "What is not the live chain's:"]
        for gap in gaps {
            let wrapped = TerminalText.wrap(gap.words, width: max(20, screen.width - 2))
            lines += wrapped.map { "  " + $0 }
        }
        guard !state.accounts.isEmpty else { return lines }
        lines += [
            "",
            "Accounts, for --wallet; their keys are public, never send anything of value:",
        ]
        return lines
            + SandboxView.columns(state.accounts.map { [$0.name, $0.address.checksummed] })
    }

    /// What everybody who signs something here should know.
    var warnings: [String] {
        var warnings: [String] = []
        if state.chainID == live.chainID {
            warnings.append(
                "This fork has the chain id of the live chain, as it was asked to: EVERY TRANSACTION "
                    + "SIGNED HERE IS VALID ON THE LIVE CHAIN, for whoever gets to see it. Use accounts "
                    + "that own nothing there."
            )
        }
        if !state.reachableHosts.isEmpty, !state.accounts.isEmpty {
            warnings.append(
                "Every machine that can connect can spend what the named accounts own: their keys are "
                    + "public."
            )
        }
        return warnings
    }

    /// The next commands.
    private var tries: [String] {
        let wallet = state.accounts.first.map { " --wallet \($0.name)" } ?? " --wallet NAME"
        let network = state.networks.first?.name ?? "sandbox"
        return [
            "", "Try, in another terminal:",
            "  dex balance --network \(network)\(wallet)",
            "  dex market-buy PAIR AMOUNT --via pools --network \(network)\(wallet)",
        ]
    }
}
