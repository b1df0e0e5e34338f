import Ethereum

/// The query of a request, checked strictly: a filter that is present must be valid.
struct QueryV4: RelayQuery {
    typealias Fault = FaultV4

    static let standardPageSize = 20
    static let maximumPageSize = 1_000

    /// The kind of a filter's value.
    enum Kind: Sendable {
        case address, word, number, flag
        /// The published schema requires a JSON number, which a query cannot contain.
        case never
    }

    /// Whole numbers have no leading zeros, hexadecimal digits are in lower case.
    private var values: [String: String] = [:]
    /// 1-based.
    private(set) var page = 1
    /// 1 to 1,000.
    private(set) var pageSize = standardPageSize

    /// The parameters after `?`; names that the API does not know are ignored.
    ///
    /// - Throws: `FaultV4` with every invalid field.
    init(_ text: String?, filters: [String: Kind] = [:]) throws(FaultV4) {
        let known = filters.keys + ["page", "perPage"]
        var items = try QueryItems(text, known: known, FaultV4.self)
        for item in items.values {
            switch (item.name, filters[item.name]) {
            case (_, let kind?):
                if let value = Self.value(item.value, kind) {
                    values[item.name] = value
                } else {
                    items.faults.append(Self.fault(item.name, kind))
                }
            case ("page", _): page = items.number("page", in: 1...Int(Int32.max), or: page)
            case ("perPage", _):
                pageSize = items.number("perPage", in: 1...Self.maximumPageSize, or: pageSize)
            default: continue
            }
        }
        guard items.faults.isEmpty else { throw .validation(items.faults) }
    }

    func link(path: String, authority: String?, count: Int) -> String? { nil }

    func address(_ name: String) -> Address? {
        values[name].flatMap(OrderSchemaV4.address)
    }

    /// The value of a filter as a number; nil if it is absent.
    func value(_ name: String, _ kind: Kind) -> UInt256? {
        switch kind {
        case .address: address(name).map { UInt256($0.word) }
        case .word: values[name].flatMap(Bytes32.init(ifHex:)).map { UInt256($0) }
        case .number: values[name].flatMap { OrderSchemaV4.number($0) }
        case .flag, .never: nil
        }
    }

    /// The filter is present and true.
    func flag(_ name: String) -> Bool {
        values[name] == "true"
    }

    /// The value in its plainest form; nil if it is not of this kind.
    private static func value(_ text: String, _ kind: Kind) -> String? {
        let lower = text.lowercased()
        switch kind {
        case .address: return OrderSchemaV4.address(lower) == nil ? nil : lower
        case .word: return Bytes32(ifHex: lower).map(\.hex)
        case .number: return OrderSchemaV4.number(text).map(\.description)
        case .flag: return text == "true" || text == "false" ? text : nil
        case .never: return nil
        }
    }

    private static func fault(_ name: String, _ kind: Kind) -> FaultField {
        let reason =
            switch kind {
            case .address: "Must be 0x and 40 hexadecimal digits"
            case .word: "Must be 0x and 64 hexadecimal digits"
            case .number: "Must be a whole number below 2^256"
            case .flag: "Must be true or false"
            case .never: "Must not be given: the relay's address chooses the chain"
            }
        return .incorrect(name, reason)
    }
}
