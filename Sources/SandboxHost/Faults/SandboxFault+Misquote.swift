extension SandboxFault {
    /// The fault in the Swap API's answers, and how many have it.
    package struct Misquote: Hashable, Sendable {
        package enum Kind: String, CaseIterable, Sendable {
            /// An old block, and call data whose deadline has passed.
            case stale
            /// 3 % less than the price before, or 3 % more to pay.
            case worse
            /// The call data sends what is bought to another account.
            case recipient
            /// The call data buys another token.
            case token
            /// The call data enforces no minimum, or half of the one that the JSON names.
            case minimum
            /// An unknown contract is to be approved.
            case spender
            /// An unknown contract is called and may move the sold token.
            case settler
            /// The Settler from before the last deployment, which is genuine.
            case previous
            /// The registry says not to interact.
            case paused
            /// HTTP 200 without a trade.
            case noLiquidity = "no-liquidity"
            /// The taker is said to be short of the sold token by one unit.
            case balance
            /// Members are missing, of another type, or no whole numbers; another one each time.
            case fields
            /// HTTP 200 with a web page.
            case html
            /// The answer comes after 30 s.
            case slow

            /// The chain's registry is paused; no answer is changed.
            var isOfRegistry: Bool { self == .paused }

            /// Prices are struck, too, not only quotes.
            var strikesPrices: Bool {
                switch self {
                case .spender, .noLiquidity, .balance, .fields, .html, .slow: true
                case .stale, .worse, .recipient, .token, .minimum, .settler, .previous, .paused:
                    false
                }
            }

            /// A call of the wrapped coin's own contract has it, too.
            var strikesWraps: Bool {
                switch self {
                case .settler, .noLiquidity, .balance, .fields, .html, .slow: true
                case .stale, .worse, .recipient, .token, .minimum, .spender, .previous, .paused:
                    false
                }
            }
        }

        package let kind: Kind
        /// How many answers it strikes; nil is all until it is cleared.
        package let times: UInt64?

        package init(kind: Kind, times: UInt64? = nil) {
            self.kind = kind
            self.times = times
        }
    }
}
