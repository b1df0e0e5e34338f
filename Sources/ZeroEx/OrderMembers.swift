import Ethereum
import StrictJSON

/// Reads a relay's order member by member, tolerant of the variants of real relays.
///
/// Amounts are texts or JSON integers, with an optional fraction of zeros; letter case is free, and
/// words may be short. Values are strict: an amount is always a whole number within its bits.
struct OrderMembers {
    let object: JSONObject
    /// The member that holds this object, for errors.
    private let place: String?
    private var position = 0

    init(_ object: JSONObject, within place: String? = nil) {
        self.object = object
        self.place = place
    }

    /// The value of a member; the search starts after the previous one.
    mutating func take(_ field: String) -> JSONValue? {
        object.value(of: field, from: &position)
    }

    /// A member that may not be absent, null or of another form.
    private mutating func read<Value>(
        _ field: String,
        _ value: (JSONValue) -> Value?
    ) throws(OrderError) -> Value {
        guard let json = take(field), !json.isNull else { throw missing(field) }
        guard let value = value(json) else { throw malformed(field, json) }
        return value
    }

    mutating func address(_ field: String) throws(OrderError) -> Address {
        try read(field) { $0.stringValue.flatMap(Address.init(ifHex:)) }
    }

    mutating func optionalAddress(_ field: String) throws(OrderError) -> Address {
        switch take(field) {
        case nil, .null?, .string("")?, .string("0x")?: .zero
        default: try address(field)
        }
    }

    mutating func number(_ field: String) throws(OrderError) -> UInt256 {
        try read(field) { value in
            switch value {
            case .string(let text): Self.wholeNumber(text, allowsFraction: true)
            case .number(let text): Self.wholeNumber(text, allowsFraction: false)
            default: nil
            }
        }
    }

    /// A number of at most this many bits; zero if it is optional and absent.
    mutating func number(
        _ field: String,
        bits: Int,
        isOptional: Bool = false
    ) throws(OrderError) -> UInt256 {
        if isOptional, take(field)?.isNull ?? true { return .zero }
        let number = try number(field)
        guard number.leadingZeroBitCount >= 256 - bits else {
            throw malformed(field, .string(number.description))
        }
        return number
    }

    /// Digits, optionally followed by a point and zeros; leading zeros are accepted.
    private static func wholeNumber(_ text: String, allowsFraction: Bool) -> UInt256? {
        // 78 digits are enough for 256 bits; the rest leaves room for zeros.
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

    /// Up to 64 digits after 0x, padded with leading zeros, which some libraries drop.
    mutating func word(_ field: String) throws(OrderError) -> Bytes32 {
        try read(field) { value in
            guard var text = value.stringValue else { return nil }
            return text.withUTF8(Self.word(hex:))
        }
    }

    /// A word as above; zero if absent.
    mutating func optionalWord(_ field: String) throws(OrderError) -> Bytes32 {
        switch take(field) {
        case nil, .null?, .string("")?, .string("0x")?: .zero
        default: try word(field)
        }
    }

    /// The object in a member.
    mutating func members(_ field: String) throws(OrderError) -> OrderMembers {
        OrderMembers(try read(field, \.objectValue), within: field)
    }

    func missing(_ field: String) -> OrderError {
        .missing(field: name(field))
    }

    func malformed(_ field: String, _ value: JSONValue) -> OrderError {
        .malformed(field: name(field), found: value.stringValue ?? value.text)
    }

    private func name(_ field: String) -> String {
        place.map { "\($0).\(field)" } ?? field
    }

    private static func word(hex text: UnsafeBufferPointer<UInt8>) -> Bytes32? {
        guard (3...66).contains(text.count), text[0] == UInt8(ascii: "0"),
            text[1] == UInt8(ascii: "x") || text[1] == UInt8(ascii: "X")
        else { return nil }
        // Sixteen digits per limb, from the end.
        guard let last = limb(text, endingAt: text.count),
            let third = limb(text, endingAt: text.count - 16),
            let second = limb(text, endingAt: text.count - 32),
            let first = limb(text, endingAt: text.count - 48)
        else { return nil }
        return Bytes32(limbs: (first, second, third, last))
    }

    /// At most 16 digits before a position, without the first two characters; 0 if none are left.
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
}
