package import DexCore
package import DexRelay

/// The keys of clients: in a file beside relay.toml, or in the store that instances share.
package struct KeyList: Sendable {
    private let settings: RelaySettings

    package init(_ settings: RelaySettings) {
        self.settings = settings
    }

    private var isShared: Bool { settings.store.isShared }

    /// The file; nil if the keys stand in the store.
    package var path: String? { isShared ? nil : settings.keyFile.path }

    /// All keys, by name.
    ///
    /// - Throws: `DexError`: exit 3, or 4 for a store that does not answer.
    package func keys() async throws(DexError) -> [RelayKey] {
        guard isShared else { return try settings.keyFile.keys().sorted { $0.name < $1.name } }
        return try await withStore { keys throws(OrderStoreError) in try await keys.keys() }
    }

    /// Adds a key.
    ///
    /// - Throws: `DexError`: exit 2 if the name is taken or there are too many, 3, or 4 for a store
    ///   that does not answer.
    package func add(_ key: RelayKey) async throws(DexError) {
        let isAdded: Bool
        if isShared {
            guard try await keys().count < RelayKey.maximum else { throw Self.full }
            isAdded = try await withStore { keys throws(OrderStoreError) in
                try await keys.add(key)
            }
        } else {
            isAdded = try settings.keyFile.change { keys throws(DexError) in
                guard keys.count < RelayKey.maximum else { throw Self.full }
                guard !keys.contains(where: { $0.name == key.name }) else { return false }
                keys.append(key)
                return true
            }
        }
        guard isAdded else { throw RelaySettingsError.clientExists(name: key.name) }
    }

    /// Removes a key.
    ///
    /// - Throws: `DexError`: exit 2 if there is none of that name, 3, or 4 for a store that does not
    ///   answer.
    package func remove(_ name: String) async throws(DexError) {
        let isRemoved: Bool
        if isShared {
            isRemoved = try await withStore { keys throws(OrderStoreError) in
                try await keys.removeKey(name)
            }
        } else {
            isRemoved = try settings.keyFile.change { keys throws(DexError) in
                let count = keys.count
                keys.removeAll { $0.name == name }
                return keys.count < count
            }
        }
        guard isRemoved else { throw RelaySettingsError.noClient(name: name) }
    }

    private static var full: DexError {
        RelaySettingsError.tooManyClients(maximum: RelayKey.maximum)
    }

    private func withStore<Value>(
        _ work: (any SharedKeys) async throws(OrderStoreError) -> Value
    ) async throws(DexError) -> Value {
        try await StoreOpening.withStore(settings) { store throws(OrderStoreError) in
            guard let keys = store.sharedKeys else {
                throw .unusable(place: settings.store.words, reason: "it has no keys")
            }
            return try await work(keys)
        }
    }
}
