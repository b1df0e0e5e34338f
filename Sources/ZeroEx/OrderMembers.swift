import Ethereum
import StrictJSON

/// Reads a relay's order member by member, tolerant of the variants of real relays.
///
/// Amounts are texts or JSON numbers in any notation that is exactly an integer, such as `1.7e+21`;
/// letter case is free, and words may be short. Values are strict: an amount is always a whole
/// number within its bits, and the order's hash proves it.
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
            (value.stringValue ?? value.numberText).flatMap(UInt256.init(whole:))
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

    /// The v of a signature as the contracts have it: 27 or 28 for 0 and 1 too, which some libraries
    /// write; any other byte as it is.
    mutating func recoveryByte(_ field: String) throws(OrderError) -> UInt8 {
        let number = try read(field) { value -> UInt256? in
            guard let text = value.stringValue ?? value.numberText else { return nil }
            return UInt256(whole: text) ?? UInt256(quantity: text)
        }
        guard let small = number.uint64, let byte = UInt8(exactly: small) else {
            throw malformed(field, .string(number.description))
        }
        return Self.recoveryByte(byte)
    }

    /// 27 and 28 for 0 and 1.
    static func recoveryByte(_ v: UInt8) -> UInt8 {
        v < 2 ? v + 27 : v
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
