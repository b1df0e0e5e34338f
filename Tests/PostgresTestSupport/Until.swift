/// Tries again until something holds; only a hang ends it otherwise.
package func until(_ condition: () async throws -> Bool) async throws {
    while try await !condition() {
        try await Task.sleep(for: .milliseconds(10))
    }
}
