extension Result where Success == Void {
    /// The outcome of asynchronous work.
    init(_ work: () async throws(Failure) -> Void) async {
        do throws(Failure) {
            try await work()
            self = .success(())
        } catch {
            self = .failure(error)
        }
    }
}
