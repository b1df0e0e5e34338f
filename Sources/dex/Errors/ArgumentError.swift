import DexCore
import DexSettings
import Ethereum

/// An invalid argument of a command.
enum ArgumentError: ErrorArea {
    static let unlockedTooLong = row(
        .usage("bad-duration"),
        "A key may be unlocked for 24 hours at the most.",
        hint: "Such as --for 8h."
    )

    static func badLimit(_ text: String, option: String) -> DexError {
        row(
            .usage("bad-limit"),
            "\(option) takes TOKEN=AMOUNT, not \(PlainText.quoted(text, limit: 80)).",
            hint: "Such as \(option) WETH=2."
        )
    }

    static func limitTwice(token: String, option: String) -> DexError {
        row(
            .usage("bad-limit"),
            "\(option) names \(PlainText.clean(token, limit: 80)) twice."
        )
    }

    static func networkExists(_ name: String) -> DexError {
        row(
            .usage("network-exists"),
            "There is a network \(name) already.",
            hint: "Change it: dex config set networks.\(name).KEY VALUE"
        )
    }

    static let badNetworkName = row(
        .usage("bad-name"),
        "A network's name is \(SettingKind.name.expectation)."
    )

    /// Of an address or an alias.
    static func badLabel(_ name: String) -> DexError {
        row(
            .usage("bad-name"),
            "\(PlainText.quoted(name, limit: 80)) is not a name: 1 to 32 letters, digits, "
                + "- and _, which do not begin with 0x, are expected."
        )
    }

    static func labelTaken(_ name: String, by source: KnownAddresses.Source) -> DexError {
        row(
            .usage("bad-name"),
            "\"\(name)\" is a name already: \(source.rawValue).",
            hint: source == .addressBook
                ? "Remove it first: dex address remove \(name)" : "Choose another one."
        )
    }

    static func aliasOfCommand(_ name: String) -> DexError {
        row(
            .usage("bad-name"),
            "\"\(name)\" is a command of dex, which an alias cannot replace.",
            hint: "Choose another name."
        )
    }

    static func aliasOfNothing(_ command: String, known: [String]) -> DexError {
        row(
            .usage("bad-alias"),
            "\(PlainText.quoted(command, limit: 200)) does not begin with a command of dex.",
            hint: Suggestion.behind(
                command.split(separator: " ").first.map(String.init) ?? "",
                among: known,
                "Such as: dex alias set zb 'market-buy ZRX/WETH'"
            )
        )
    }

    static func noSuchAlias(_ name: String, known: [String]) -> DexError {
        row(
            .usage("no-such-alias"),
            "There is no alias \(PlainText.quoted(name, limit: 64)).",
            hint: Suggestion.behind(name, among: known, "See them: dex alias list")
        )
    }

    static func noSuchOrder(_ order: String) -> DexError {
        row(
            .usage("no-such-order"),
            "\(PlainText.quoted(order, limit: 200)) is neither an order hash (0x "
                + "and at least 4 of its 64 digits) nor a file.",
            hint: "Find orders with: dex orders"
        )
    }

    static func orderNotText(file: String) -> DexError {
        row(.usage("bad-order"), "\(file) is not UTF-8 text.")
    }

    static func badDuration(_ text: String) -> DexError {
        row(
            .usage("bad-duration"),
            "\(PlainText.quoted(text, limit: 40)) is not a time from 1s to 3650d: "
                + "numbers with s, m, h, d or w are expected.",
            hint: "Such as 24h or 1d12h."
        )
    }

    /// Of an order.
    static func badExpiry(_ text: String) -> DexError {
        row(
            .usage("bad-expiry"),
            "\(PlainText.quoted(text, limit: 40)) says no time at which an order expires: a "
                + "lifetime up to 3650d, a day or a time in UTC is expected.",
            hint: "Such as --expires 24h, --expires 1d12h, --expires 2026-12-01, "
                + "--expires 2026-12-01T18:30:00Z or --expires 18:30."
        )
    }

    static func unrecoverable(reason: String) -> DexError {
        row(.wallet("wrong-signature"), reason)
    }

    static func otherSigner(expected: Address, signer: Address) -> DexError {
        row(
            .wallet("wrong-signature"),
            "\(expected.checksummed) did not sign this; for this message the "
                + "signature would be one of \(signer.checksummed)."
        )
    }

    static func noFile(_ file: String) -> DexError {
        row(
            .usage("no-file"),
            "The file \(PlainText.clean(file, limit: 200)) does not exist."
        )
    }

    static func badSignature(_ text: String) -> DexError {
        row(
            .usage("bad-signature"),
            "\(PlainText.quoted(text, limit: 140)) is no signature: 0x and 130 "
                + "hexadecimal digits, of which the last two are 1b, 1c, 00 or 01, are expected."
        )
    }

    /// Of EIP-712.
    static func badTypedData(reason: String) -> DexError {
        row(
            .usage("bad-typed-data"),
            "This is no typed data of EIP-712: \(PlainText.clean(reason, limit: 400))",
            hint: "It is JSON with types, primaryType, domain and message, as for "
                + "eth_signTypedData_v4."
        )
    }

    static func usage(message: String) -> DexError {
        row(.usage("usage"), message, hint: "dex --help")
    }

    /// `dex init` without a terminal to ask on, and without `--yes`.
    static let nobodyToAsk = row(
        .usage("nobody-to-ask"),
        "dex init asks its questions on a terminal, and there is none, or --json is given.",
        hint: "Answer by flags: dex init --network NAME --rpc URL --relay URL --wallet NAME --yes"
    )

    /// `dex live` where the output is no terminal, or one that cannot be drawn on.
    static func liveNeedsTerminal(pair: String) -> DexError {
        row(
            .usage("needs-terminal"),
            "dex live draws on a whole terminal, and there is none, or TERM is dumb.",
            hint: "Follow the book as text: dex orderbook "
                + "\(PlainText.clean(pair, limit: 100)) --watch"
        )
    }

    /// `dex live` without a pair, where none can be chosen.
    static let noPair = row(
        .usage("no-pair"),
        "No pair is named, and the relay lists none.",
        hint: "Name one: dex live ZRX/WETH, or keep one: dex config set trade.pair ZRX/WETH"
    )

    /// A private key or a recovery phrase; no case holds it.
    static func secret(_ kind: SecretArguments.Kind) -> DexError {
        row(
            .usage("secret-argument"),
            (kind == .key
                ? "An argument looks like a private key"
                : "Some arguments look like a recovery phrase")
                + ": nothing was done, and it is not repeated here.",
            hint: Self.historyHint
        )
    }

    /// What to do about a secret on a command line.
    static let historyHint =
        "A secret on the command line is now in your shell's history, and other programs could read "
        + "it. Remove it there; if it guards money, move that to a new key. dex asks for secrets, or "
        + "reads them from a file: dex wallet import key --from FILE"
}
