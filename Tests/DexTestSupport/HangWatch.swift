import Foundation
import Synchronization

/// Kills a run that makes no progress: a command that waits for ever shall fail its own test, not
/// hold up all others.
///
/// Progress is processor time that the processes of the run use, and processes that come or end;
/// while one of them waits for a processor nothing is held against it. Time alone is never too long,
/// so that no run fails on a slow machine or a busy one.
package final class HangWatch: Sendable {
    private let runs = Mutex<[String: Stillness]>([:])
    /// How many looks in a row may find nothing.
    private let patience: Int

    /// What tells the processes of a run apart from all others is in their environment.
    package static let variable = "DEX_TEST_RUN"

    /// The longest that a command of a test waits for something by its own clock is a minute.
    package static let shared = HangWatch(patience: 150, interval: 2)

    /// Looks as long as the process lives.
    ///
    /// - Parameter interval: seconds between two looks; nil leaves them to `look`.
    package init(patience: Int, interval: UInt32?) {
        self.patience = patience
        guard let interval else { return }
        Thread.detachNewThread { [weak self] in
            while let watch = self {
                watch.look()
                // Interrupted by children that end: then it looks later.
                var left = interval
                while left > 0 { left = sleep(left) }
            }
        }
    }

    /// Watches the processes that have a mark in their environment while the body runs.
    ///
    /// - Parameter what: what runs, for people.
    /// - Throws: `DexBinary.Failure` where they were killed, and what the body throws.
    package func watching<Result>(
        _ mark: String,
        _ what: String,
        _ body: () async throws -> Result
    ) async throws -> Result {
        runs.withLock { $0[mark] = Stillness() }
        let result: Result
        do {
            result = try await body()
        } catch {
            _ = end(mark)
            throw error
        }
        guard !end(mark) else {
            throw DexBinary.Failure(
                description: "\(what) made no progress in \(patience) looks, and was killed"
            )
        }
        return result
    }

    /// Whether it was killed.
    private func end(_ mark: String) -> Bool {
        runs.withLock { $0.removeValue(forKey: mark) }?.isOver ?? false
    }

    /// Takes one more look at all that runs, and kills what hangs.
    package func look() {
        // What was killed is looked at no more: looking is work, which hides from
        // scripts/unless-it-hangs that the run hangs nevertheless.
        let marks = Set(runs.withLock { $0.filter { !$0.value.isOver }.keys })
        guard !marks.isEmpty else { return }
        let processes = Dictionary(grouping: MarkedProcess.all(marks), by: \.mark)
        for mark in marks {
            let found = processes[mark] ?? []
            let hangs = runs.withLock { $0[mark]?.hangs(after: found, patience: patience) ?? false }
            guard hangs else { continue }
            for one in found { kill(one.process, SIGKILL) }
        }
    }
}

/// How long the processes of a run have done next to nothing.
struct Stillness {
    /// Clock ticks that are no progress: `dex` looks at its clock once a second, whatever it waits
    /// for.
    static let idleTicks: UInt64 = 20

    private var looks = 0
    /// What each process had used when the last progress was seen.
    private var used: [pid_t: UInt64]?
    /// It was told that the run hangs.
    private(set) var isOver = false

    /// Takes one more look; true is told once.
    mutating func hangs(after found: [MarkedProcess], patience: Int) -> Bool {
        let now = Dictionary(found.map { ($0.process, $0.used) }) { first, _ in first }
        guard let used, Set(used.keys) == Set(now.keys),
            now.values.reduce(0, +) < used.values.reduce(0, +) + Self.idleTicks
        else {
            self.used = now
            looks = 0
            return false
        }
        // Who waits for a processor may be about to go on.
        guard !found.contains(where: \.wantsProcessor) else { return false }
        looks += 1
        guard !isOver, looks >= patience else { return false }
        isOver = true
        return true
    }
}

/// A process of a run.
struct MarkedProcess {
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
