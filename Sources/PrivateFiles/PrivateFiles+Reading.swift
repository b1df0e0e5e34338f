import Glibc

extension PrivateFiles {
    /// The kind of path that may be read.
    package enum Source: Sendable {
        /// A regular file only: a pipe may never send anything.
        case file
        /// Also a pipe or a device, such as `/dev/stdin` or `<(command)`; `-` is standard input.
        ///
        /// It is read to its end, or until `stop` can be read.
        case stream(stop: Int32?)
    }

    /// What a file is expected to hold.
    package enum Form: Sendable {
        case bytes
        /// UTF-8: the mark that some editors put before it (U+FEFF) is no part of it, and other
        /// encodings are refused, since their bytes would be another text.
        case text
    }

    /// The bytes of a file; nil if it does not exist.
    ///
    /// A link that leads nowhere is no missing file: its user meant it to have a content.
    ///
    /// - Throws: `Failure`, also for more than `limit` bytes; with `deadLink` for such a link; with
    ///   EINTR if it was stopped.
    package static func read(
        _ path: String,
        from source: Source = .file,
        as form: Form = .bytes,
        limit: Int = 16 << 20
    ) throws(Failure) -> [UInt8]? {
        try withContent(of: path, from: source, as: form, limit: limit) { Array($0) }
    }

    /// The bytes of a file that is this user's alone; nil for any other.
    ///
    /// A link, a file of another user and one that others may read or write count as none, and so
    /// does a file of more than `limit` bytes or one that cannot be read.
    package static func ownContent(of path: String, limit: Int) -> [UInt8]? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        let descriptor = Glibc.open(path, flags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
            let size = Int(exactly: status.st_size), (0...limit).contains(size)
        else { return nil }
        var failed = false
        let content = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size, !failed {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[count..<size])
                let read = Glibc.read(descriptor, rest.baseAddress, rest.count)
                if read > 0 {
                    count += read
                } else {
                    failed = read == 0 || errno != EINTR
                }
            }
        }
        return failed ? nil : content
    }

    /// Lends the bytes of a file and then overwrites them; nil if the file does not exist.
    ///
    /// It is for secrets: it makes no other copy.
    ///
    /// - Throws: `Failure`, also for more than `limit` bytes; with EINTR if it was stopped.
    package static func withContent<Result: ~Copyable>(
        of path: String,
        from source: Source = .file,
        as form: Form = .bytes,
        limit: Int,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(Failure) -> Result? {
        func failure(_ code: Int32) -> Failure { Failure(path: path, action: "read", code: code) }
        guard let descriptor = try opened(path, source, failure) else { return nil }
        defer { close(descriptor) }
        var buffer = Buffer(capacity: 4_096)
        defer { buffer.release() }
        while true {
            if case .stream(let stop) = source, !hasBytes(descriptor, stop: stop) {
                throw failure(EINTR)
            }
            let count = Glibc.read(descriptor, buffer.end, buffer.room)
            if count == 0 {
                let content = buffer.content
                guard form == .text else { return body(content) }
                if let code = obstacle(in: content) { throw failure(code) }
                let mark = content.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
                return body(UnsafeRawBufferPointer(rebasing: content[mark...]))
            }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                throw failure(errno)
            }
            buffer.count += count
            if buffer.count > limit { throw failure(EFBIG) }
            if buffer.room == 0 { buffer.grow() }
        }
    }

    /// Why a file's bytes are not a text in UTF-8, as a clause; nil if they may be one.
    package static func obstacleToText(in content: [UInt8]) -> String? {
        content.withUnsafeBytes { obstacle(in: $0) }
            .flatMap { Failure(path: "", action: "read", code: $0).unreadableText }
    }

    /// Why bytes are not a text in UTF-8, as a code of `Failure`; nil if they may be one.
    private static func obstacle(in content: UnsafeRawBufferPointer) -> Int32? {
        if content.starts(with: [0xFF, 0xFE]) || content.starts(with: [0xFE, 0xFF]) {
            return Failure.otherEncoding
        }
        return content.contains(0) ? Failure.notText : nil
    }

    /// Opens a path without waiting for the other end of a pipe; nil if it does not exist.
    private static func opened(
        _ path: String,
        _ source: Source,
        _ failure: (Int32) -> Failure
    ) throws(Failure) -> Int32? {
        if case .stream = source, path == "-" {
            let descriptor = dup(STDIN_FILENO)
            guard descriptor >= 0 else { throw failure(errno) }
            return descriptor
        }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            let code = errno
            guard code == ENOENT || code == ENOTDIR else { throw failure(code) }
            try refuseDeadLink(on: path, action: "read")
            return nil
        }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        if isKnown, status.st_mode & S_IFMT == S_IFREG { return descriptor }
        if case .stream = source, isKnown, status.st_mode & S_IFMT != S_IFDIR { return descriptor }
        close(descriptor)
        throw failure(isKnown && status.st_mode & S_IFMT == S_IFDIR ? EISDIR : Failure.notAFile)
    }

    /// Waits until there are bytes or the end; false if it was stopped before.
    private static func hasBytes(_ descriptor: Int32, stop: Int32?) -> Bool {
        while true {
            var waiting = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
            if let stop { waiting.append(pollfd(fd: stop, events: Int16(POLLIN), revents: 0)) }
            guard poll(&waiting, nfds_t(waiting.count), -1) >= 0 else {
                if errno == EINTR { continue }
                // The read itself reports the error.
                return true
            }
            return waiting.count == 1 || waiting[1].revents == 0
        }
    }

    /// Memory that grows, and is overwritten when released.
    private struct Buffer {
        private var memory: UnsafeMutableRawBufferPointer
        var count = 0

        init(capacity: Int) {
            memory = .allocate(byteCount: capacity, alignment: 8)
        }

        var end: UnsafeMutableRawPointer? { memory.baseAddress?.advanced(by: count) }
        var room: Int { memory.count - count }
        var content: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

        mutating func grow() {
            let larger = UnsafeMutableRawBufferPointer.allocate(
                byteCount: 2 * memory.count,
                alignment: 8
            )
            larger.copyMemory(from: content)
            release()
            memory = larger
        }

        func release() {
            if let base = memory.baseAddress { explicit_bzero(base, memory.count) }
            memory.deallocate()
        }
    }
}
