/// The members of a JSON object, in their written order.
///
/// Objects on the wire are small (an order has 13 members), so a linear look-up beats hashing.
public struct JSONObject: Sendable, Hashable {
    /// One name and its value.
    public struct Member: Sendable, Hashable {
        public let key: String
        public var value: JSONValue
    }

    /// All members, in order; each key is unique.
    public private(set) var members: [Member]

    public init() {
        members = []
    }

    /// Takes members whose keys the parser has checked to be unique.
    init(uniqueMembers: [Member]) {
        members = uniqueMembers
    }

    /// The value of a key, searched from a position on and then from the start.
    ///
    /// Reading the keys in roughly their written order finds each one immediately.
    ///
    /// - Parameter position: the start of the search; afterwards the position after the found
    ///   member.
    public func value(of key: String, from position: inout Int) -> JSONValue? {
        let start = members.indices.contains(position) ? position : 0
        for index in start..<members.count where members[index].key == key {
            position = index + 1
            return members[index].value
        }
        for index in 0..<start where members[index].key == key {
            position = index + 1
            return members[index].value
        }
        return nil
    }

    /// The value of a key; setting nil removes the member, setting a new key appends it.
    public subscript(key: String) -> JSONValue? {
        get {
            members.first { $0.key == key }?.value
        }
        set {
            let index = members.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }
}
