import Ethereum

/// The query of a request, checked strictly: a filter that is present must be valid.
struct QueryV0: Sendable {
    static let maximumPageSize = 100

    private var values: [(name: String, value: String)] = []
    /// 1-based.
    private(set) var page = 1
    /// 1 to 100.
    private(set) var pageSize = maximumPageSize

    /// The parameters after `?`; names that the API does not know are ignored.
    ///
    /// - Parameter addresses: the names whose values are addresses.
    /// - Throws: `FaultV0` with every invalid field.
    init(_ text: String?, addresses: [String]) throws(FaultV0) {
        let known = addresses + ["page", "per_page"]
        guard let items = QueryItems(text, known: known) else {
            throw .validation(
                "query",
                .valueOutOfRange,
                "At most \(QueryItems.most) parameters are read"
            )
        }
        values = items.values
        var faults = items.repeated.map {
            FaultV0.Field(name: $0, code: .incorrectFormat, reason: "Given more than once")
        }
        for (index, item) in values.enumerated() where addresses.contains(item.name) {
            if let address = OrderSchemaV0.address(item.value) {
                values[index].value = address.lowercaseHex
            } else {
                faults.append(
                    .init(
                        name: item.name,
                        code: .invalidAddress,
                        reason: "Must be 0x and 40 hexadecimal digits, in lower case"
                    )
                )
            }
        }
        page = number("page", in: 1...Int(Int32.max), or: 1, &faults)
        pageSize = number("per_page", in: 1...Self.maximumPageSize, or: pageSize, &faults)
        guard faults.isEmpty else { throw .validation(faults) }
    }

    /// The address of a filter; nil if it is absent.
    func address(_ name: String) -> Address? {
        values.first { $0.name == name }.flatMap { OrderSchemaV0.address($0.value) }
    }

    /// The address of a required parameter.
    ///
    /// - Throws: `FaultV0` if it is absent.
    func required(_ names: String...) throws(FaultV0) -> [Address] {
        let found = names.map { address($0) }
        let missing = zip(names, found).filter { $0.1 == nil }
        guard missing.isEmpty else {
            throw .validation(
                missing.map { .init(name: $0.0, code: .required, reason: "Required field") }
            )
        }
        return found.compactMap { $0 }
    }

    /// The same query for another page.
    func text(page: Int) -> String {
        let filters = values.filter { $0.name != "page" && $0.name != "per_page" }
        return
            (filters.map { "\($0.name)=\($0.value)" } + ["page=\(page)", "per_page=\(pageSize)"])
            .joined(separator: "&")
    }

    func range(of count: Int) -> Range<Int> {
        let start = min(count, (page - 1) * pageSize)
        return start..<min(count, start + pageSize)
    }

    /// The number of pages of a list of this length; an empty list has one.
    func pages(of count: Int) -> Int {
        max(1, (count + pageSize - 1) / pageSize)
    }

    private func number(
        _ name: String,
        in range: ClosedRange<Int>,
        or standard: Int,
        _ faults: inout [FaultV0.Field]
    ) -> Int {
        guard let text = values.first(where: { $0.name == name })?.value else { return standard }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            faults.append(
                .init(name: name, code: .incorrectFormat, reason: "Must be a whole number")
            )
            return standard
        }
        guard let value = Int(text), range.contains(value) else {
            faults.append(
                .init(
                    name: name,
                    code: .valueOutOfRange,
                    reason: "Must be between \(range.lowerBound) and \(range.upperBound)"
                )
            )
            return standard
        }
        return value
    }
}
