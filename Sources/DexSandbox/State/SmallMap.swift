/// A dictionary that only grows, with fixed indices for its values.
///
/// Most calls touch few accounts and slots, for which comparing is faster than hashing. Beyond that
/// keys are hashed, since a call may touch as many as its gas pays for.
struct SmallMap<Key: Hashable, Value> {
    private static var comparedKeys: Int { 8 }

    private var items: [(key: Key, value: Value)] = []
    /// The indices of all keys, once there are too many to compare.
    private var places: [Key: Int] = [:]

    init(capacity: Int) {
        items.reserveCapacity(capacity)
    }

    /// The index of a key; nil if it is absent.
    func place(of key: Key) -> Int? {
        if items.count > Self.comparedKeys { return places[key] }
        return items.firstIndex { $0.key == key }
    }

    /// Stores the value of a new key.
    ///
    /// - Returns: its index.
    mutating func append(_ key: Key, _ value: Value) -> Int {
        let place = items.count
        items.append((key, value))
        if items.count > Self.comparedKeys {
            for index in (places.isEmpty ? 0 : place)...place { places[items[index].key] = index }
        }
        return place
    }

    subscript(place: Int) -> Value {
        get { items[place].value }
        _modify { yield &items[place].value }
    }

    /// All keys and values, in insertion order.
    var all: [(key: Key, value: Value)] {
        items
    }
}
