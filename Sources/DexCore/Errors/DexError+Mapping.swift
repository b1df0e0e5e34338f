package import DexSigning
package import DexStore
package import Ethereum
package import EthereumWallet
package import ZeroEx

/// The one place where the errors of the modules below get their exit codes.
///
/// Texts from outside are stripped of control characters here, so that no `DexError` carries any.
extension DexError {
    /// A node that gave no usable answer.
    package init(_ error: ChainError) {
        let message = PlainText.sentence(error.description, limit: 500)
        switch error {
        case .unreachable, .badStatus:
            self.init(
                .unreachable,
                code: "node-unreachable",
                message: message,
                hint: "Check the node's address (--rpc, or rpc in config.toml) and try again.",
                retryable: !error.isPermanent
            )
        case .rateLimited:
            self.init(
                .unreachable,
                code: "node-rate-limited",
                message: message,
                hint: "Wait, or name a further node with --rpc.",
                retryable: true
            )
        case .nonsense:
            self.init(
                .unreachable,
                code: "node-nonsense",
                message: message,
                hint: "Check that --rpc names the JSON-RPC address of an Ethereum node."
            )
        case .unaffordable, .missingBlock, .nonceUsed, .notTaken, .rpc:
            self.init(
                .unreachable,
                code: "node-error",
                message: message,
                hint: "Try another node with --rpc."
            )
        case .reverted:
            self.init(.simulationFailed, code: "would-revert", message: message)
        }
    }

    /// A relay that gave no usable answer, or would not answer.
    package init(_ error: RelayError) {
        let message = Self.sentence(error)
        switch error {
        case .unreachable, .badStatus:
            self.init(
                .unreachable,
                code: "relay-unreachable",
                message: message,
                hint: "Check the relay's address (--relay, or relay in config.toml) and try again.",
                retryable: !error.isPermanent
            )
        case .rateLimited:
            self.init(
                .unreachable,
                code: "relay-rate-limited",
                message: message,
                hint: "Wait until the relay takes requests again.",
                retryable: true
            )
        case .nonsense:
            self.init(
                .unreachable,
                code: "relay-nonsense",
                message: message,
                hint: "Check that --relay names the base address of a 0x relay's API, such as "
                    + "https://relay.example/v0."
            )
        case .refused:
            self.init(
                .unreachable,
                code: "relay-refused",
                message: message,
                hint: "Check that --relay names the base address of a 0x relay's API."
            )
        }
    }

    /// The same where the relay was asked about an order of ours, and may refuse it: exit 7.
    package init(order error: RelayError) {
        guard case .refused = error else {
            self.init(error)
            return
        }
        self.init(.relayRefused, code: "relay-refused", message: Self.sentence(error))
    }

    /// One sentence, and a line for each member of an order that the relay found wrong; what the
    /// relay says never makes a line of its own.
    private static func sentence(_ error: RelayError) -> String {
        guard case .refused(let status, _, let reason, let fields) = error else {
            return PlainText.sentence(error.description, limit: 500)
        }
        // An answer that is none of refusal may still tell that nothing can be placed there.
        let start =
            (200..<300).contains(status)
            ? "The relay cannot be used" : "The relay refused (HTTP \(status))"
        let told = PlainText.sentence("\(start): \(reason)", limit: 300)
        let lines = fields.prefix(20).map { field in
            "\n  " + PlainText.sentence("\(field.field): \(field.reason)", limit: 200)
        }
        return told + lines.joined()
    }

    /// An exchange contract that is none, or cannot trade.
    package init(_ error: ExchangeError) {
        switch error {
        case .notAnExchange, .otherHashes:
            self.init(
                .configuration,
                code: "not-an-exchange",
                message: error.description,
                hint: "See the network's settings with `dex network list`."
            )
        case .notAuthorized:
            self.init(.refused, code: "exchange-not-authorized", message: error.description)
        case .unreadableAnswer:
            self.init(
                .unreachable,
                code: "exchange-nonsense",
                message: PlainText.clean(error.description),
                hint: "Try another node with --rpc."
            )
        }
    }

