import Synchronization

/// A wait of a test that did not come to its end.
package struct StillWaiting: Error, CustomStringConvertible {
    package let description: String
}

/// Looks again until something holds.
///
/// The bound is a number of looks, and only what makes no progress reaches it: most waits end after a
/// few. From the hundredth on there are at least ten milliseconds between two looks, so on a quiet
/// machine the usual bound is a minute, and on a loaded one more.
///
/// - Parameters:
///   - what: the end of the sentence "waited for ..." if it never holds.
///   - looks: how many at most.
/// - Throws: `StillWaiting`, which ends the test.
package func until(
    _ what: @autoclosure () -> String,
    looks: Int = 6_000,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ condition: () async throws -> Bool
) async throws {
    for look in 0..<looks {
        if try await condition() { return }
        if look < 100 {
            await Task.yield()
        } else {
            try await Task.sleep(for: .milliseconds(10))
        }
    }
    let words = "\(file):\(line): waited for \(what()), in vain: \(looks) looks"
    // At once: what the test began may keep it from ending.
    print(words)
    throw StillWaiting(description: words)
}

/// The end of work that may hang, such as the next element of a stream: it is waited for as `until`
/// does, and left to itself after that.
///
/// - Throws: `StillWaiting`, or what the work throws.
package func ended<Value: Sendable>(
    _ what: @autoclosure () -> String,
    looks: Int = 6_000,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let outcome = Outcome<Value>()
    let task = Task { outcome.set(await Result { try await work() }) }
    defer { task.cancel() }
    try await until(what(), looks: looks, file: file, line: line) { outcome.isKnown }
    return try outcome.get()
}

private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    var isKnown: Bool { result.withLock { $0 != nil } }

    func set(_ result: Result<Value, any Error>) {
        self.result.withLock { $0 = result }
    }

    func get() throws -> Value {
        guard let result = result.withLock({ $0 }) else {
            throw StillWaiting(description: "it has not ended")
        }
        return try result.get()
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ work: () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}

extension AsyncStream where Element: Sendable {
    /// The next element, waited for as `until` does; nil at the stream's end.
    package func next(
        _ what: @autoclosure () -> String,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Element? {
        try await ended(what(), file: file, line: line) { [self] in
            for await element in self { return element }
            return nil
        }
    }
}
