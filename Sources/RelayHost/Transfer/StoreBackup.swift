package import DexCore
package import DexRelay
import PrivateFiles

/// Copies a relay's store while the relay runs.
package struct StoreBackup: Sendable {
    private let path: String
    private let place: StorePlace

    /// - Throws: `DexError`, exit 2, if the store is not a file.
    package init(_ settings: RelaySettings) throws(DexError) {
        guard case .sqlite(let path) = settings.store else {
            throw RelaySettingsError.storeIsNoFile(place: settings.store.words)
        }
        self.path = path
        place = settings.store
    }

    /// - Parameter target: must not exist.
    /// - Throws: `DexError`, exit 3.
    package func write(to target: String) throws(DexError) -> SQLiteBackup.Report {
        let isTaken = try reported(
            PrivateFiles.Failure.self,
            try PrivateFiles.exists(target, action: "written")
        )
        guard !isTaken else { throw RelaySettingsError.backupExists(path: target) }
        do throws(OrderStoreError) {
            return try SQLiteBackup.copy(path, to: target)
        } catch {
            throw DexError(error, at: place)
        }
    }
}
