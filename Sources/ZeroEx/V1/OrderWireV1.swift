import Ethereum
import StrictJSON

/// A v1 order in the form of the standard relayer API v0.
///
/// Reading is as tolerant as `OrderMembers`. The taker and feeRecipient may be absent, and v may be
/// text, or 0 and 1.
enum OrderWireV1 {
    static func decode(_ json: JSONValue) throws(OrderError) -> SignedOrderV1 {
        guard let object = order(in: json) else { throw .notAnOrder }
        var members = OrderMembers(object)
        let terms = OrderDraft(
            exchange: try members.address("exchangeContractAddress"),
            maker: try members.address("maker"),
            taker: try members.optionalAddress("taker"),
            makerToken: try members.address("makerTokenAddress"),
            takerToken: try members.address("takerTokenAddress"),
            makerAmount: try members.number("makerTokenAmount"),
            takerAmount: try members.number("takerTokenAmount"),
            expiry: try members.number("expirationUnixTimestampSec"),
            salt: try members.number("salt"),
            fees: OrderFees(
                recipient: try members.optionalAddress("feeRecipient"),
                makerFee: try members.number("makerFee"),
                takerFee: try members.number("takerFee")
            )
        )
        return SignedOrderV1(terms: terms, signature: try signature(in: &members))
    }

    /// An order's members in the order of the API documentation.
    static func encode(_ terms: OrderDraft, signature: Signature?) -> JSONValue {
        var json: JSONValue = [
            "exchangeContractAddress": .string(terms.exchange.lowercaseHex),
            "maker": .string(terms.maker.lowercaseHex),
            "taker": .string(terms.taker.lowercaseHex),
            "makerTokenAddress": .string(terms.makerToken.lowercaseHex),
            "takerTokenAddress": .string(terms.takerToken.lowercaseHex),
            "feeRecipient": .string(terms.fees.recipient.lowercaseHex),
            "makerTokenAmount": .string(terms.makerAmount.description),
            "takerTokenAmount": .string(terms.takerAmount.description),
            "makerFee": .string(terms.fees.makerFee.description),
            "takerFee": .string(terms.fees.takerFee.description),
            "expirationUnixTimestampSec": .string(terms.expiry.description),
            "salt": .string(terms.salt.description),
        ]
        if let signature, case .object(var object) = json {
            object["ecSignature"] = [
                "v": .integer(signature.v),
                "r": .string(signature.r.hex),
                "s": .string(signature.s.hex),
            ]
            json = .object(object)
        }
        return json
    }

    /// The text of `encode`, written without a tree of values.
    static func text(_ order: SignedOrderV1) -> [UInt8] {
        let terms = order.terms
        var writer = OrderTextWriter(capacity: 1_024)
        writer.open()
        writer.put("exchangeContractAddress", terms.exchange)
        writer.put("maker", terms.maker)
        writer.put("taker", terms.taker)
        writer.put("makerTokenAddress", terms.makerToken)
        writer.put("takerTokenAddress", terms.takerToken)
        writer.put("feeRecipient", terms.fees.recipient)
        writer.put("makerTokenAmount", terms.makerAmount)
        writer.put("takerTokenAmount", terms.takerAmount)
        writer.put("makerFee", terms.fees.makerFee)
        writer.put("takerFee", terms.fees.takerFee)
        writer.put("expirationUnixTimestampSec", terms.expiry)
        writer.put("salt", terms.salt)
        writer.name("ecSignature")
        writer.open()
        writer.put("v", number: UInt64(order.signature.v))
        writer.put("r", order.signature.r)
        writer.put("s", order.signature.s)
        writer.close()
        writer.close()
        return writer.bytes
    }

    /// The body of a fee request: nine members without fees and signature.
    static func encodeDraft(_ draft: OrderDraft) -> JSONValue {
        guard case .object(var object) = encode(draft, signature: nil) else { return .null }
        for name in ["feeRecipient", "makerFee", "takerFee"] { object[name] = nil }
        return .object(object)
    }

    /// The order itself, or the one in the envelope of a later API or of Radar Relay.
    private static func order(in json: JSONValue) -> JSONObject? {
        guard let object = json.objectValue else { return nil }
        if object["maker"] != nil { return object }
        return object["order"]?.objectValue ?? object["signedOrder"]?.objectValue ?? object
    }

    private static func signature(in members: inout OrderMembers) throws(OrderError) -> Signature {
        var parts = try members.members("ecSignature")
        let yParity = try parity(&parts)
        let r = try parts.word("r")
        let s = try parts.word("s")
        guard let signature = Signature(r: r, s: s, yParity: yParity) else {
            throw parts.malformed("v", .integer(yParity))
        }
        return signature
    }

    private static func parity(_ parts: inout OrderMembers) throws(OrderError) -> UInt8 {
        switch try parts.recoveryByte("v") {
        case 27: return 0
        case 28: return 1
        case let other: throw parts.malformed("v", .integer(other))
        }
    }
}
