import Foundation
import Glibc
import Synchronization
import Testing

@testable import DexTestSupport
@testable import EndToEndTestSupport

/// What keeps one command that waits for ever from holding up all tests.
@Suite("A run that makes no progress")
struct HangWatchTests {
    private func process(_ number: pid_t, used: UInt64, wants: Bool = false) -> MarkedProcess {
        MarkedProcess(process: number, mark: "", used: used, wantsProcessor: wants)
    }

    @Test("hangs once as many looks in a row as allowed find next to no work, and is told once")
    func still() {
        var run = Stillness()
        // The first look has nothing to compare with; a tick now and then is no work.
        let looks = (0...6).map { run.hangs(after: [process(1, used: 5 + $0)], patience: 4) }
        #expect(looks == [false, false, false, false, true, false, false])
        #expect(run.isOver)
    }

    @Test("does not hang while it works, while its processes come and end, or starve")
    func working() {
        var works = Stillness()
        var comes = Stillness()
        var starves = Stillness()
        for look in 0..<100 as Range<UInt64> {
            let hang = [
                works.hangs(after: [process(1, used: look * Stillness.idleTicks / 2)], patience: 3),
                comes.hangs(after: [process(pid_t(look), used: 0)], patience: 3),
                starves.hangs(after: [process(1, used: 0, wants: true)], patience: 3),
            ]
            #expect(hang == [false, false, false])
        }
    }

    @Test("hangs where it has no process left at all")
    func gone() {
        var run = Stillness()
        let looks = (0...2).map { _ in run.hangs(after: [], patience: 2) }
        #expect(looks == [false, false, true])
    }

    /// Runs a shell with a mark in its environment, until it ends.
    private func run(
        _ script: String,
        mark: String
    ) async throws -> Process.TerminationReason {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", script]
        shell.environment = ["PATH": "/usr/bin:/bin", HangWatch.variable: mark]
        shell.standardInput = FileHandle.nullDevice
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            shell.terminationHandler = { _ in done.resume() }
            do { try shell.run() } catch { done.resume(throwing: error) }
        }
        return shell.terminationReason
    }

    /// How a shell ended that is watched, and what its test is told.
    private func watched(
        by watch: HangWatch,
        _ script: String,
        mark: String
    ) async -> (Process.TerminationReason?, (any Error)?) {
        let ended = Mutex<Process.TerminationReason?>(nil)
        do {
            try await watch.watching(mark, "a shell") {
                let reason = try await run(script, mark: mark)
                ended.withLock { $0 = reason }
            }
        } catch {
            return (ended.withLock { $0 }, error)
        }
        return (ended.withLock { $0 }, nil)
    }

    /// Ends all that runs with a mark: by a signal that nobody can ignore.
    private func kill(_ mark: String) {
        for one in MarkedProcess.all([mark]) { Glibc.kill(one.process, SIGKILL) }
    }

    @Test("is killed, with what it has started, and its test fails")
    func killed() async throws {
        let watch = HangWatch(patience: 2, interval: nil)
        let mark = UUID().uuidString
        async let end = watched(by: watch, "sleep 1000000; true", mark: mark)
        // Where this test fails early, too, it waits for the end.
        defer { kill(mark) }
        // The shell and what it has started.
        try await until("the sleeper to sleep") { MarkedProcess.all([mark]).count == 2 }
        try await until("both to be killed") {
            watch.look()
            return MarkedProcess.all([mark]).isEmpty
        }
        let (reason, error) = await end
        #expect(reason == .uncaughtSignal)
        #expect(
            (error as? DexBinary.Failure)?.description
                == "a shell made no progress in 2 looks, and was killed"
        )
    }

    @Test("is let alone where it works until it ends")
    func ended() async throws {
        let watch = HangWatch(patience: 1, interval: nil)
        let mark = UUID().uuidString
        async let end = watched(by: watch, "while :; do :; done", mark: mark)
        defer { kill(mark) }
        try await until("the worker to work") { MarkedProcess.all([mark]).count == 1 }
        for _ in 0..<10 { watch.look() }
        #expect(MarkedProcess.all([mark]).count == 1)
        kill(mark)
        let (reason, error) = await end
        // By this test alone.
        #expect(reason == .uncaughtSignal && error == nil)
    }
}
