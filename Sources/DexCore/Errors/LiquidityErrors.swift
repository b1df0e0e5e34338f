import Ethereum
package import ZeroEx

/// A swap API that gave no usable answer, or would not answer.
extension LiquidityError: ReportedError {
    package static let concerns: ErrorConcerns = [.venue, .market]

    package var report: DexError {
        switch self {
        case .unreachable(let url, let reason):
            Self.row(
                .unreachable("swap-unreachable"),
                Self.sentence("No answer from the swap API at \(url): \(reason)"),
                hint: "Check the network, and swap.api in config.toml, and try again; or trade on "
                    + "the book alone: --via book.",
                retryable: true
            )
        case .nonsense(let problem):
            Self.row(
                .unreachable("swap-nonsense"),
                Self.sentence("The swap API's answer breaks its own description: \(problem)"),
                hint: "Check that swap.api in config.toml is the base address of 0x's Swap API v2, "
                    + "such as https://api.0x.org; or trade on the book alone: --via book."
            )
        case .rateLimited(let url, let seconds):
            Self.row(
                .unreachable("swap-rate-limited"),
                Self.sentence("The swap API at \(url) takes no more requests for now"),
                hint: seconds.map { "Try again in \($0) s." }
                    ?? "Wait until it takes requests again.",
                retryable: true
            )
        case .badKey(let url):
            Self.row(
                .configuration("swap-key-refused"),
                Self.sentence("The swap API at \(url) refuses the key (HTTP 401)"),
                hint: "Correct DEX_ZEROEX_API_KEY, or the file that swap.key_file in config.toml "
                    + "names; `dex doctor` checks the key."
            )
        case .regionBlocked(let url):
            Self.row(
                .unreachable("swap-region"),
                Self.sentence("The swap API at \(url) does not serve this region (HTTP 451)"),
                hint: "Trade on the book alone: --via book."
            )
        case .noLiquidity:
            Self.row(
                .refused("no-liquidity"),
                "The swap API has no liquidity for this trade.",
                hint: "Try another amount, or the book: --via book.",
                retryable: true
            )
        case .noPool:
            Self.row(
                .refused("no-pool"),
                "No Uniswap pool on this chain trades this pair in this size.",
                hint: "Try a smaller amount: dex price PAIR --amount N. Or leave --via pools out.",
                retryable: true,
                concerns: .absentPools
            )
        case .unpooled:
            Self.row(
                .refused("no-pool"),
                "No Uniswap pool of this pair on this chain has liquidity.",
                hint: "dex price PAIR --amount N also tries paths over other tokens.",
                retryable: true,
                concerns: [.absentPools, .pair]
            )
        case .unprovenToken(let token):
            Self.row(
                .refused("unproven-token"),
                "\(token.checksummed) is in no token list, and may keep a part of each transfer: only "
                    + "a v2 pair enforces what arrives of it, and none trades this.",
                hint: "If you trust it, put it into the token list of config.toml: "
                    + "networks.NAME.tokens. Or sell an exact amount instead."
            )
        case .exactInOnly:
            Self.row(
                .refused("exact-in-only"),
                "Only v2 pairs trade this, through a router that does not see how much arrives of a "
                    + "fixed purchase.",
                hint: "Fix what is paid instead: dex market-buy PAIR --spend N, or dex market-sell."
            )
        case .absent:
            Self.row(
                .configuration("no-pools"),
                "The node's chain has no Uniswap contracts where they should be.",
                hint: "Check rpc in config.toml; or trade on the book alone: --via book.",
                concerns: [.absentVenue, .absentPools]
            )
        case .foreignContracts(let fault): fault.report
        case .chain(let error): error.report.concerning(.venueNode)
        case .exactOutUnsupported:
            Self.row(
                .refused("swap-exact-out"),
                "The swap API cannot fix the bought amount of this trade.",
                hint:
                    "Sell what you would pay with `dex market-sell`, or trade on the book: --via book."
            )
        case .refused(let status, let name, let reason, let fields):
            Self.row(
                .refused("swap-refused"),
                Self.refusal(status, name, reason, fields),
                hint: "The venue's reason says what to change; or trade on the book: --via book."
            )
        }
    }

    private static func sentence(_ text: String) -> String {
        PlainText.sentence(text)
    }

    /// One sentence, and a line for each parameter that was refused; the venue's text never starts
    /// its own line.
    private static func refusal(
        _ status: Int,
        _ name: String,
        _ reason: String,
        _ fields: [FieldReason]
    ) -> String {
        let words = [PlainText.name(name), PlainText.quoted(reason, limit: 300)]
            .filter { $0 != "\"\"" }.joined(separator: ": ")
        let start = "The swap API refused (HTTP \(status))"
        let reported = PlainText.sentence(words.isEmpty ? start : "\(start): \(words)")
        let lines = fields.prefix(20).map { field in
            "\n- "
                + PlainText.sentence(
                    "\(PlainText.name(field.field)): \(PlainText.quoted(field.reason, limit: 200))"
                )
        }
        return reported + lines.joined()
    }
}

/// A quote that must not be signed.
extension QuoteFault: ReportedError {
    package var report: DexError {
        switch self {
        case .counterfeit(let field, let expected, let found):
            Self.row(
                .refused("counterfeit-quote"),
                "The swap API's quote is not genuine: \(Self.plain(field)) has to be "
                    + "\(Self.plain(expected)), and is \(Self.plain(found)). The trade was not signed.",
                hint: "Trade on the book: --via book. If it happens again, check swap.api in "
                    + "config.toml: whoever answers there may want your tokens."
            )
        case .otherContract(let field, let expected, let found):
            Self.row(
                .refused("other-router"),
                "Uniswap's contracts are not as they should be: \(Self.plain(field)) has to be "
                    + "\(Self.plain(expected)), and is \(Self.plain(found)). The trade was not signed.",
                hint: "Check the node: dex doctor. Whoever answers there may want your tokens."
            )
        case .unprotected:
            Self.row(
                .refused("unprotected-quote"),
                "The swap API's quote has no minimum in its call data, so nothing would enforce "
                    + "what you receive. The trade was not signed.",
                hint: "Trade on the book: --via book."
            )
        case .paused:
            Self.row(
                .refused("swap-paused"),
                "The registry of 0x's contracts says that swaps are paused. The trade was not signed.",
                hint: "Trade on the book: --via book. Or try again later.",
                retryable: true
            )
        }
    }

    private static func plain(_ text: String) -> String { PlainText.clean(text, limit: 200) }
}
