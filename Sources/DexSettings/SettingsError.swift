package import DexCore
package import ZeroEx

/// An unusable setting or settings file.
package enum SettingsError: ErrorArea {
    package static func unknownNetwork(name: String, known: [String]) -> DexError {
        row(
            .configuration("unknown-network"),
            // What was meant comes before the long list.
            [
                "There is no network \(PlainText.quoted(name, limit: 60)).",
                Suggestion.question(name, among: known),
                "There are \(known.joined(separator: ", ")).",
            ].compactMap(\.self).joined(separator: " "),
            hint: "Add it: dex network add \(SettingKind.isName(name) ? name : "NAME") "
                + "--chain-id N --exchange ADDRESS --rpc URL --relay URL"
        )
    }

    /// A test network whose chain no longer runs.
    package static func endedNetwork(name: String) -> DexError {
        row(
            .configuration("unknown-network"),
            "The test network \(name) is gone: its chain no longer runs.",
            hint: "Try things offline: dex sandbox up --detach; or on a public test chain: "
                + "dex init --network sepolia"
        )
    }

    package static func incompleteNetwork(
        name: String,
        path: String,
        missing: String
    ) -> DexError {
        row(
            .configuration("incomplete-network"),
            "The network \(name) in \(path) has no \(missing).",
            hint: "Set it: dex config set networks.\(name).\(missing) VALUE"
        )
    }

    package static func otherSigning(
        network: String,
        path: String,
        signing: OrderSigning,
        version: ProtocolVersion
    ) -> DexError {
        row(
            .configuration("bad-order-signature"),
            "The network \(network) in \(path) has the signature "
                + "\(signing.rawValue), which 0x \(version.rawValue) does not take; it "
                + "takes \(version.orderSignings.map(\.rawValue).joined(separator: ", ")).",
            hint: "Set it: dex config set networks.\(network).signature "
                + version.orderSignings.map(\.rawValue).joined(separator: ", ")
        )
    }

    /// A list of feeds that is not as long as that of the relays.
    package static func otherFeeds(
        network: String,
        path: String,
        feeds: Int,
        relays: Int
    ) -> DexError {
        row(
            .configuration("bad-feeds"),
            "The network \(network) in \(path) has \(feeds) \(feeds == 1 ? "feed" : "feeds") "
                + "for \(relays) \(relays == 1 ? "relay" : "relays").",
            hint: "Name one for each relay, \"usual\" or \"none\" included, or no feed at all: "
                + "dex config unset networks.\(network).feed"
        )
    }

    package static func malformedFile(
        path: String,
        line: Int?,
        what: String,
        hint: String?
    ) -> DexError {
        row(
            .configuration("bad-config"),
            "\(path)\(line.map { ":\($0)" } ?? ""): \(what).",
            hint: hint
        )
    }

    package static func badValue(
        name: String,
        kind: SettingKind,
        value: SettingValue
    ) -> DexError {
        row(
            .usage("bad-setting"),
            "\(name) takes \(kind.expectation)\(kind.refusal(of: value))."
        )
    }

    package static func layout(path: String, settings: [String]) -> DexError {
        row(
            .configuration("config-layout"),
            "\(path) is laid out in a way that dex cannot change without losing something.",
            hint: "Set \(settings.joined(separator: ", ")) by hand in an editor."
        )
    }

    package static func unknownKey(keys: [String], known: [String]) -> DexError {
        row(
            .usage("unknown-setting"),
            "There is no setting \(PlainText.clean(keys.joined(separator: "."), limit: 100)).",
            hint: Suggestion.behind(
                keys.joined(separator: "."),
                among: known,
                "The settings are \(known.joined(separator: ", "))."
            )
        )
    }

    package static func badSigner(name: String, path: String, _ fault: SignerFault) -> DexError {
        row(
            .configuration("bad-signer"),
            "The signer \(name) in \(path) \(fault.words).",
            hint: fault.setting.map { "Set it: dex config set signers.\(name).\($0)" }
                ?? "Correct [signers.\(name)] in an editor."
        )
    }

    /// A file where a network's own token list would be made.
    package static func strayTokenList(path: String, network: String) -> DexError {
        row(
            .configuration("stray-token-list"),
            "\(path) exists, and the network \(network) does not use it.",
            hint: "Use it: dex config set networks.\(network).tokens \(path), or move it away."
        )
    }

    package static func tokenListChanged(path: String) -> DexError {
        row(
            .configuration("config-changed"),
            "\(path) was changed by another program meanwhile. It keeps that change.",
            hint: "Run the command again."
        )
    }

    /// A setting with which every command of a kind would be refused.
    package static func refusesAll(_ key: String, _ refusal: Refusal) -> DexError {
        row(
            .usage("bad-setting"),
            "\(key) was not changed: \(refusal.words.reason).",
            hint: refusal.words.mend
        )
    }

    /// The reason why a setting lets nothing through.
    package enum Refusal: Hashable, Sendable {
        /// Above the most that needs no flag.
        case highSlippage
        case noGas
        /// So many nodes are named, fewer than must agree.
        case fewNodes(Int)

        fileprivate var words: (reason: String, mend: String) {
            switch self {
            case .highSlippage:
                (
                    "above 5 % every market order is refused without --allow-high-slippage",
                    "Set at most 5, and name a higher one where it is meant: --slippage PCT "
                        + "--allow-high-slippage"
                )
            case .noGas:
                ("no transaction costs nothing, so all would be refused", "Set an amount above 0.")
            case .fewNodes(let count):
                (
                    "only \(count) \(count == 1 ? "node is" : "nodes are") named in rpc, so nothing "
                        + "would ever be agreed on",
                    "Name more nodes first: dex config set networks.NAME.rpc URL,URL"
                )
            }
        }
    }
}

/// The reason why a signer cannot be used as it is described.
package enum SignerFault: Hashable, Sendable {
    case noAddress
    /// A command, to which `message_method` means nothing.
    case commandWithMethod
    case noWay
    case twoWays
    /// In seconds.
    case timeout(UInt64)

    fileprivate var words: String {
        switch self {
        case .noAddress: "has no address"
        case .commandWithMethod: "has a command, to which message_method means nothing"
        case .noWay: "has neither rpc nor command"
        case .twoWays: "has both rpc and command"
        case .timeout(let seconds):
            "has a timeout of \(seconds) s, and 1 to \(SignerSettings.longestTimeout) are possible"
        }
    }

    /// The setting that is missing, with what it takes.
    fileprivate var setting: String? {
        switch self {
        case .noAddress: "address ADDRESS"
        case .noWay: "rpc URL"
        case .commandWithMethod, .twoWays, .timeout: nil
        }
    }
}
