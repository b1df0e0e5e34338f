import Ethereum
import StrictJSON
import Testing

extension JSONValue {
    /// The value at a path of keys and places such as `transactions.0.hash`; null where there is
    /// none.
    func at(_ path: String) -> JSONValue {
        path.split(separator: ".").reduce(self) { value, part in
            if let list = value.arrayValue {
                let place = Int(part).map { $0 < 0 ? list.count + $0 : $0 } ?? list.count
                return list.indices.contains(place) ? list[place] : .null
            }
            return value[String(part)] ?? .null
        }
    }

    /// The base units of the amount at a path.
    func raw(_ path: String, location: SourceLocation = #_sourceLocation) throws -> Int128 {
        try #require(
            at(path)["raw"]?.stringValue.flatMap { Int128($0) },
            "no amount at \(path): \(text)",
            sourceLocation: location
        )
    }

    /// The text at a path.
    func text(_ path: String, location: SourceLocation = #_sourceLocation) throws -> String {
        try #require(
            at(path).stringValue,
            "no text at \(path): \(text)",
            sourceLocation: location
        )
    }

    /// The elements of the list at a path.
    func list(_ path: String, location: SourceLocation = #_sourceLocation) throws -> [JSONValue] {
        try #require(
            at(path).arrayValue,
            "no list at \(path): \(text)",
            sourceLocation: location
        )
    }

    /// The number of a JSON-RPC quantity: `0x1b4`.
    func quantity(_ location: SourceLocation = #_sourceLocation) throws -> Int128 {
        try #require(
            stringValue.flatMap { UInt256(quantity: $0) }.map { try Int128(base: $0) },
            "no quantity: \(text)",
            sourceLocation: location
        )
    }
}
