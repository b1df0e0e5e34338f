import Ethereum
import StrictJSON

extension AccessListTrace {
    /// The maximum number of addresses and slots together: more than a full block's calls touch.
    private static let maximumItems = 20_000
    private static let longestFailure = 1_000

    /// - Throws: `ChainError.nonsense`, also for a list longer than any call needs.
    init(_ json: JSONValue) throws(ChainError) {
        let trace = try RPCDecoder(json, subject: "access list's answer")
        let list = try RPCDecoder.array(trace.required("accessList"), "the access list")
        var entries: [AccessListEntry] = []
        var items = list.count
        try Self.check(items)
        for element in list {
            let entry = try RPCDecoder(element, subject: "access list's entry")
            // Some nodes leave out or null an empty list.
            let keys = try RPCDecoder.array(
                entry.optional("storageKeys") ?? .array([]),
                "an access list's storageKeys"
            )
            items += keys.count
            try Self.check(items)
            var slots: [Bytes32] = []
            slots.reserveCapacity(keys.count)
            for key in keys { slots.append(try RPCDecoder.word(key, "an access list's slot")) }
            entries.append(
                AccessListEntry(address: try entry.address("address"), storageKeys: slots)
            )
        }
        self.init(
            entries: entries,
            gasUsed: try trace.number("gasUsed"),
            failure: try Self.failure(trace)
        )
    }

    private static func check(_ items: Int) throws(ChainError) {
        guard items <= maximumItems else {
            throw .nonsense("the access list has more than \(maximumItems) addresses and slots")
        }
    }

    private static func failure(_ trace: RPCDecoder) throws(ChainError) -> String? {
        guard let json = trace.optional("error") else { return nil }
        guard let text = json.stringValue else {
            throw .nonsense("the access list's error is not a text")
        }
        guard !text.isEmpty else { return nil }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestFailure)))
    }
}
