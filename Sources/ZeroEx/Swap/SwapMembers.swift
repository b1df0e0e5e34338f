import Ethereum
import StrictJSON

/// Reads the members of an object in an answer of the Swap API, strictly.
///
/// A member that is absent or null is nil; one of another form is an error that names it.
struct SwapMembers {
    private let object: JSONObject
    /// The members that hold this object, with a point behind; for errors.
    private let place: String

    init(_ object: JSONObject, within place: String = "") {
        self.object = object
        self.place = place
    }

    /// The most elements of a list.
    static let maximumElements = 100
    private static let longestText = 500
    /// The digits of 2^256 - 1.
    private static let maximumDigits = 78

    private func value(_ field: String) -> JSONValue? {
        guard let value = object[field], !value.isNull else { return nil }
        return value
    }

    private func read<Value>(
        _ field: String,
        _ shape: String,
        _ read: (JSONValue) -> Value?
    ) throws(LiquidityError) -> Value? {
        guard let json = value(field) else { return nil }
        guard let value = read(json) else { throw nonsense(field, "is not \(shape)") }
        return value
    }

    /// A member that may not be absent.
    func required<Value>(_ field: String, _ value: Value?) throws(LiquidityError) -> Value {
        guard let value else { throw nonsense(field, "is missing") }
        return value
    }

    /// An amount as the API writes it: a text of decimal digits.
    func amount(_ field: String) throws(LiquidityError) -> UInt256? {
        try read(field, "a plain decimal integer of at most 256 bits") {
            $0.stringValue.flatMap(Self.integer)
        }
    }

    /// A number of at most 64 bits, as a text or a JSON integer.
    func number(_ field: String) throws(LiquidityError) -> UInt64? {
        try read(field, "an integer of at most 64 bits") { json in
            (json.stringValue ?? json.numberText).flatMap(Self.integer)?.uint64
        }
    }

    /// A number of any size, as a text or a JSON integer.
    func word(_ field: String) throws(LiquidityError) -> UInt256? {
        try read(field, "an integer of at most 256 bits") { json in
            (json.stringValue ?? json.numberText).flatMap(Self.integer)
        }
    }

    /// Hundredths of a percent, at most the whole.
    func basisPoints(_ field: String) throws(LiquidityError) -> UInt64? {
        guard let value = try number(field) else { return nil }
        guard value <= 10_000 else { throw nonsense(field, "is more than 10000") }
        return value
    }

    func address(_ field: String) throws(LiquidityError) -> Address? {
        try read(field, "an address") { $0.stringValue.flatMap(Address.init(ifHex:)) }
    }

    func hash(_ field: String) throws(LiquidityError) -> Bytes32? {
        try read(field, "a hash of 32 bytes") { $0.stringValue.flatMap(Bytes32.init(ifHex:)) }
    }

    func flag(_ field: String) throws(LiquidityError) -> Bool? {
        try read(field, "true or false", \.boolValue)
    }

    /// A text, cut at 500 Unicode scalars.
    func text(_ field: String) throws(LiquidityError) -> String? {
        try read(field, "a text") { $0.stringValue.map(Self.cut) }
    }

    /// - Parameter maximum: the most bytes.
    func bytes(_ field: String, maximum: Int) throws(LiquidityError) -> [UInt8]? {
        try read(field, "0x and hexadecimal digits of at most \(maximum) bytes") { json in
            guard let text = json.stringValue, text.utf8.count <= 2 + 2 * maximum else {
                return nil
            }
            return Hex.bytes(text)
        }
    }

    func members(_ field: String) throws(LiquidityError) -> SwapMembers? {
        try read(field, "an object", \.objectValue)
            .map { SwapMembers($0, within: "\(place)\(field).") }
    }

    /// The objects of a list.
    func list(_ field: String) throws(LiquidityError) -> [SwapMembers] {
        let elements = try read(field, "a list", \.arrayValue) ?? []
        guard elements.count <= Self.maximumElements else {
            throw nonsense(field, "has more than \(Self.maximumElements) elements")
        }
        var list: [SwapMembers] = []
        list.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let object = element.objectValue else {
                throw nonsense("\(field)[\(index)]", "is not an object")
            }
            list.append(SwapMembers(object, within: "\(place)\(field)[\(index)]."))
        }
        return list
    }

    func nonsense(_ field: String, _ problem: String) -> LiquidityError {
        .nonsense("\(place)\(field) \(problem)")
    }

    /// The number of decimal digits without a sign, a fraction or zeros in front.
    private static func integer(_ text: String) -> UInt256? {
        guard text.utf8.count <= maximumDigits, text == "0" || !text.hasPrefix("0") else {
            return nil
        }
        return UInt256(decimal: text)
    }

    static func cut(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestText)))
    }
}
