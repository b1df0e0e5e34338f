import Ethereum
import Glibc
import PrivateFiles
import StrictJSON

/// The audit log in a file: one JSON object a line, appended and never changed.
package struct AuditFile: AuditLog {
    package let path: String
    /// Milliseconds to wait for another process.
    private let patience: UInt32

    package init(path: String, patience: UInt32 = 5_000) {
        self.path = path
        self.patience = patience
    }

    /// The longest line; a signature takes hundreds of bytes.
    private static let longestLine = 1 << 20
    private static let chunk = 64 << 10

    package func lines(since: UInt64) throws(SigningError) -> [AuditLine] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            if code == ENOENT {
                // Behind a link that leads nowhere, as if nothing had been spent.
                if PrivateFiles.deadLink(on: path) != nil {
                    throw damaged("it is, or lies behind, a link that leads nowhere")
                }
                return []
            }
            throw problem("read", code)
        }
        defer { close(descriptor) }
        // A pipe has no lines, as if nothing had been spent.
        guard let mode = Self.mode(descriptor), mode & S_IFMT == S_IFREG else {
            throw problem("read", EPERM)
        }
        try lock(descriptor, LOCK_SH)
        return try read(descriptor, since: since).lines
    }

    package func append(
        since: UInt64?,
        _ decide: ([AuditLine]) -> AuditLine
    ) throws(SigningError) {
        let descriptor = try openForAppending()
        defer {
            // A child that is just being started has the descriptor too, and with it the lock.
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
        try lock(descriptor, LOCK_EX)
        let (lines, size, isTorn) = try read(descriptor, since: since)
        // A torn line of a crash keeps its own line.
        var bytes: [UInt8] = isTorn ? [UInt8(ascii: "\n")] : []
        decide(lines).json.write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        do throws(SigningError) {
            try write(bytes, to: descriptor)
        } catch {
            // A partial line on a full disk; no other process has written, since we hold the lock.
            _ = ftruncate(descriptor, size)
            throw error
        }
    }

    // MARK: The file

    /// Creates the file if it is missing.
    ///
    /// - Throws: `SigningError` if it could not be written.
    package func make() throws(SigningError) {
        close(try openForAppending())
    }

    private func openForAppending() throws(SigningError) -> Int32 {
        let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        var descriptor = open(path, flags, 0o600)
        if descriptor < 0, errno == ENOENT {
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            do throws(PrivateFiles.Failure) {
                try PrivateFiles.makeFolder(folder.joined(separator: "/"))
            } catch {
                throw problem("written", error.code)
            }
            descriptor = open(path, flags, 0o600)
        }
        guard descriptor >= 0 else { throw problem("written", errno) }
        guard let mode = Self.mode(descriptor), mode & S_IFMT == S_IFREG,
            mode & 0o077 == 0 || fchmod(descriptor, 0o600) == 0
        else {
            close(descriptor)
            throw problem("written", EPERM)
        }
        return descriptor
    }

    private static func mode(_ descriptor: Int32) -> mode_t? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status.st_mode : nil
    }

    private func lock(_ descriptor: Int32, _ kind: Int32) throws(SigningError) {
        var waited: UInt32 = 0
        while flock(descriptor, kind | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, waited < patience else {
                throw problem("locked", errno)
            }
            usleep(20_000)
            waited += 20
        }
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(SigningError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw problem("written", errno) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw problem("written", errno) }
    }

    private func problem(_ action: String, _ code: Int32) -> SigningError {
        SigningError.auditFile(path: path, action: action, code: code)
    }

    private func damaged(_ what: String) -> SigningError {
        SigningError.auditDamaged(path: path, what: what)
    }

    // MARK: Reading

    /// Reads backwards; before the last line that is too old, parses only lines that may still
    /// count.
    private func read(
        _ descriptor: Int32,
        since: UInt64?
    ) throws(SigningError) -> (lines: [AuditLine], size: off_t, isTorn: Bool) {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= 0 else { throw problem("read", errno) }
        var lines: [AuditLine] = []
        var isTorn = false
        /// The beginning of a line in front of `position` whose end was read.
        var tail: [UInt8] = []
        var position = size
        var isLast = true
        /// All further lines are older.
        var isOld = false
        while position > 0 {
            // If no lines are requested, the last byte shows whether one was torn.
            let start = max(0, position - off_t(since == nil ? 1 : Self.chunk))
            var parts = (try bytes(descriptor, from: start, to: position) + tail)
                .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .map(Array.init)
            if isLast {
                // After the last line end there is nothing, or the torn line of a crash.
                isTorn = parts.popLast()?.isEmpty == false
                isLast = false
                guard since != nil else { return ([], size, isTorn) }
            }
            // The first part may begin before `start`.
            tail = start > 0 && !parts.isEmpty ? parts.removeFirst() : []
            guard tail.count <= Self.longestLine else { throw damaged("a line is too long") }
            for part in parts.reversed() where !part.isEmpty {
                if isOld, !Self.mayOutlive(part) { continue }
                guard let line = try line(part) else { continue }
                if let since {
                    if isOld, !line.mayOutlive(since) { continue }
                    isOld = isOld || (line.event == .authorized && line.time <= since)
                }
                lines.append(line)
            }
            position = start
        }
        return (lines.reversed(), size, isTorn)
    }

    /// Whether a line may count for longer than a day, by its bytes.
    ///
    /// Such lines are orders, permits, allowances, revocations and failures, typed data with an end
    /// of its own, and the trades of guards.
    private static func mayOutlive(_ line: [UInt8]) -> Bool {
        line.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            return marks.contains { mark in
                bytes.count >= mark.count
                    && (0...bytes.count - mark.count).contains { start in
                        memcmp(base.advanced(by: start), mark, mark.count) == 0
                    }
            }
        }
    }

    private static let marks = [
        #""kind":"order""#, #""expires":"#, #""approvals":"#, #""event":"failed""#,
        #""event":"released""#, #""guard":"#,
    ].map { Array($0.utf8) }

    /// One line; nil for a torn one, for which nothing was signed.
    private func line(_ bytes: [UInt8]) throws(SigningError) -> AuditLine? {
        // A line that a crash cut off is not JSON.
        if let json = try? JSONParser.parse(bytes), let line = AuditLine(json) { return line }
        guard bytes.last != UInt8(ascii: "}") else {
            let shown = String(decoding: bytes.prefix(60), as: UTF8.self)
            throw damaged("it has an unknown line, \(ForeignWords.quoted(shown))")
        }
        return nil
    }

    private func bytes(
        _ descriptor: Int32,
        from start: off_t,
        to end: off_t
    ) throws(SigningError) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: Int(end - start))
        var done = 0
        while done < result.count {
            let count = result.withUnsafeMutableBytes { memory in
                pread(
                    descriptor,
                    memory.baseAddress?.advanced(by: done),
                    memory.count - done,
                    start + off_t(done)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw problem("read", count < 0 ? errno : EIO) }
            done += count
        }
        return result
    }
}
