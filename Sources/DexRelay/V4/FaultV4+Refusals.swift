import Ethereum
import HTTPTypes
import ZeroEx

extension FaultV4 {
    static func field(_ refusal: OrderRefusal) -> Field? {
        Field(refusal)
    }
}

extension FaultV4.Field {
    fileprivate init?(_ refusal: OrderRefusal) {
        switch refusal {
        case .closed, .full, .tooManyOfMaker, .chainUnavailable, .storeUnavailable: return nil
        case .wrongExchange(let expected):
            self.init(
                name: "verifyingContract",
                code: .addressNotSupported,
                reason: "Only orders of the exchange \(expected.lowercaseHex) are carried"
            )
        case .wrongChain:
            self.init(
                name: "chainId",
                code: .valueOutOfRange,
                reason: "Only orders of the relay's own chain are carried"
            )
        case .makerTokenNotCarried: self.init(token: "makerToken")
        case .takerTokenNotCarried: self.init(token: "takerToken")
        case .pairNotCarried:
            self.init(
                name: "takerToken",
                code: .valueOutOfRange,
                reason: "The token is not carried against the maker token"
            )
        case .zeroMakerAmount: self.init(aboveZero: "makerAmount")
        case .zeroTakerAmount: self.init(aboveZero: "takerAmount")
        case .makerAmountOutOfRange(let minimum, let maximum):
            self.init(
                name: "makerAmount",
                code: .valueOutOfRange,
                reason: OrderRefusal.bounds(minimum, maximum)
            )
        case .takerAmountOutOfRange(let minimum, let maximum):
            self.init(
                name: "takerAmount",
                code: .valueOutOfRange,
                reason: OrderRefusal.bounds(minimum, maximum)
            )
        case .expired(let now, let shortestLife):
            self.init(
                name: "expiry",
                code: .valueOutOfRange,
                reason: "Must be at least \(shortestLife) seconds away; it is \(now) now"
            )
        case .feeRecipient(let expected):
            self.init(
                name: "feeRecipient",
                code: .addressNotSupported,
                reason: "Must be \(expected.lowercaseHex), as POST /order_config answers"
            )
        // v4 orders have no maker fee that could be wrong.
        case .makerFee: self.init(name: "order", code: .invalidOrder, reason: "Has a maker fee")
        case .takerFee(let expected):
            self.init(
                name: "takerTokenFeeAmount",
                code: .valueOutOfRange,
                reason: "Must be \(expected), as POST /order_config answers"
            )
        case .zeroMaker:
            self.init(
                name: "maker",
                code: .addressNotSupported,
                reason: "Must not be the zero address"
            )
        case .badSignature:
            self.init(
                name: "signature",
                code: .invalidSignatureOrHash,
                reason: "The signature was not made by the maker over this order's hash; "
                    + "v must be 27 or 28 and s in the lower half"
            )
        case .usedUp:
            self.init(
                name: "takerAmount",
                code: .invalidOrder,
                reason: "The order is filled or cancelled: nothing is left of it"
            )
        case .shortage(let shortage): self.init(shortage)
        }
    }

    private init(token name: String) {
        self.init(name: name, code: .valueOutOfRange, reason: "The token is not carried")
    }

    private init(aboveZero name: String) {
        self.init(name: name, code: .valueOutOfRange, reason: "Must be above 0")
    }

    private init(_ shortage: OrderAudit.Shortage) {
        let (what, needed, found) =
            switch shortage {
            case .balance(let needed, let found), .feeBalance(let needed, let found):
                ("balance of the maker token", needed, found)
            case .allowance(let needed, let found), .feeAllowance(let needed, let found):
                ("allowance of the maker token to the exchange", needed, found)
            }
        self.init(
            name: "makerAmount",
            code: .invalidOrder,
            reason: "The maker's \(what) is \(found), but the order needs \(needed)"
        )
    }
}

extension FaultV4 {
    /// The answer to a body that matches the schema but is not an order.
    init(_ error: OrderError) {
        switch error {
        case .missing(let field): self = .validation([.required(field)])
        case .tooLarge(let field, let bits):
            self = .validation(field, .valueOutOfRange, "Must be below 2^\(bits)")
        case .impossibleFee(let problem):
            self = .validation("takerTokenFeeAmount", .valueOutOfRange, problem)
        case .malformed(let field, _):
            self = .validation(field, .incorrectFormat, "Incorrect format")
        case .notAnOrder: self.init(status: .badRequest, reason: "The body is not an order")
        }
    }
}
