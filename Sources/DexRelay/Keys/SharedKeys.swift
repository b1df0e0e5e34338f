/// The keys of clients in a store that all instances share.
package protocol SharedKeys: Sendable {
    /// All keys, by name.
    func keys() async throws(OrderStoreError) -> [RelayKey]

    /// Adds a key, on disk when it returns.
    ///
    /// - Returns: false if there is one of that name; then nothing was changed.
    func add(_ key: RelayKey) async throws(OrderStoreError) -> Bool

    /// Removes a key.
    ///
    /// - Returns: false if there is none of that name.
    func removeKey(_ name: String) async throws(OrderStoreError) -> Bool

    /// Says that an instance serves.
    ///
    /// - Returns: how many do, this one included: those that said so within the last 5 s by the
    ///   store's clock.
    func beat(_ instance: String) async throws(OrderStoreError) -> Int

    /// Says that an instance serves no longer.
    func leave(_ instance: String) async throws(OrderStoreError)

    /// An element at once, and whenever the operator may have changed something; ends when the store
    /// is closed.
    func operatorWakeUps() -> AsyncStream<Void>
}
