import DexCore
package import Ethereum
package import StrictJSON

/// Fences the words of others in what a model reads, by the description of the answer.
///
/// Such a text stands as {"untrusted": text}, cleaned and short: so a model tells it from what `dex`
/// says, and a name that gives orders is only a name. A token outside of the bundled map has its
/// address for a name.
package struct Fence: Sendable {
    /// The most characters of a text of others.
    package static let maximum = 200
    private static let key = "untrusted"

    private let machine: MachineText
    private let isBundled: @Sendable (Address) -> Bool

    /// - Parameter isBundled: a token is one of the bundled map.
    package init(
        _ machine: MachineText,
        isBundled: @escaping @Sendable (Address) -> Bool
    ) {
        self.machine = machine
        self.isBundled = isBundled
    }

    package func callAsFunction(_ value: JSONValue, _ shape: Shape) -> JSONValue {
        switch (shape, value) {
        case (_, .null): .null
        case (.named(let named), _) where named.name == NamedShape.pairName.name: value
        case (.named(let named), _): self(value, named.shape)
        case (.nullable(let shape), _): self(value, shape)
        case (.list(let shape), .array(let values)): .array(values.map { self($0, shape) })
        case (.map(let shape), .object(let object)):
            Self.object(object) { _, value in self(value, shape) }
        case (.object(let members), .object(let object)): token(object, members)
        case (.either(let shapes), _):
            self(value, shapes.first { Self.fits(value, $0) } ?? .any)
        case (.foreign, .string(let text)): untrusted(text)
        case (.text, .string(let text)): .string(machine.without(text))
        case (.any, _): unknown(value)
        case (.pattern, .string), (.words, .string), (.constant, _): value
        case (.count, .number), (.bool, .bool): value
        default: unknown(value)
        }
    }

    private func untrusted(_ text: String) -> JSONValue {
        [Self.key: .string(PlainText.clean(machine.without(text), limit: Self.maximum))]
    }

    // MARK: Objects

    private static func object(
        _ object: JSONObject,
        _ change: (String, JSONValue) -> JSONValue
    ) -> JSONValue {
        var changed = JSONObject()
        for member in object.members { changed[member.key] = change(member.key, member.value) }
        return .object(changed)
    }

    /// The object; what it calls a token that is not bundled is left out.
    private func token(_ object: JSONObject, _ members: [Shape.Member]) -> JSONValue {
        var changed = JSONObject()
        for member in object.members {
            let shape = members.first { $0.name == member.key }?.shape ?? .any
            changed[member.key] = self(member.value, shape)
        }
        if object["symbol"] != nil, !isTrusted(symbolOf: object) {
            changed["symbol"] = .null
            if let name = object["name"]?.stringValue { changed["name"] = untrusted(name) }
        }
        for member in members where Self.isPairName(member.shape) {
            guard let name = object[member.name]?.stringValue else { continue }
            changed[member.name] = pairName(name, of: object)
        }
        return .object(changed)
    }

    private static func isPairName(_ shape: Shape) -> Bool {
        if case .named(let named) = shape { named.name == NamedShape.pairName.name } else { false }
    }

    /// The symbol is the coin's, or that of a bundled token.
    private func isTrusted(symbolOf object: JSONObject) -> Bool {
        switch object["address"] {
        case .null?: true
        case .string(let text)?: isBundled(text)
        // Without an address: one of the amounts beside it has it.
        default:
            object.members.contains { member in
                guard let part = member.value.objectValue, part["address"] != nil else {
                    return false
                }
                return part["symbol"] == object["symbol"] && isTrusted(symbolOf: part)
            }
        }
    }

    private func isBundled(_ address: String) -> Bool {
        Address(ifHex: address).map(isBundled) ?? false
    }

    /// BASE/QUOTE: the symbols of bundled tokens, the addresses of others; null if it cannot be told.
    private func pairName(_ name: String, of object: JSONObject) -> JSONValue {
        let tokens = object.members.compactMap { member -> (symbol: String, name: String)? in
            guard let symbol = member.value["symbol"]?.stringValue,
                let address = member.value["address"]?.stringValue
            else { return nil }
            return (symbol, isBundled(address) ? symbol : address)
        }
        for base in tokens {
            for quote in tokens where quote.name != base.name {
                if "\(base.symbol)/\(quote.symbol)" == name {
                    return .string("\(base.name)/\(quote.name)")
                }
            }
        }
        return .null
    }

    // MARK: Other shapes

    /// A value has the form of a shape, as far as it decides between several.
    private static func fits(_ value: JSONValue, _ shape: Shape) -> Bool {
        switch (shape, value) {
        case (.named(let named), _): fits(value, named.shape)
        case (.nullable(let shape), _): value.isNull || fits(value, shape)
        case (.object(let members), .object(let object)):
            members.allSatisfy { member in
                guard let part = object[member.name] else { return member.isOptional }
                if case .constant(let constant) = member.shape { return part == constant }
                return true
            } && object.members.allSatisfy { part in members.contains { $0.name == part.key } }
        case (.list, .array), (.map, .object), (.count, .number), (.bool, .bool): true
        case (.constant(let constant), _): value == constant
        case (.text, .string), (.foreign, .string), (.pattern, .string): true
        case (.words(let words), .string(let text)): words.contains(text)
        default: false
        }
    }

    /// A document of others: only numbers and bytes stay as they are.
    private func unknown(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .number: value
        case .string(let text): Self.isPlain(text) ? value : untrusted(text)
        case .array(let values): .array(values.map { unknown($0) })
        case .object(let object):
            .object(
                object.members.reduce(into: JSONObject()) { kept, member in
                    guard Self.isKey(member.key) else { return }
                    kept[member.key] = unknown(member.value)
                }
            )
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        if text.hasPrefix("0x") { return text.utf8.dropFirst(2).allSatisfy(isHexDigit) }
        return text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }

    private static func isKey(_ key: String) -> Bool {
        key.utf8.count <= 40
            && key.utf8.allSatisfy { byte in
                let scalar = Unicode.Scalar(byte)
                return scalar.isASCII && (scalar.properties.isAlphabetic || isHexDigit(byte))
            }
    }
}

extension Fence {
    /// The answer of a command, in whichever of its forms it is.
    package func callAsFunction(_ value: JSONValue, _ answer: Answer) -> JSONValue {
        self(value, answer.data)
    }
}
