import DexCore
import DexNetwork
import DexSandbox
import DexSettings
import DexTerminal
import DexWallet
import Ethereum
import EthereumWallet
import SandboxHost
import StrictJSON

/// A fork of a live chain in the foreground, as `sandbox up` starts it.
struct SandboxForkRun {
    let folder: SandboxFolder
    let context: CommandContext

    /// The variable that can have the node's URL, so that no list of processes shows a key in it.
    static let variable = "DEX_FORK_URL"
    /// The value of `--fork` that takes the variable's.
    static let fromVariable = "-"

    /// The node of a live chain.
    struct Node {
        let urls: [String]
        /// What of it may be shown.
        var origin: String { urls.first.map(PlainText.origin) ?? "" }
    }

    /// The node that `--fork` names.
    ///
    /// - Parameter text: a URL, the name of a network, or `-`.
    /// - Throws: `DexError`, exit 2 or 3.
    static func node(_ text: String, _ context: CommandContext) throws(DexError) -> Node {
        if text == fromVariable {
            guard let url = context.environment[variable], WebAddress.isValid(url) else {
                throw SetupError.badURL(source: variable, isFlag: false)
            }
            return Node(urls: [url])
        }
        if text.contains("://") {
            guard WebAddress.isValid(text) else {
                throw SetupError.badURL(source: "--fork", isFlag: true)
            }
            return Node(urls: [text])
        }
        let network = try context.settings().network(text)
        guard !network.isSandbox, !network.rpc.isEmpty else {
            throw context.missing("node", "rpc", network)
        }
        return Node(urls: network.rpc)
    }

    /// What `--fund` asks for: ACCOUNT=AMOUNT or ACCOUNT=AMOUNT:TOKEN; nil for anything else.
    static func parts(_ text: String) -> (account: String, amount: String, token: String?)? {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, !sides[0].isEmpty else { return nil }
        let what = sides[1].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let amount = what.first, !amount.isEmpty, what.last?.isEmpty == false else {
            return nil
        }
        return (String(sides[0]), String(amount), what.count == 2 ? String(what[1]) : nil)
    }

    /// What accounts are to have.
    ///
    /// - Parameter seed: of the named accounts.
    /// - Throws: `DexError`, exit 5; `WalletError`.
    func fundingRequests(_ texts: [String], seed: UInt64) throws -> [FundingRequest] {
        let named = try SandboxAccounts(seed: seed)
        return try texts.compactMap(Self.parts).map { parts in
            let isAddress = parts.account.lowercased().hasPrefix("0x")
            let known =
                try isAddress
                ? Address(party: parts.account)
                : named.traders.first { $0.name == parts.account }?.address
            guard
                let account = try known ?? context.walletStore().wallet(parts.account).address
            else { throw AccountError.noAddress(label: parts.account) }
            return FundingRequest(account: account, amount: parts.amount, token: parts.token)
        }
    }

    /// Runs until Ctrl-C.
    func run(_ options: SandboxFork.Options, node: Node?) async throws -> CommandReport {
        var options = options
        if let node {
            options.origin = node.origin
            // No command's time limit: it runs for days.
            options.node = JSONRPCChainClient(
                urls: node.urls,
                transport: CurlTransport(options: context.transportOptions)
            )
        }
        let fork = SandboxFork(
            options: options,
            facts: { try facts(ofChain: $0) },
            check: { chainID, live in
                // Only who asks for the live chain's own id gets it.
                if chainID != live { try SandboxChainID.refusePublic(chainID, context) }
            },
            progress: { context.console.progress($0) }
        )
        let end = SandboxEnd(options.isInMemory)
        try await fork.run { state in
            context.console.endProgress()
            let report = try await SandboxForkView.report(
                state,
                folder,
                context,
                hint: end.hint("Ctrl-C")
            )
            _ = context.emit(report)
        }
        return end.report
    }

    /// What is known of a live chain: by its network in config.toml, or the bundled one.
    private func facts(ofChain chainID: UInt64) throws -> ForkFacts {
        let network = try Self.network(ofChain: chainID, context)
        let tokens =
            try network.map { try context.tokenMap($0) } ?? TokenMap(chainID: chainID)
        return ForkFacts(coin: network?.coin ?? .ether, wrapped: network?.weth) { text in
            if let address = Address(ifValid: text) { return address }
            return try tokens.resolve(text).address
        }
    }

    private static func network(
        ofChain chainID: UInt64,
        _ context: CommandContext
    ) throws -> Network? {
        let networks = try context.settings().networks()
        return networks.first { $0.chainID == chainID }
    }

    /// What of the live chain a running fork does not have.
    static func gaps(_ state: SandboxState, _ context: CommandContext) throws -> [ForkGap] {
        guard let live = state.fork?.chainID else { return [] }
        let network = try network(ofChain: live, context)
        return ForkGap.of(
            chain: live,
            chargesForData: network?.fees.hasRollupFee ?? false
        )
    }
}

/// Why a fork of a live chain cannot begin, or go on.
extension ForkError: ReportedError {
    var report: DexError {
        let text = PlainText.clean(description, limit: 600)
        return switch self {
        case .silent: Self.row(.unreachable("fork-silent"), text, retryable: true)
        case .noBlock, .ahead: Self.row(.usage("fork-block"), text)
        case .reorganized: Self.row(.refused("fork-replaced"), text)
        case .otherChain: Self.row(.usage("fork-chain"), text)
        case .otherMachine, .newerRules: Self.row(.refused("fork-unsupported"), text)
        case .offline, .offlinePast, .full, .endless: Self.row(.refused("fork-unknown"), text)
        }
    }
}
