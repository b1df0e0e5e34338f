extension Collection where Element: Sendable {
    /// What `transform` makes of each element, in the elements' order.
    ///
    /// One task for each: for the nodes or relays of a network, or for chunks of a long list.
    package func concurrentMap<Value: Sendable>(
        _ transform: @escaping @Sendable (Element) async -> Value
    ) async -> [Value] {
        await withTaskGroup(of: (Int, Value).self) { group in
            for (index, element) in enumerated() {
                group.addTask { (index, await transform(element)) }
            }
            var values = [Value?](repeating: nil, count: count)
            for await (index, value) in group { values[index] = value }
            return values.compactMap { $0 }
        }
    }
}
