/// The result of `dex init`.
package struct SetupState: Sendable {
    /// A setting that was written, or would be.
    package struct Change: Hashable, Sendable {
        package let key: String
        /// As config.toml has it, without the parts of URLs that can be a key.
        package let value: String

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// Something that trading needs and that is not set, with the command that adds it.
    package struct Missing: Hashable, Sendable {
        package let what: String
        package let command: String
    }

    /// The chosen network with what is set for it.
    package let network: Network
    /// config.toml.
    package let file: String
    package let changes: [Change]
    /// The chosen wallet; nil if none was named.
    package let wallet: SetupWallet?
    /// An account is set: commands that sign have one to act for.
    package let hasAccount: Bool
    package let isSandboxRunning: Bool
    /// Where a browser shows the sandbox's chain and markets; nil for another network, and while it
    /// does not run.
    package let explorer: String?
    /// The symbols by which the next command may name a pair.
    package let tokens: TokenMap
    /// nil in a dry run: nothing was written that could be checked.
    package let checkup: DoctorState?

    package init(
        network: Network,
        file: String,
        changes: [Change],
        wallet: SetupWallet?,
        hasAccount: Bool,
        isSandboxRunning: Bool,
        explorer: String? = nil,
        tokens: TokenMap,
        checkup: DoctorState?
    ) {
        self.network = network
        self.file = file
        self.changes = changes
        self.wallet = wallet
        self.hasAccount = hasAccount
        self.isSandboxRunning = isSandboxRunning
        self.explorer = explorer
        self.tokens = tokens
        self.checkup = checkup
    }

    package var missing: [Missing] {
        if network.isSandbox {
            return isSandboxRunning
                ? [] : [Missing(what: "the sandbox", command: "dex sandbox up --detach")]
        }
        var missing: [Missing] = []
        let set = "dex config set networks.\(network.name)"
        if network.rpc.isEmpty {
            missing.append(Missing(what: "a node", command: "\(set).rpc URL"))
        }
        if network.relays.isEmpty, !network.tradesWithoutRelay {
            missing.append(Missing(what: "a relay", command: "\(set).relay URL"))
        }
        if !hasAccount {
            missing.append(Missing(what: "a wallet", command: "dex init"))
        }
        return missing
    }

    /// The command to type next.
    package var next: String {
        if let first = missing.first, network.isSandbox { return first.command }
        if !missing.isEmpty || checkup?.failure != nil { return "dex doctor" }
        if network.isSandbox || !network.relays.isEmpty {
            return knows("ZRX", "WETH") ? "dex orderbook ZRX/WETH" : "dex pairs"
        }
        guard knows("USDC") else { return "dex tokens" }
        return "dex price \(network.coin)/USDC --side sell --amount 0.01"
    }

    private func knows(_ symbols: String...) -> Bool {
        // An error: the map has no such token, or several.
        symbols.allSatisfy { (try? tokens.resolve($0)) != nil }
    }
}
