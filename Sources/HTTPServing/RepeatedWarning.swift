package import Logging
import Synchronization

/// Warns of what clients do again and again: one line a minute for each sentence, so that no client
/// fills a log.
package final class RepeatedWarning: Sendable {
    private struct Count {
        var silentUntil: Double
        var unsaid = 0
    }

    private static let pause = 60.0

    private let logger: Logger
    private let uptime: @Sendable () -> Double
    private let counts = Mutex<[String: Count]>([:])

    /// - Parameter uptime: any clock in seconds that only goes forward.
    package init(logger: Logger, uptime: @escaping @Sendable () -> Double) {
        self.logger = logger
        self.uptime = uptime
    }

    /// Logs a sentence, or counts it for its next line.
    ///
    /// - Parameters:
    ///   - sentence: one of few, without anything of a client.
    ///   - client: the address of the client that is named as an example.
    package func warn(_ sentence: String, client: String) {
        let now = uptime()
        let unsaid: Int? = counts.withLock { counts in
            if let count = counts[sentence], now < count.silentUntil {
                counts[sentence]?.unsaid += 1
                return nil
            }
            let unsaid = counts[sentence]?.unsaid ?? 0
            counts[sentence] = Count(silentUntil: now + Self.pause)
            return unsaid
        }
        guard let unsaid else { return }
        var metadata: Logger.Metadata = ["client": .string(client)]
        if unsaid > 0 { metadata["before"] = .stringConvertible(unsaid) }
        logger.warning("\(sentence)", metadata: metadata)
    }
}
