import DexRelay
import Logging

extension OrderStore {
    /// Closes the store after a body, however that ends.
    func closing<Value>(
        _ logger: Logger,
        after body: () async throws -> Value
    ) async throws -> Value {
        let end: Result<Value, any Error>
        do {
            end = .success(try await body())
        } catch {
            end = .failure(error)
        }
        do {
            try await close()
        } catch {
            logger.warning("The relay's file was not closed: \(error)")
        }
        return try end.get()
    }
}
