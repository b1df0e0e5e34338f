import CProcess
import Glibc

/// A time that all processes of a machine agree on.
struct Moment: Comparable, Sendable {
    /// Nanoseconds of the system's monotonic clock.
    let nanoseconds: UInt64

    static var now: Moment {
        let time = dex_clock(CLOCK_MONOTONIC)
        return Moment(nanoseconds: time.seconds * 1_000_000_000 + UInt64(time.nanoseconds))
    }

    static func - (later: Moment, earlier: Moment) -> Duration {
        .nanoseconds(Int64(later.nanoseconds) - Int64(earlier.nanoseconds))
    }

    static func < (left: Moment, right: Moment) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

/// A small file by which two processes of a benchmark tell each other something.
enum Notice {
    /// Written aside and renamed, so that it is never read half.
    static func write(_ text: String, to path: String) {
        guard let file = fopen("\(path).new", "w") else { return }
        fputs(text, file)
        fclose(file)
        rename("\(path).new", path)
    }

    /// At most 4 KiB of a file; nil if there is none.
    static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&bytes, 1, bytes.count, file)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    /// Waits at most so long for something.
    static func wait<Value>(
        _ patience: Duration,
        for name: String,
        _ value: () throws -> Value?
    ) throws -> Value {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            if let value = try value() { return value }
            usleep(2_000)
        }
        throw NoAnswer(name: name, patience: patience)
    }

    private struct NoAnswer: Error, CustomStringConvertible {
        let name: String
        let patience: Duration

        var description: String { "\(name) did not come within \(patience)." }
    }
}
