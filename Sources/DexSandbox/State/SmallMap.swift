/// A dictionary that only grows, whose values have places that stay.
///
/// A call touches a few accounts and slots only, which are found sooner by comparing them than by
/// hashing; beyond that keys are hashed, as a call may touch as many as its gas pays for.
struct SmallMap<Key: Hashable, Value> {
    private static var comparedKeys: Int { 8 }

    private var items: [(key: Key, value: Value)] = []
    /// The places of all keys, once there are more than are compared.
    private var places: [Key: Int] = [:]

    /// A map with room for some.
    init(capacity: Int) {
        items.reserveCapacity(capacity)
    }

    /// The place of a key; nil where it has none.
    func place(of key: Key) -> Int? {
        if items.count > Self.comparedKeys { return places[key] }
        return items.firstIndex { $0.key == key }
    }

    /// Stores the value of a key that has no place yet.
    ///
    /// - Returns: its place.
    mutating func append(_ key: Key, _ value: Value) -> Int {
        let place = items.count
        items.append((key, value))
        if items.count > Self.comparedKeys {
            for index in (places.isEmpty ? 0 : place)...place { places[items[index].key] = index }
        }
        return place
    }

    /// The value at a place.
    subscript(place: Int) -> Value {
        get { items[place].value }
        _modify { yield &items[place].value }
    }

    /// All keys and values, in the order in which they came.
    var all: [(key: Key, value: Value)] {
        items
    }
}
