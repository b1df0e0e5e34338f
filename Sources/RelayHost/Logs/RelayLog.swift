import DexCore
import FoundationEssentials
package import Logging
import StrictJSON
import Synchronization

/// The place where a relay's log goes, in which form, and from which level on; the level can
/// change.
package final class RelayLog: Sendable {
    private let form: RelaySettings.LogForm
    private let milliseconds: @Sendable () -> UInt64
    private let write: @Sendable (String) -> Void
    private let threshold: Mutex<Logger.Level>

    /// - Parameters:
    ///   - milliseconds: since 1970.
    ///   - write: gets each line without its end.
    package init(
        form: RelaySettings.LogForm,
        level: Logger.Level,
        milliseconds: @escaping @Sendable () -> UInt64,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.form = form
        self.milliseconds = milliseconds
        self.write = write
        threshold = Mutex(level)
    }

    package var level: Logger.Level {
        get { threshold.withLock { $0 } }
        set { threshold.withLock { $0 = newValue } }
    }

    package var logger: Logger {
        Logger(label: "dex.relay") { _ in RelayLogHandler(log: self) }
    }

    fileprivate func add(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) {
        let time = milliseconds()
        switch form {
        case .json: write(Self.json(time, level, message, metadata))
        case .text: write(Self.text(time, level, message, metadata))
        }
    }

    /// One JSON object: `time`, `level`, `message`, then the metadata by its keys.
    static func json(
        _ time: UInt64,
        _ level: Logger.Level,
        _ message: String,
        _ metadata: Logger.Metadata
    ) -> String {
        var object = JSONObject()
        object["time"] = .string(Self.time(time))
        object["level"] = .string(level.rawValue)
        object["message"] = .string(message)
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            let name = key == Self.requestKey ? "requestId" : key
            guard object[name] == nil else { continue }
            object[name] = .string("\(value)")
        }
        return JSONValue.object(object).text
    }

    /// `2026-11-23 06:27:08 warning: A sentence. (key value)`, without anything that steers a
    /// terminal.
    static func text(
        _ time: UInt64,
        _ level: Logger.Level,
        _ message: String,
        _ metadata: Logger.Metadata
    ) -> String {
        let shown = metadata.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let details = shown.isEmpty ? "" : " (\(shown.joined(separator: ", ")))"
        let date = Self.time(time).prefix(19).map { $0 == "T" ? " " : $0 }
        return PlainText.clean("\(String(date)) \(level.rawValue): \(message)\(details)")
    }

    /// What a request's id is called in the metadata.
    private static let requestKey = "request"

    /// The time in UTC, such as `2026-11-23T06:27:08.123Z`.
    private static func time(_ milliseconds: UInt64) -> String {
        let date = Date(timeIntervalSince1970: Double(milliseconds / 1_000))
        let seconds = date.formatted(.iso8601)
        let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
        return seconds.hasSuffix("Z") ? "\(seconds.dropLast()).\(fraction)Z" : seconds
    }
}

/// Hands what is logged to a relay's log.
private struct RelayLogHandler: LogHandler {
    let log: RelayLog
    var metadata: Logger.Metadata = [:]
    /// nil follows the log's.
    private var own: Logger.Level?

    init(log: RelayLog) {
        self.log = log
    }

    var logLevel: Logger.Level {
        get { own ?? log.level }
        set { own = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        log.add(event.level, event.message.description, all)
    }
}