    /// A text from a user that is not an order.
    package init(_ error: OrderError) {
        self.init(.usage, code: "bad-order", message: PlainText.clean(error.description))
    }

    /// An order that was named by the user and is not to be believed.
    package init(_ error: OrderRejection) {
        self.init(.refused, code: error.code, message: "The order is refused. \(error)")
    }

    /// A key that did not sign.
    package init(_ error: SignerError) {
        switch error {
        case .wrongChain:
            self.init(.configuration, code: "wrong-chain", message: error.description)
        case .refused:
            self.init(
                .wallet,
                code: "signer-refused",
                message: PlainText.clean(error.description)
            )
        }
    }

    /// Something that was not signed, or whose signature was not used.
    package init(_ error: SigningError) {
        let exit: ExitCode =
            switch error.kind {
            case .refused: .refused
            case .configuration: .configuration
            case .key: .wallet
            case .declined: .declined
            case .unreachable: .unreachable
            case .interrupted: .interrupted
            }
        self.init(
            exit,
            code: error.code,
            message: PlainText.clean(error.message),
            hint: error.hint.map { PlainText.clean($0) }
        )
    }

    /// A text that is not a private key; says nothing of the text.
    package init(_ error: PrivateKeyError) {
        self.init(.wallet, code: "bad-private-key", message: error.description)
    }

    /// A text from a user that is not an amount.
    package init(_ error: DecimalTextError) {
        self.init(.usage, code: "bad-amount", message: PlainText.clean(error.description))
    }

    /// A text from a user that is not an address.
    package init(_ error: AddressError) {
        self.init(.usage, code: "bad-address", message: PlainText.clean(error.description))
    }

    /// A text from a user that is not a hash.
    package init(_ error: Bytes32Error) {
        self.init(.usage, code: "bad-hash", message: PlainText.clean(error.description))
    }

    /// A journal that cannot be read or written; nothing is signed without it.
    package init(_ error: JournalError) {
        let (exit, code): (ExitCode, String) =
            switch error {
            case .notWritable: (.configuration, "journal-not-writable")
            case .corrupt: (.configuration, "journal-damaged")
            case .foreign: (.configuration, "journal-foreign")
            case .newer: (.configuration, "journal-newer")
            case .full: (.configuration, "journal-full")
            case .busy: (.fault, "journal-busy")
            case .reservationLost: (.fault, "nonce-lost")
            case .notReplaceable: (.refused, "not-replaceable")
            case .outOfRange: (.fault, "journal-out-of-range")
            case .failed: (.fault, "journal-failed")
            }
        let retryable =
            switch error {
            case .busy, .reservationLost: true
            default: false
            }
        self.init(
            exit,
            code: code,
            message: PlainText.clean(error.description),
            hint: error.hint,
            retryable: retryable
        )
    }

    /// A node of another chain than the network's.
    package static func wrongChain(node: UInt64, network: Network) -> DexError {
        DexError(
            .configuration,
            code: "wrong-chain",
            message: "The node is on chain \(node) but the network \"\(network.name)\" is chain "
                + "\(network.chainID).",
            hint: "Check --network and --rpc; nothing was signed."
        )
    }

    /// A command that needs a relay on a network that has none.
    package static func noRelay(_ network: Network) -> DexError {
        DexError(
            .configuration,
            code: "no-relay",
            message: "No relay is configured for the network \"\(network.name)\".",
            hint: "Name one with --relay URL, DEX_RELAY_URL, or relay in config.toml."
        )
    }

    /// The user or the system ended the command.
    package static let interrupted = DexError(
        .interrupted,
        code: "interrupted",
        message: "Interrupted.",
        hint: "What was sent is in the journal; `dex status HASH` shows its status."
    )

    /// The user broke off at a question or a password, before anything was signed: a decision and
    /// no error.
    package static let cancelled = DexError(
        .interrupted,
        code: "interrupted",
        message: "Cancelled. Nothing was signed or sent."
    )
}

/// What the journal gives, with its failure as a command's.
package func journaled<Value>(
    _ access: @autoclosure () throws(JournalError) -> Value
) throws(DexError) -> Value {
    do {
        return try access()
    } catch {
        throw DexError(error)
    }
}
