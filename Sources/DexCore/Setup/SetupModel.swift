/// The questions of `dex init`, in their order, and what becomes of each answer.
///
/// Everything is asked before anything is written: only a wallet, which comes last, is written
/// with its last answer. So Ctrl-C at any question leaves wallets and settings as they were.
package struct SetupModel: Sendable {
    /// What the settings say, and how they read an answer.
    package struct Start: Sendable {
        /// The bundled networks and those of the settings.
        let networks: [Network]
        /// The settings' default network.
        let network: String
        /// The settings' default wallet; nil without one.
        let wallet: String?
        let isSandboxRunning: Bool

        package init(
            networks: [Network],
            network: String,
            wallet: String?,
            isSandboxRunning: Bool
        ) {
            self.networks = networks
            self.network = network
            self.wallet = wallet
            self.isSandboxRunning = isSandboxRunning
        }
    }

    /// What an address is of; the key of config.toml.
    package enum Endpoint: String, Sendable {
        case node = "rpc"
        case relay
    }

    /// The readers of settings and of servers.
    package struct Tools: Sendable {
        /// - Throws: `DexError`, exit 3, for an unknown network.
        let network: @Sendable (String) throws(DexError) -> Network
        /// The addresses in a typed text, checked as config.toml takes them.
        let addresses: @Sendable (String, Endpoint, Network) throws(DexError) -> [String]
        /// The clients of a network with the addresses that are tested.
        let session: @Sendable (Network) throws(DexError) -> Session

        package init(
            network: @escaping @Sendable (String) throws(DexError) -> Network,
            addresses: @escaping @Sendable (String, Endpoint, Network) throws(DexError) -> [String],
            session: @escaping @Sendable (Network) throws(DexError) -> Session
        ) {
            self.network = network
            self.addresses = addresses
            self.session = session
        }
    }

    private let start: Start
    private let flags: SetupFlags
    private let tools: Tools
    private let wallets: any SetupWallets
    private let dialog: (any SetupDialog)?

    /// - Parameter dialog: nil if the flags are all that is said: what they leave out stays as it
    ///   is, and what cannot be used is an error.
    package init(
        start: Start,
        flags: SetupFlags,
        tools: Tools,
        wallets: any SetupWallets,
        dialog: (any SetupDialog)?
    ) {
        self.start = start
        self.flags = flags
        self.tools = tools
        self.wallets = wallets
        self.dialog = dialog
    }

    /// - Throws: `DexError` of an answer that cannot be used, without a dialog; exit 20 at the end
    ///   of the input; `CancellationError` after a signal.
    package func answers() async throws -> SetupAnswers {
        dialog?.show(.welcome)
        var answers = SetupAnswers(network: try await network())
        let asks = !answers.network.isSandbox
        if asks { dialog?.show(.network(answers.network)) }
        let check = EndpointCheck(tools: tools, network: answers.network)
        answers.nodes = try await addresses(
            flags.nodes,
            .node,
            asks ? .node(known: answers.network.nodeNames) : nil,
            answers.network,
            check.node
        )
        let takesOrders = asks && answers.network.hasExchange
        answers.relays = try await addresses(
            flags.relays,
            .relay,
            takesOrders ? .relay(known: answers.network.relayNames) : nil,
            answers.network,
            check.relay
        )
        if let nodes = answers.nodes { answers.network.rpc = nodes }
        if let relays = answers.relays {
            answers.network.relays = relays.map { RelayEndpoint(url: $0) }
        }
        if answers.network.isSandbox, let dialog, !start.isSandboxRunning {
            answers.startsSandbox = try await asksYes(.startSandbox, dialog)
        }
        answers.wallet = try await wallet(isAsked: asks)
        return answers
    }

    // MARK: Network

    private func network() async throws -> Network {
        if let name = flags.network {
            do {
                return try tools.network(name)
            } catch {
                guard let dialog else { throw error }
                dialog.show(.problem(error))
            }
        }
        guard let dialog else { return try tools.network(start.network) }
        let groups = NetworkGroup.groups(start.networks)
        let choices = groups.flatMap(\.networks)
        let isKnown = choices.contains { $0.name == start.network }
        // The sandbox needs nothing.
        let first = choices.first(where: \.isSandbox) ?? choices.first
        let usual = isKnown ? start.network : first?.name ?? start.network
        dialog.show(.networks(groups, usual: usual))
        while true {
            let typed = try await dialog.ask(.network(usual: usual))
            if typed.isEmpty { return try tools.network(usual) }
            if let number = Int(typed) {
                if choices.indices.contains(number - 1) { return choices[number - 1] }
                dialog.show(.noChoice(typed, count: choices.count, question: nil))
                continue
            }
            do throws(DexError) {
                return try tools.network(typed)
            } catch {
                dialog.show(.problem(error))
            }
        }
    }

    private func asksYes(
        _ question: SetupQuestion,
        _ dialog: any SetupDialog
    ) async throws -> Bool {
        ["", "y", "yes"].contains(try await dialog.ask(question).lowercased())
    }

    // MARK: Node and relay

    /// The tested addresses; nil if those of the settings stay.
    private func addresses(
        _ given: [String],
        _ endpoint: Endpoint,
        _ question: SetupQuestion?,
        _ network: Network,
        _ check: (String) async throws -> SetupMessage
    ) async throws -> [String]? {
        if !given.isEmpty {
            do {
                for url in given {
                    let message = try await check(url)
                    dialog?.show(message)
                }
                return given
            } catch let error as DexError {
                try Task.checkCancellation()
                guard let dialog, question != nil else { throw error }
                dialog.show(.problem(error))
            }
        }
        guard let dialog, let question else { return nil }
        while true {
            let typed = try await dialog.ask(question)
            guard !typed.isEmpty else { return nil }
            do {
                let urls = try tools.addresses(typed, endpoint, network)
                for url in urls { dialog.show(try await check(url)) }
                return urls
            } catch let error as DexError {
                // A request that a signal ended says nothing of the address.
                try Task.checkCancellation()
                dialog.show(.problem(error))
            }
        }
    }

    // MARK: Wallet

    private func wallet(isAsked: Bool) async throws -> SetupWallet? {
        // The sandbox has accounts of its own, which need no setting.
        if case .existing = flags.wallet, !isAsked { return nil }
        if let given = flags.wallet {
            do {
                return ready(try await self.wallet(given))
            } catch let error as DexError {
                guard let dialog, isAsked, error.isMendable else { throw error }
                dialog.show(.problem(error))
            }
        }
        guard let dialog, isAsked else { return nil }
        while true {
            do {
                switch try await choice(dialog) {
                case .none: return nil
                case .existing(let wallet, _): return ready(wallet)
                case .new: return ready(try await wallets.make(name(dialog)))
                case .imported(let form):
                    let file = form == .keystore ? try await dialog.ask(.keystoreFile) : nil
                    if file == "" { continue }
                    return ready(
                        try await wallets.bringIn(form, file: file, name: name(dialog))
                    )
                }
            } catch let error as DexError {
                guard error.isMendable else { throw error }
                dialog.show(.problem(error))
            }
        }
    }

    private func ready(_ wallet: SetupWallet) -> SetupWallet {
        dialog?.show(.walletReady(wallet))
        return wallet
    }

    private func wallet(_ given: SetupFlags.Wallet) async throws -> SetupWallet {
        switch given {
        case .existing(let name): try await wallets.existing(name)
        case .new(let name): try await wallets.make(wallets.freeName(name))
        case .imported(let form, let file, let name):
            try await wallets.bringIn(form, file: file, name: wallets.freeName(name))
        }
    }

    private func choice(_ dialog: any SetupDialog) async throws -> SetupWalletChoice {
        let known = try await wallets.known()
        let existing = known.map { wallet in
            SetupWalletChoice.existing(wallet, isDefault: wallet.name == start.wallet)
        }
        let choices =
            existing + [.new] + SetupWalletForm.allCases.map { .imported($0) } + [.none]
        let usual = known.firstIndex { $0.name == start.wallet } ?? 0
        dialog.show(.wallets(choices))
        while true {
            let typed = try await dialog.ask(.wallet(usual: usual + 1))
            if typed.isEmpty { return choices[usual] }
            if let number = Int(typed), choices.indices.contains(number - 1) {
                return choices[number - 1]
            }
            if let index = known.firstIndex(where: { $0.name == typed }) { return existing[index] }
            dialog.show(
                .noChoice(
                    typed,
                    count: choices.count,
                    question: Suggestion.question(typed, among: known.map(\.name))
                )
            )
        }
    }

    private func name(_ dialog: any SetupDialog) async throws -> String {
        let usual = try await wallets.freeName(nil)
        while true {
            let typed = try await dialog.ask(.walletName(usual: usual))
            do {
                return try await typed.isEmpty ? usual : wallets.freeName(typed)
            } catch let error as DexError {
                dialog.show(.problem(error))
            }
        }
    }
}

extension DexError {
    /// Another answer may help: it is not the user's decision to end.
    fileprivate var isMendable: Bool { kind != .declined && kind != .interrupted }
}
