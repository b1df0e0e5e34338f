import Ethereum

/// The parameters of a query that an API knows.
struct QueryItems: Sendable {
    /// The maximum number of parameters.
    static let maximum = 32

    /// Each name once, in the order of the query.
    private(set) var values: [(name: String, value: String)] = []
    /// The invalid parameters so far, beginning with those that appear more than once.
    var faults: [FaultField] = []

    /// Reads the part after `?`.
    ///
    /// - Throws: `Fault` if it has too many parameters.
    init<Fault: RelayFault>(_ text: String?, known: [String], _: Fault.Type) throws(Fault) {
        let pieces = (text ?? "").split(separator: "&")
        guard pieces.count <= Self.maximum else {
            throw .validation(
                "query",
                .valueOutOfRange,
                "At most \(Self.maximum) parameters are read"
            )
        }
        for piece in pieces {
            let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard known.contains(name) else { continue }
            guard !values.contains(where: { $0.name == name }) else {
                faults.append(.incorrect(name, "Given more than once"))
                continue
            }
            values.append((name, parts.count == 2 ? Self.decoded(parts[1]) : ""))
        }
    }

    /// The whole number of a parameter; the standard one if it is absent or invalid.
    mutating func number(_ name: String, in range: ClosedRange<Int>, or standard: Int) -> Int {
        guard let text = values.first(where: { $0.name == name })?.value else { return standard }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            faults.append(.incorrect(name, "Must be a whole number"))
            return standard
        }
        guard let value = Int(text), range.contains(value) else {
            faults.append(
                .outOfRange(name, "Must be between \(range.lowerBound) and \(range.upperBound)")
            )
            return standard
        }
        return value
    }

    /// Resolves percent-escapes; an invalid one stays and fails the checks of its value.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(Hex.value(ofDigit:)),
                let low = rest.dropFirst().first.flatMap(Hex.value(ofDigit:))
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The query of a request for a list, in one of the APIs.
protocol RelayQuery: Sendable {
    associatedtype Fault: RelayFault

    /// 1-based.
    var page: Int { get }
    var pageSize: Int { get }
    /// The address of a filter; nil if it is absent.
    func address(_ name: String) -> Address?
    /// The Link header of a list of this length; nil if the API or the list has none.
    func link(path: String, authority: String?, count: Int) -> String?
}

extension RelayQuery {
    /// The addresses of required parameters.
    ///
    /// - Throws: `Fault` with the absent ones.
    func required(_ names: String...) throws(Fault) -> [Address] {
        let missing = names.filter { address($0) == nil }
        guard missing.isEmpty else { throw .validation(missing.map(Fault.required)) }
        return names.compactMap(address)
    }

    /// The part of a list of this length that the page shows.
    func range(of count: Int) -> Range<Int> {
        let start = min(count, (page - 1) * pageSize)
        return start..<min(count, start + pageSize)
    }
}
