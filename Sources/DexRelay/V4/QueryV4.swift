import Ethereum

/// The query of a request, checked strictly: a filter that is present must be valid.
struct QueryV4: Sendable {
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
        guard let items = QueryItems(text, known: known) else {
            throw .validation(
                "query",
                .valueOutOfRange,
                "At most \(QueryItems.most) parameters are read"
            )
        }
        var faults = items.repeated.map {
            FaultV4.Field(name: $0, code: .incorrectFormat, reason: "Given more than once")
        }
        for item in items.values {
            switch (item.name, filters[item.name]) {
            case (_, let kind?):
                if let value = Self.value(item.value, kind) {
                    values[item.name] = value
                } else {
                    faults.append(Self.fault(item.name, kind))
                }
            case ("page", _): page = Self.number(item, in: 1...Int(Int32.max), &faults) ?? page
            case ("perPage", _):
                pageSize = Self.number(item, in: 1...Self.maximumPageSize, &faults) ?? pageSize
            default: continue
            }
        }
        guard faults.isEmpty else { throw .validation(faults) }
    }

    /// The address of a filter; nil if it is absent.
    func address(_ name: String) -> Address? {
        values[name].flatMap(OrderSchemaV4.address)
    }

    /// The word of a filter; nil if it is absent.
    func word(_ name: String) -> Bytes32? {
        values[name].flatMap(Bytes32.init(ifHex:))
    }

    /// The whole number of a filter; nil if it is absent.
    func number(_ name: String) -> UInt256? {
        values[name].flatMap { OrderSchemaV4.number($0) }
    }

    /// The filter is present and true.
    func flag(_ name: String) -> Bool {
        values[name] == "true"
    }

    /// Required parameters.
    ///
    /// - Throws: `FaultV4` with the absent ones.
    func required(_ names: String...) throws(FaultV4) -> [Address] {
        let found = names.map { address($0) }
        let missing = zip(names, found).filter { $0.1 == nil }.map { FaultV4.Field.required($0.0) }
        guard missing.isEmpty else { throw .validation(missing) }
        return found.compactMap { $0 }
    }

    func range(of count: Int) -> Range<Int> {
        let start = min(count, (page - 1) * pageSize)
        return start..<min(count, start + pageSize)
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

    private static func fault(_ name: String, _ kind: Kind) -> FaultV4.Field {
        let reason =
            switch kind {
            case .address: "Must be 0x and 40 hexadecimal digits"
            case .word: "Must be 0x and 64 hexadecimal digits"
            case .number: "Must be a whole number below 2^256"
            case .flag: "Must be true or false"
            case .never: "Must not be given: the relay's address chooses the chain"
            }
        return .init(name: name, code: .incorrectFormat, reason: reason)
    }

    private static func number(
        _ item: (name: String, value: String),
        in range: ClosedRange<Int>,
        _ faults: inout [FaultV4.Field]
    ) -> Int? {
        guard !item.value.isEmpty, item.value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            faults.append(
                .init(name: item.name, code: .incorrectFormat, reason: "Must be a whole number")
            )
            return nil
        }
        guard let value = Int(item.value), range.contains(value) else {
            faults.append(
                .init(
                    name: item.name,
                    code: .valueOutOfRange,
                    reason: "Must be between \(range.lowerBound) and \(range.upperBound)"
                )
            )
            return nil
        }
        return value
    }
}
