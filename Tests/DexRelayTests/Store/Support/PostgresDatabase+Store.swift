import DexRelay
import Logging
import PostgresTestSupport

extension PostgresDatabase {
    /// The store of one more instance.
    func open(
        through proxy: PostgresProxy? = nil,
        logger: Logger = .silent
    ) async throws -> PostgresOrderStore {
        try await PostgresOrderStore.open(
            proxy.map { address(port: $0.port) } ?? pooler?.address(name) ?? address(),
            password: nil,
            patience: .patient,
            logger: logger
        )
    }
}

extension Logger {
    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
