import StrictJSON

/// A member of a price or a quote that is not what the API promises.
struct FieldFault: Hashable, Sendable {
    /// The keys that lead to it.
    let path: [String]
    /// nil leaves it out.
    let value: JSONValue?

    /// Prices do not have the member.
    var isOfQuote: Bool { path.first == "transaction" }

    static let all: [FieldFault] = [
        FieldFault(path: ["buyAmount"], value: nil),
        FieldFault(path: ["buyAmount"], value: 1),
        FieldFault(path: ["buyAmount"], value: "-1"),
        FieldFault(path: ["buyAmount"], value: "+1"),
        FieldFault(path: ["buyAmount"], value: "1.5"),
        FieldFault(path: ["buyAmount"], value: "1e18"),
        FieldFault(path: ["buyAmount"], value: ""),
        // One above 256 bits.
        FieldFault(path: ["buyAmount"], value: .string("1" + String(repeating: "0", count: 78))),
        FieldFault(path: ["buyToken"], value: 7),
        FieldFault(path: ["sellToken"], value: "0x1234"),
        FieldFault(path: ["liquidityAvailable"], value: "true"),
        FieldFault(path: ["issues"], value: "none"),
        FieldFault(path: ["transaction"], value: nil),
        FieldFault(path: ["transaction", "to"], value: nil),
        FieldFault(path: ["transaction", "data"], value: "0xabc"),
        FieldFault(path: ["transaction", "data"], value: .null),
        FieldFault(path: ["transaction", "value"], value: "-1"),
        FieldFault(path: ["transaction", "value"], value: "0.5"),
    ]

    /// One after the other.
    static func of(_ number: UInt64, isFirm: Bool) -> FieldFault {
        let possible = all.filter { isFirm || !$0.isOfQuote }
        return possible[Int(number % UInt64(possible.count))]
    }

    func apply(to body: inout JSONObject) {
        body = Self.changed(body, path[...], value)
    }

    private static func changed(
        _ object: JSONObject,
        _ path: ArraySlice<String>,
        _ value: JSONValue?
    ) -> JSONObject {
        guard let key = path.first else { return object }
        var object = object
        let rest = path.dropFirst()
        if rest.isEmpty {
            object[key] = value
        } else if let inner = object[key]?.objectValue {
            object[key] = .object(changed(inner, rest, value))
        }
        return object
    }
}
