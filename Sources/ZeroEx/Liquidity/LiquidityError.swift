public import Ethereum

/// The reason why a venue gave no usable answer.
///
/// The venue's texts are unchanged: strip control characters before showing them. No case holds
/// the key.
public enum LiquidityError: Error, Hashable, Sendable {
    /// A reason for one parameter of a refused request.
    public struct FieldReason: Hashable, Sendable {
        public let field: String
        public let reason: String

        public init(field: String, reason: String) {
            self.field = field
            self.reason = reason
        }
    }

    /// No connection, a time-out, a cut body, or a server error: a retry may help.
    case unreachable(url: String, reason: String)
    /// An answer that breaks the API.
    case nonsense(String)
    /// HTTP 429, after all attempts; seconds to wait if the venue names them.
    case rateLimited(url: String, retryAfter: Int?)
    /// The key is missing, wrong or not allowed (HTTP 401).
    case badKey(url: String)
    /// The venue does not serve this region (HTTP 451).
    case regionBlocked(url: String)
    /// A 200 without liquidity, or a refusal that says so.
    case noLiquidity
    /// No pool on the chain trades this pair in this size.
    case noPool
    /// The chain has no pool of these two tokens with liquidity, in whatever size.
    case unpooled
    /// A bought token that may keep a part of a transfer, and no pool whose contract sees that.
    case unprovenToken(Address)
    /// Pools that trade it only for an exact amount in: their contract does not see what arrives of
    /// an exact amount out.
    case exactInOnly
    /// The node's chain has none of the venue's contracts, as a test chain with a known chain id.
    case absent
    /// The venue's contracts on the chain are not what they should be.
    case foreignContracts(QuoteFault)
    /// The venue is on the chain, and its node gave no usable answer.
    case chain(ChainError)
    /// The venue cannot fix the bought amount of this trade.
    case exactOutUnsupported
    /// Any other refusal (HTTP 4xx): its name and message, and reasons for parameters.
    case refused(status: Int, name: String, reason: String, fields: [FieldReason])
}
