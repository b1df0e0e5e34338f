import DexCore
import DexRelay
import DexSettings
import Logging
import PrivateFiles

/// Opens the store that a relay's settings name.
enum StoreOpening {
    /// - Throws: `DexError`: exit 3 for a wrong place, 4 for a server that does not answer.
    static func open(
        _ settings: RelaySettings,
        _ logger: Logger
    ) async throws(DexError) -> any OrderStore {
        switch settings.store {
        case .sqlite(let path):
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            try reported(
                PrivateFiles.Failure.self,
                try PrivateFiles.makeFolder(folder.isEmpty ? "." : folder.joined(separator: "/"))
            )
            // A store on a disk that is not mounted would begin empty.
            _ = try reported(
                PrivateFiles.Failure.self,
                try PrivateFiles.exists(path, action: "opened")
            )
            do throws(OrderStoreError) {
                return try SQLiteOrderStore(path: path)
            } catch {
                throw DexError(error, at: settings.store)
            }
        case .postgres(let url):
            let password = try settings.password()
            do throws(OrderStoreError) {
                return try await PostgresOrderStore.open(url, password: password, logger: logger)
            } catch {
                throw DexError(error, at: settings.store)
            }
        }
    }

    /// Opens the store for some work of a command, and closes it.
    ///
    /// - Throws: `DexError`, as `open`.
    static func withStore<Value>(
        _ settings: RelaySettings,
        _ work: (any OrderStore) async throws(OrderStoreError) -> Value
    ) async throws(DexError) -> Value {
        let logger = Logger(label: "dex.relay.store") { _ in SwiftLogNoOpLogHandler() }
        let store = try await open(settings, logger)
        let result: Result<Value, OrderStoreError>
        do throws(OrderStoreError) {
            result = .success(try await work(store))
        } catch {
            result = .failure(error)
        }
        do throws(OrderStoreError) {
            try await store.close()
            return try result.get()
        } catch {
            throw DexError(error, at: settings.store)
        }
    }
}
