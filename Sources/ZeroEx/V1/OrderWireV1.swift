import Ethereum
import StrictJSON

/// A v1 order as relays of the standard relayer API v0 write it.
///
/// Reading is as tolerant as real relays need: amounts as strings or as JSON integers, a fraction
/// of zeros, any letter case, no taker or feeRecipient, short r and s, v as text or as 0 and 1.
/// What matters is strict: nothing but a whole number within 256 bits is an amount.
enum OrderWireV1 {
    static func decode(_ json: JSONValue) throws(OrderError) -> SignedOrderV1 {
        guard let object = order(in: json) else { throw .notAnOrder }
        var members = Members(object)
        let terms = OrderDraft(
            exchange: try address("exchangeContractAddress", in: &members),
            maker: try address("maker", in: &members),
            taker: try optionalAddress("taker", in: &members),
            makerToken: try address("makerTokenAddress", in: &members),
            takerToken: try address("takerTokenAddress", in: &members),
            makerAmount: try number("makerTokenAmount", in: &members),
            takerAmount: try number("takerTokenAmount", in: &members),
            expiry: try number("expirationUnixTimestampSec", in: &members),
            salt: try number("salt", in: &members),
            fees: OrderFees(
                recipient: try optionalAddress("feeRecipient", in: &members),
                makerFee: try number("makerFee", in: &members),
                takerFee: try number("takerFee", in: &members)
            )
        )
        return SignedOrderV1(terms: terms, signature: try signature(in: &members))
    }

    /// An object that is read member after member.
    private struct Members {
        let object: JSONObject
        private var position = 0

        init(_ object: JSONObject) {
            self.object = object
        }

        mutating func take(_ field: String) -> JSONValue? {
            object.value(of: field, from: &position)
        }
    }

    /// An order's members in the order of the API's documentation.
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

    /// The body of a request for fees: nine members, neither fees nor signature.
    static func encodeDraft(_ draft: OrderDraft) -> JSONValue {
        [
            "exchangeContractAddress": .string(draft.exchange.lowercaseHex),
            "maker": .string(draft.maker.lowercaseHex),
            "taker": .string(draft.taker.lowercaseHex),
            "makerTokenAddress": .string(draft.makerToken.lowercaseHex),
            "takerTokenAddress": .string(draft.takerToken.lowercaseHex),
            "makerTokenAmount": .string(draft.makerAmount.description),
            "takerTokenAmount": .string(draft.takerAmount.description),
            "expirationUnixTimestampSec": .string(draft.expiry.description),
            "salt": .string(draft.salt.description),
        ]
    }

    /// The order itself, or in the envelope of a later API or of Radar Relay's own.
    private static func order(in json: JSONValue) -> JSONObject? {
        guard let object = json.objectValue else { return nil }
        if object["maker"] != nil { return object }
        return object["order"]?.objectValue ?? object["signedOrder"]?.objectValue ?? object
    }

    private static func address(
        _ field: String,
        in members: inout Members
    ) throws(OrderError) -> Address {
        guard let value = members.take(field), !value.isNull else { throw .missing(field: field) }
        guard let text = value.stringValue, let address = try? Address(lenient: text) else {
            throw .malformed(field: field, found: found(value))
        }
        return address
    }

    private static func optionalAddress(
        _ field: String,
        in members: inout Members
    ) throws(OrderError) -> Address {
        switch members.take(field) {
        case nil, .null?, .string("")?, .string("0x")?: .zero
        default: try address(field, in: &members)
        }
    }

    private static func number(
        _ field: String,
        in members: inout Members
    ) throws(OrderError) -> UInt256 {
        switch members.take(field) {
        case .string(let text)?:
            guard let number = wholeNumber(text, allowsFraction: true) else {
                throw .malformed(field: field, found: text)
            }
            return number
        case .number(let text)?:
            guard let number = wholeNumber(text, allowsFraction: false) else {
                throw .malformed(field: field, found: text)
            }
            return number
        case nil, .null?: throw .missing(field: field)
        case let other?: throw .malformed(field: field, found: found(other))
        }
    }

    /// Digits, and where allowed a point and zeros behind them; leading zeros are accepted.
    private static func wholeNumber(_ text: String, allowsFraction: Bool) -> UInt256? {
        // 78 digits are enough for 256 bits; the rest is room for zeros.
        guard text.utf8.count <= 200 else { return nil }
        if let number = UInt256(decimal: text) { return number }
        guard allowsFraction, let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else {
            return nil
        }
        let fraction = text.utf8[text.utf8.index(after: point)...]
        guard !fraction.isEmpty, fraction.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
            return nil
        }
        return UInt256(decimal: String(text[..<point]))
    }

    private static func signature(in members: inout Members) throws(OrderError) -> Signature {
        guard let value = members.take("ecSignature"), !value.isNull else {
            throw .missing(field: "ecSignature")
        }
        guard let parts = value.objectValue else {
            throw .malformed(field: "ecSignature", found: found(value))
        }
        let yParity = try parity(parts["v"])
        let r = try word("r", in: parts)
        let s = try word("s", in: parts)
        guard let signature = Signature(r: r, s: s, yParity: yParity) else {
            throw .malformed(field: "ecSignature.v", found: String(yParity))
        }
        return signature
    }

    private static func parity(_ value: JSONValue?) throws(OrderError) -> UInt8 {
        guard let value, !value.isNull else { throw .missing(field: "ecSignature.v") }
        switch value.numberText ?? value.stringValue {
        case "27", "0": return 0
        case "28", "1": return 1
        default: throw .malformed(field: "ecSignature.v", found: found(value))
        }
    }

    /// Up to 64 digits behind 0x, with zeros put in front of fewer: some libraries drop them.
    private static func word(
        _ name: String,
        in parts: JSONObject
    ) throws(OrderError) -> Bytes32 {
        let field = "ecSignature.\(name)"
        guard let value = parts[name], !value.isNull else { throw .missing(field: field) }
        guard var text = value.stringValue,
            let word = text.withUTF8(Self.word(hex:))
        else { throw .malformed(field: field, found: found(value)) }
        return word
    }

    private static func word(hex text: UnsafeBufferPointer<UInt8>) -> Bytes32? {
        guard (3...66).contains(text.count), text[0] == UInt8(ascii: "0"),
            text[1] == UInt8(ascii: "x") || text[1] == UInt8(ascii: "X")
        else { return nil }
        // Sixteen digits a limb, from the end.
        guard let last = limb(text, endingAt: text.count),
            let third = limb(text, endingAt: text.count - 16),
            let second = limb(text, endingAt: text.count - 32),
            let first = limb(text, endingAt: text.count - 48)
        else { return nil }
        return Bytes32(limbs: (first, second, third, last))
    }

    /// At most 16 digits before a position, without the first two characters; none are zero.
    private static func limb(
        _ text: UnsafeBufferPointer<UInt8>,
        endingAt end: Int
    ) -> UInt64? {
        if end >= 18 {
            guard let high = Hex.word(ofDigitsAt: end - 16, in: text),
                let low = Hex.word(ofDigitsAt: end - 8, in: text)
            else { return nil }
            return UInt64(high) << 32 | UInt64(low)
        }
        var limb: UInt64 = 0
        for index in max(2, end - 16)..<max(2, end) {
            guard let digit = Hex.value(ofDigit: text[index]) else { return nil }
            limb = limb << 4 | UInt64(digit)
        }
        return limb
    }

    private static func found(_ value: JSONValue) -> String {
        value.stringValue ?? value.text
    }
}
