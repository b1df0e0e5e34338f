import Foundation
import Synchronization

/// Kills a run that makes no progress: a command that waits for ever shall fail its own test, not
/// hold up all others.
///
/// Progress is processor time that any process of the run has used, or that one of them waits for a
/// processor. Time alone is never too long, so that no run fails on a slow machine or a busy one.
final class HangWatch: Sendable {
    private enum State {
        case still(looks: Int, used: String)
        case killed
    }

    private let runs = Mutex<[String: State]>([:])

    /// How many looks in a row may find nothing; the longest that a command of a test waits for
    /// something by its own clock is a minute.
    private static let patience = 150
    /// Seconds between two looks.
    private static let interval: UInt32 = 2
    /// What tells the processes of a run apart from all others is in their environment.
    static let variable = "DEX_TEST_RUN"

    private static let shared: HangWatch = {
        let watch = HangWatch()
        Thread.detachNewThread {
            while true {
                // Interrupted by children that end: then it looks earlier.
                var left = interval
                while left > 0 { left = sleep(left) }
                watch.look()
            }
        }
        return watch
    }()

    /// Watches the processes that have a mark in their environment while the body runs.
    ///
    /// - Parameter what: what runs, for people.
    /// - Throws: `DexBinary.Failure` where they were killed, and what the body throws.
    static func watching<Result>(
        _ mark: String,
        _ what: String,
        _ body: () async throws -> Result
    ) async throws -> Result {
        shared.runs.withLock { $0[mark] = .still(looks: 0, used: "") }
        let result: Result
        do {
            result = try await body()
        } catch {
            _ = shared.end(mark)
            throw error
        }
        guard !shared.end(mark) else {
            throw DexBinary.Failure(
                description: "\(what) made no progress in \(patience) looks, and was killed"
            )
        }
        return result
    }

    /// Whether it was killed.
    private func end(_ mark: String) -> Bool {
        guard case .killed = runs.withLock({ $0.removeValue(forKey: mark) }) else { return false }
        return true
    }

    private func look() {
        let marks = Set(runs.withLock { $0.keys })
        guard !marks.isEmpty else { return }
        let processes = Dictionary(grouping: MarkedProcess.all(marks), by: \.mark)
        for mark in marks {
            let found = processes[mark] ?? []
            let used = found.map { "\($0.process) \($0.used)" }.sorted().joined(separator: ", ")
            let isWaiting = found.contains(where: \.wantsProcessor)
            let isHanging = runs.withLock { runs in
                guard case .still(let looks, let before) = runs[mark] else { return false }
                let isStill = used == before && !isWaiting
                guard isStill, looks + 1 >= Self.patience else {
                    runs[mark] = .still(looks: isStill ? looks + 1 : 0, used: used)
                    return false
                }
                runs[mark] = .killed
                return true
            }
            guard isHanging else { continue }
            for one in found { kill(one.process, SIGKILL) }
        }
    }
}

/// A process of a run.
private struct MarkedProcess {
    let process: pid_t
    let mark: String
    /// Clock ticks of the processor.
    let used: UInt64
    /// One of its threads runs, waits for a processor, or for a disk.
    let wantsProcessor: Bool

    /// All that run now with one of these marks.
    static func all(_ marks: Set<String>) -> [MarkedProcess] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.compactMap { process in
            // A process that has just ended has none of these.
            guard let environment = try? ProcessFile.text("environ", of: process),
                let entry = environment.split(separator: "\0")
                    .first(where: { $0.hasPrefix("\(HangWatch.variable)=") })
            else { return nil }
            let mark = String(entry.dropFirst(HangWatch.variable.count + 1))
            guard marks.contains(mark), let fields = fields(of: "stat", process) else { return nil }
            return MarkedProcess(
                process: process,
                mark: mark,
                used: fields[11...12].reduce(0) { $0 + (UInt64($1) ?? 0) },
                wantsProcessor: threads(process).contains { thread in
                    let state = Self.fields(of: "task/\(thread)/stat", process)?.first
                    return state == "R" || state == "D"
                }
            )
        }
    }

    private static func threads(_ process: pid_t) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    }

    /// The fields of proc(5) from the state on: before it stands a name in parentheses.
    private static func fields(of file: String, _ process: pid_t) -> [Substring]? {
        guard let text = try? ProcessFile.text(file, of: process),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 12 ? fields : nil
    }
}
