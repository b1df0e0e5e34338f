import CProcess
import Foundation
import Synchronization
import Testing

@Suite("What the process of an unlocked key gives up")
struct ConfinementTests {
    /// Runs a body on a thread of its own, which alone is confined and then ends.
    private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
        let result = Mutex<Result?>(nil)
        let done = DispatchSemaphore(value: 0)
        Thread {
            let value = body()
            result.withLock { $0 = value }
            done.signal()
        }.start()
        done.wait()
        return result.withLock { $0 }
    }

    /// The error number of a call; 0 where it did what it was asked for.
    private static func code(_ outcome: Int32) -> Int32 { outcome < 0 ? errno : 0 }

    private static func opened(_ path: String, _ flags: Int32) -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        let code = code(descriptor)
        close(descriptor)
        return code
    }

    @Test("files: only what was named is opened, and only for what it was named for")
    func files() throws {
        let folder = try SigningFolder()
        try Data("x".utf8).write(to: URL(filePath: "\(folder.path)/log"))
        let path = folder.path
        let codes = onThread {
            let copies = [strdup(path), strdup("\(path)/log"), strdup("\(path)/none")]
            defer { for copy in copies { free(copy) } }
            let rights = [
                dex_path_right(path: copies[0], rights: Int32(DEX_PATH_READ)),
                dex_path_right(path: copies[1], rights: Int32(DEX_PATH_WRITE)),
                dex_path_right(path: copies[2], rights: Int32(DEX_PATH_READ)),
            ]
            return [
                -dex_confine_files(rights, 3), Self.opened("\(path)/log", O_RDWR | O_APPEND),
                Self.opened("/etc/passwd", O_RDONLY),
                Self.opened("\(path)/new", O_WRONLY | O_CREAT),
                Self.code(unlink("\(path)/log")), Self.code(mkdir("\(path)/sub", 0o700)),
            ]
        }
        #expect(codes == [0, 0, EACCES, EACCES, EACCES, EACCES])
        // Nobody else is bound by it.
        #expect(Self.opened("/etc/passwd", O_RDONLY) == 0)
    }

    @Test("system calls: no program, no connection, no signal to others; threads go on")
    func calls() {
        let codes = onThread {
            let confined = -dex_confine_calls(0)
            var child: pid_t = 0
            let words = [strdup("true"), nil]
            defer { free(words[0]) }
            let spawned = posix_spawnp(&child, "true", nil, nil, words, nil)
            let sockets = [AF_UNIX, AF_INET].map { family in
                Self.code(socket(family, Int32(SOCK_STREAM.rawValue), 0))
            }
            let signalled = Self.code(kill(getppid(), 0))
            var thread = pthread_t()
            let started = pthread_create(&thread, nil, { _ in nil }, nil)
            pthread_join(thread, nil)
            return [confined, spawned] + sockets + [signalled, started]
        }
        #expect(codes == [0, EPERM, EPERM, EPERM, EPERM, 0])
        #expect(dex_confinement() & Int32(DEX_CONFINED_CALLS) == 0)
    }

    @Test("system calls are allowed by a list: what is not on it is refused, whatever it is")
    func others() throws {
        let folder = try SigningFolder()
        let path = folder.path
        let codes = onThread {
            let confined = -dex_confine_calls(0)
            var byte: CChar = 10
            return [
                confined, Self.code(mkfifo("\(path)/pipe", 0o600)), Self.code(setpgid(0, 0)),
                Self.code(mkdir("\(path)/sub", 0o700)), Self.code(rename(path, "\(path)2")),
                Self.code(symlink("/", "\(path)/link")), Self.code(chmod(path, 0o777)),
                Self.code(chdir("/")), Self.code(link("/etc/hostname", "\(path)/copy")),
                Self.code(ioctl(STDIN_FILENO, UInt(TIOCSTI), &byte)),
                Self.code(inotify_init1(0)),
            ]
        }
        #expect(codes == [0] + Array(repeating: EPERM, count: 10))
    }

    @Test("what an agent does with its files, its socket and its threads goes on")
    func stillAllowed() throws {
        let folder = try SigningFolder()
        let path = "\(folder.path)/log"
        try Data("x".utf8).write(to: URL(filePath: path))
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let (first, second) = (ends[0], ends[1])
        let codes = onThread {
            let confined = -dex_confine_calls(0)
            let log = open(path, O_RDWR | O_APPEND | O_CLOEXEC)
            defer { close(log) }
            var status = stat()
            var waiting = pollfd(fd: second, events: Int16(POLLIN), revents: 0)
            var pending: Int32 = 0
            var time = timespec()
            return [
                confined, Self.code(log), Self.code(flock(log, LOCK_EX)),
                Self.code(Int32(write(log, "y", 1))), Self.code(fsync(log)),
                Self.code(fstat(log, &status)), Self.code(Int32(lseek(log, 0, SEEK_SET))),
                Self.code(Int32(send(first, "z", 1, 0))), Self.code(poll(&waiting, 1, 0)),
                Self.code(ioctl(second, UInt(FIONREAD), &pending)),
                Self.code(clock_gettime(CLOCK_BOOTTIME, &time)),
                Self.code(getentropy(&pending, 4)), Self.code(unlink(path)),
            ]
        }
        #expect(codes == Array(repeating: 0, count: 13))
    }
}
