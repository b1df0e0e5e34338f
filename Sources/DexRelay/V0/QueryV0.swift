import Ethereum

/// The query of a request, checked strictly: a filter that is present must be valid.
struct QueryV0: RelayQuery {
    typealias Fault = FaultV0

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
        var items = try QueryItems(text, known: known, FaultV0.self)
        values = items.values
        for (index, item) in values.enumerated() where addresses.contains(item.name) {
            if let address = OrderSchemaV0.address(item.value) {
                values[index].value = address.lowercaseHex
            } else {
                items.faults.append(
                    .init(
                        name: item.name,
                        code: .invalidAddress,
                        reason: "Must be \(OrderSchemaV0.addressForm)"
                    )
                )
            }
        }
        page = items.number("page", in: 1...Int(Int32.max), or: 1)
        pageSize = items.number("per_page", in: 1...Self.maximumPageSize, or: pageSize)
        guard items.faults.isEmpty else { throw .validation(items.faults) }
    }

    func address(_ name: String) -> Address? {
        values.first { $0.name == name }.flatMap { OrderSchemaV0.address($0.value) }
    }

    func link(path: String, authority: String?, count: Int) -> String? {
        LinkV0.header(path: path, authority: authority, query: self, count: count)
    }

    /// The same query for another page.
    func text(page: Int) -> String {
        let filters = values.filter { $0.name != "page" && $0.name != "per_page" }
        return
            (filters.map { "\($0.name)=\($0.value)" } + ["page=\(page)", "per_page=\(pageSize)"])
            .joined(separator: "&")
    }

    /// The number of pages of a list of this length; an empty list has one.
    func pages(of count: Int) -> Int {
        max(1, (count + pageSize - 1) / pageSize)
    }
}
