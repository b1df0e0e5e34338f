import Ethereum

extension ExchangeRevertV4: CustomStringConvertible {
    /// The message shown to the user; a contract's words are unchanged and of any length.
    public var description: String {
        switch self {
        case .orderNotFillable(let hash, let status): Self.notFillable(hash, status)
        case .orderNotFillableByTaker(let hash, let taker, let orderTaker):
            "The order \(hash) is reserved for the taker \(orderTaker), not for \(taker)."
        case .orderNotFillableBySender(let hash, let sender, let orderSender):
            "The order \(hash) may only be filled by calls from \(orderSender), not from \(sender)."
        case .orderNotFillableByOrigin(let hash, let txOrigin, let orderTxOrigin):
            "The order \(hash) may only be filled by transactions of \(orderTxOrigin), not of "
                + "\(txOrigin)."
        case .orderNotSignedByMaker(let hash, let signer, let maker):
            "The order \(hash) was signed by \(signer) and not by its maker \(maker), or it names "
                + "the wrong type of signature."
        case .signatureValidation(let code, let hash):
            "The signature over \(hash) is not valid: \(Self.signatureFault(code))."
        case .fillOrKillFailed(let hash, let filled, let wanted):
            "Of the order \(hash) only \(filled) of \(wanted) base units of its taker token could "
                + "be filled, and all or nothing was asked for."
        case .batchFillIncomplete(let hash, let filled, let wanted):
            "Of the order \(hash) only \(filled) of \(wanted) base units of its taker token could "
                + "be filled, and the whole batch was to be filled or none of it."
        case .onlyOrderMakerAllowed(let hash, let sender, let maker):
            "The order \(hash) can only be cancelled by its maker \(maker), not by \(sender)."
        case .cancelSaltTooLow(let salt, let oldSalt):
            "Orders of the pair are cancelled below the salt \(oldSalt) already; it cannot go down "
                + "to \(salt)."
        case .invalidSigner(let maker, let signer):
            "\(signer) is not registered to sign for the maker \(maker)."
        case .protocolFeeRefundFailed(let receiver, let amount):
            "The rest of the protocol fee, \(amount) wei, could not be given back to \(receiver)."
        case .notImplemented(let selector):
            "The exchange has no function \(Self.digits(selector)) on this chain."
        case .words(let text): Self.sentence(text)
        case .transferFailed(let token, let from, let to, let amount, let inner):
            "The token \(token) did not move \(amount) base units from \(from) to \(to): "
                + Self.inner(inner)
        }
    }

    private static func notFillable(_ hash: OrderHash, _ status: UInt8) -> String {
        switch OrderStatusV4(rawValue: status) {
        case .invalid?: "The order \(hash) is not valid: it names no origin of transactions."
        case let status?: "The order \(hash) cannot be filled: it is \(status.words)."
        case nil: "The order \(hash) cannot be filled: its status is \(status)."
        }
    }

    private static func signatureFault(_ code: UInt8) -> String {
        switch code {
        case 0: "its type is 1, which is never valid"
        case 2: "its type is 4 (presigned), which is not for orders"
        case 3: "its type is 0, which is illegal"
        case 5: "its v, r or s is not what a key makes, or s is in the upper half"
        default: "the contract's code is \(code)"
        }
    }

    /// A message for the words of `require`, which are not full sentences.
    private static func sentence(_ words: String) -> String {
        switch words {
        case "": "The contract gave no reason."
        case "FixinProtocolFees/ETHER_TRANSFER_FALIED", "FixinProtocolFees/ETHER_TRANSFER_FAILED":
            "The transaction carries too little of the coin for the protocol fee (\(words))."
        default: "The contract's reason: \(ForeignWords.quoted(words, limit: 300))"
        }
    }

    private static func inner(_ data: [UInt8]) -> String {
        if data.isEmpty { return "it gave no reason." }
        // Nested reasons are not decoded further.
        if case .words(let words)? = ExchangeRevertV4(data), !words.isEmpty {
            return ForeignWords.quoted(words, limit: 300)
        }
        return Hex.encode(data.prefix(260)) + (data.count > 260 ? "…" : "")
    }

    private static func digits(_ selector: UInt32) -> String {
        Hex.encode((0..<4).map { UInt8(truncatingIfNeeded: selector >> (24 - 8 * $0)) })
    }
}
