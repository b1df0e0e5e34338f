import Ethereum
import EthereumWallet
import Foundation
import Glibc
import Synchronization
import Testing

@testable import DexCommandLine

/// Questions to a user wait on threads of their own, so that all else of a command goes on.
@Suite("Questions that wait")
struct TerminalQuestionTests {
    /// A terminal of the test's, and its user.
    private struct Pair {
        let terminal: Terminal
        let user: Int32

        init() throws {
            user = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (isLocked, number) = (Int32(0), Int32(0))
            // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, which are macros.
            try #require(ioctl(user, 0x4004_5431, &isLocked) == 0)
            try #require(ioctl(user, 0x8004_5430, &number) == 0)
            let descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
            terminal = try #require(Terminal(descriptor: descriptor, Interruption()))
        }

        func type(_ text: String) {
            _ = text.utf8CString.withUnsafeBytes { write(user, $0.baseAddress, $0.count - 1) }
        }

        /// Waits until the terminal shows a text.
        func shows(_ text: String) async throws {
            var shown = ""
            while !shown.contains(text) {
                var waiting = pollfd(fd: user, events: Int16(POLLIN), revents: 0)
                guard poll(&waiting, 1, 0) > 0 else {
                    try await Task.sleep(for: .milliseconds(5))
                    continue
                }
                var bytes = [UInt8](repeating: 0, count: 4_096)
                let count = read(user, &bytes, bytes.count)
                try #require(count > 0)
                shown += String(decoding: bytes[..<count], as: UTF8.self)
            }
        }
    }

    private static func ask(_ pair: Pair) async -> String? {
        switch await pair.terminal.ask("go on? ", isHidden: false) {
        case .typed(let line): line.withBytes { String(decoding: $0, as: UTF8.self) }
        case .ended: nil
        case .interrupted: nil
        }
    }

    /// Releases what is blocked, so that a fault is a failure in place of a hang.
    ///
    /// It is no task: all threads of tasks may be what is blocked. Then this process uses next to no
    /// processor time; the seconds that other tests compute meanwhile are held against nobody.
    private final class Rescue: Sendable {
        private let isOver = Mutex(false)

        init(_ release: @escaping @Sendable () -> Void) {
            Thread.detachNewThread { [weak self] in
                var (used, looks) = (clock(), 0)
                while looks < 60 {
                    sleep(1)
                    guard let self, !self.isOver.withLock({ $0 }) else { return }
                    let now = clock()
                    // CLOCKS_PER_SEC, a macro, is 1,000,000 (clock(3)).
                    looks = now - used < 10_000 ? looks + 1 : 0
                    used = now
                }
                Issue.record("nothing else went on during the questions")
                release()
            }
        }

        func end() { isOver.withLock { $0 = true } }
    }

    /// More questions than any pool of this machine has threads, so that its width does not matter.
    private static let crowd = max(64, 4 * sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    @Test("receipts and feeds go on while more questions wait than there are threads")
    func othersGoOn() async throws {
        let pairs = try (0..<Self.crowd).map { _ in try Pair() }
        defer { for pair in pairs { close(pair.user) } }
        let rescue = Rescue { for pair in pairs { pair.type("es\n") } }
        defer { rescue.end() }
        let answers = try await withThrowingTaskGroup(of: String?.self) { group in
            for pair in pairs { group.addTask { await Self.ask(pair) } }
            for pair in pairs { try await pair.shows("go on? ") }
            // Half a line, which Ctrl-D hands over, is no answer yet: the question still waits.
            for pair in pairs { pair.type("y\u{4}") }
            // A feed of 50 blocks, and a receipt that another task waits for.
            let (blocks, feed) = AsyncStream.makeStream(of: Int.self)
            let follower = Task {
                var seen = 0
                for await _ in blocks { seen += 1 }
                return seen
            }
            for block in 0..<50 {
                try await Task.sleep(for: .milliseconds(2))
                feed.yield(block)
            }
            feed.finish()
            #expect(await follower.value == 50)
            for pair in pairs { pair.type("es\n") }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: "yes", count: Self.crowd))
    }

    @Test("a typed line, an empty one and the end of input are told apart")
    func lines() async throws {
        for (typed, expected) in [("no\n", "no"), ("\n", ""), ("a b \n", "a b "), ("\u{4}", nil)] {
            let pair = try Pair()
            defer { close(pair.user) }
            async let answer = Self.ask(pair)
            try await pair.shows("go on? ")
            pair.type(typed)
            #expect(await answer == expected)
        }
    }

    @Test("a desktop's store of passwords, which may ask its user, keeps no thread either")
    func store() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "dex-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (tool, gate) = (folder.appending(path: "secret-tool"), folder.appending(path: "gate"))
        // Opening a pipe waits for its other end.
        try "#!/bin/sh\n: > \(folder.path)/asked.$$\n: < \(gate.path)\necho open sesame\n"
            .write(to: tool, atomically: false, encoding: .utf8)
        try #require(chmod(tool.path, 0o700) == 0 && mkfifo(gate.path, 0o600) == 0)
        let service = try #require(
            SecretService(
                ProcessEnvironment {
                    ["PATH": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/none"][$0]
                }
            )
        )
        let address = try Address("0xE41d2489571d322189246DaFA5ebDe1F4699F498")
        let crowd = max(16, 4 * sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let rescue = Rescue { _ = open(gate.path, O_RDWR | O_CLOEXEC) }
        defer { rescue.end() }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<crowd {
                group.addTask {
                    guard let password = await service.password(of: address) else { return false }
                    return password.isEqual(to: SecretBytes(copying: Array("open sesame".utf8)))
                }
            }
            while try FileManager.default.contentsOfDirectory(atPath: folder.path).count < crowd + 2
            {
                try await Task.sleep(for: .milliseconds(10))
            }
            let user = open(gate.path, O_WRONLY | O_CLOEXEC)
            defer { close(user) }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
