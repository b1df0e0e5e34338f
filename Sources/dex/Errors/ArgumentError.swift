import DexCore
import DexSettings
import Ethereum

/// An invalid argument of a command.
enum ArgumentError: ErrorArea {
    case unlockedTooLong
    case badLimit(String, option: String)
    case limitTwice(token: String, option: String)
    case networkExists(String)
    case badNetworkName
    /// Of an address or an alias.
    case badLabel(String)
    case labelTaken(String, by: KnownAddresses.Source)
    case aliasOfCommand(String)
    case aliasOfNothing(String, known: [String])
    case noSuchAlias(String, known: [String])
    case noSuchOrder(String)
    case orderNotText(file: String)
    case badDuration(String)
    /// Of an order.
    case badExpiry(String)
    case unrecoverable(reason: String)
    case otherSigner(expected: Address, signer: Address)
    case noFile(String)
    case badSignature(String)
    /// Of EIP-712.
    case badTypedData(reason: String)
    case usage(message: String)
    /// `dex init` without a terminal to ask on, and without `--yes`.
    case nobodyToAsk
    /// `dex live` where the output is no terminal, or one that cannot be drawn on.
    case liveNeedsTerminal(pair: String)
    /// `dex live` without a pair, where none can be chosen.
    case noPair
    /// A private key or a recovery phrase; no case holds it.
    case secret(SecretArguments.Kind)

    /// What to do about a secret on a command line.
    static let historyHint =
        "A secret on the command line is now in your shell's history, and other programs could read "
        + "it. Remove it there; if it guards money, move that to a new key. dex asks for secrets, or "
        + "reads them from a file: dex wallet import key --from FILE"

    var report: ErrorReport {
        switch self {
        case .unlockedTooLong:
            ErrorReport(
                .usage,
                "bad-duration",
                "A key may be unlocked for 24 hours at the most.",
                hint: "Such as --for 8h."
            )
        case .badLimit(let text, let option):
            ErrorReport(
                .usage,
                "bad-limit",
                "\(option) takes TOKEN=AMOUNT, not "
                    + "\(PlainText.quoted(text, limit: 80)).",
                hint: "Such as \(option) WETH=2."
            )
        case .limitTwice(let token, let option):
            ErrorReport(
                .usage,
                "bad-limit",
                "\(option) names \(PlainText.clean(token, limit: 80)) twice."
            )
        case .networkExists(let name):
            ErrorReport(
                .usage,
                "network-exists",
                "There is a network \(name) already.",
                hint: "Change it: dex config set networks.\(name).KEY VALUE"
            )
        case .badNetworkName:
            ErrorReport(.usage, "bad-name", "A network's name is \(SettingKind.name.expectation).")
        case .badLabel(let name):
            ErrorReport(
                .usage,
                "bad-name",
                "\(PlainText.quoted(name, limit: 80)) is not a name: 1 to 32 letters, digits, "
                    + "- and _, which do not begin with 0x, are expected."
            )
        case .labelTaken(let name, let source):
            ErrorReport(
                .usage,
                "bad-name",
                "\"\(name)\" is a name already: \(source.rawValue).",
                hint: source == .addressBook
                    ? "Remove it first: dex address remove \(name)" : "Choose another one."
            )
        case .aliasOfCommand(let name):
            ErrorReport(
                .usage,
                "bad-name",
                "\"\(name)\" is a command of dex, which an alias cannot replace.",
                hint: "Choose another name."
            )
        case .aliasOfNothing(let command, let known):
            ErrorReport(
                .usage,
                "bad-alias",
                "\(PlainText.quoted(command, limit: 200)) does not begin with a command of dex.",
                hint: Suggestion.behind(
                    command.split(separator: " ").first.map(String.init) ?? "",
                    among: known,
                    "Such as: dex alias set zb 'market-buy ZRX/WETH'"
                )
            )
        case .noSuchAlias(let name, let known):
            ErrorReport(
                .usage,
                "no-such-alias",
                "There is no alias \(PlainText.quoted(name, limit: 64)).",
                hint: Suggestion.behind(name, among: known, "See them: dex alias list")
            )
        case .noSuchOrder(let order):
            ErrorReport(
                .usage,
                "no-such-order",
                "\(PlainText.quoted(order, limit: 200)) is neither an order hash (0x "
                    + "and at least 4 of its 64 digits) nor a file.",
                hint: "Find orders with: dex orders"
            )
        case .orderNotText(let file):
            ErrorReport(.usage, "bad-order", "\(file) is not UTF-8 text.")
        case .badDuration(let text):
            ErrorReport(
                .usage,
                "bad-duration",
                "\(PlainText.quoted(text, limit: 40)) is not a time from 1s to 3650d: "
                    + "numbers with s, m, h, d or w are expected.",
                hint: "Such as 24h or 1d12h."
            )
        case .badExpiry(let text):
            ErrorReport(
                .usage,
                "bad-expiry",
                "\(PlainText.quoted(text, limit: 40)) says no time at which an order expires: a "
                    + "lifetime up to 3650d, a day or a time in UTC is expected.",
                hint: "Such as --expires 24h, --expires 1d12h, --expires 2026-12-01, "
                    + "--expires 2026-12-01T18:30:00Z or --expires 18:30."
            )
        case .unrecoverable(let reason):
            ErrorReport(.wallet, "wrong-signature", reason)
        case .otherSigner(let expected, let signer):
            ErrorReport(
                .wallet,
                "wrong-signature",
                "\(expected.checksummed) did not sign this; for this message the "
                    + "signature would be one of \(signer.checksummed)."
            )
        case .noFile(let file):
            ErrorReport(
                .usage,
                "no-file",
                "The file \(PlainText.clean(file, limit: 200)) does not exist."
            )
        case .badSignature(let text):
            ErrorReport(
                .usage,
                "bad-signature",
                "\(PlainText.quoted(text, limit: 140)) is no signature: 0x and 130 "
                    + "hexadecimal digits, of which the last two are 1b, 1c, 00 or 01, are expected."
            )
        case .badTypedData(let reason):
            ErrorReport(
                .usage,
                "bad-typed-data",
                "This is no typed data of EIP-712: \(PlainText.clean(reason, limit: 400))",
                hint: "It is JSON with types, primaryType, domain and message, as for "
                    + "eth_signTypedData_v4."
            )
        case .usage(let message):
            ErrorReport(.usage, "usage", message, hint: "dex --help")
        case .nobodyToAsk:
            ErrorReport(
                .usage,
                "nobody-to-ask",
                "dex init asks its questions on a terminal, and there is none, or --json is given.",
                hint: "Answer by flags: dex init --network NAME --rpc URL --relay URL "
                    + "--wallet NAME --yes"
            )
        case .liveNeedsTerminal(let pair):
            ErrorReport(
                .usage,
                "needs-terminal",
                "dex live draws on a whole terminal, and there is none, or TERM is dumb.",
                hint: "Follow the book as text: dex orderbook "
                    + "\(PlainText.clean(pair, limit: 100)) --watch"
            )
        case .secret(let kind):
            ErrorReport(
                .usage,
                "secret-argument",
                (kind == .key
                    ? "An argument looks like a private key"
                    : "Some arguments look like a recovery phrase")
                    + ": nothing was done, and it is not repeated here.",
                hint: Self.historyHint
            )
        case .noPair:
            ErrorReport(
                .usage,
                "no-pair",
                "No pair is named, and the relay lists none.",
                hint: "Name one: dex live ZRX/WETH, or keep one: dex config set trade.pair ZRX/WETH"
            )
        }
    }
}
