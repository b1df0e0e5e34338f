import Foundation

/// What strace(1) wrote down about some processes.
///
/// It has to be run with `arguments`: all texts in hexadecimal digits, so that nothing is cut or
/// escaped in a way of its own.
struct SystemCallTrace: Sendable {
    /// One system call.
    struct Call: Sendable {
        let process: Int
        let name: String
        /// The line as it is.
        let line: String
        /// Each text of it in turn: paths, bytes that are written, arguments, variables.
        let texts: [[UInt8]]
    }

    /// Every call that gives bytes away, starts a program, opens a file, or says who may look in.
    static let leaks = [
        "execve", "execveat", "write", "writev", "pwrite64", "pwritev", "pwritev2", "sendto",
        "sendmsg", "sendmmsg", "vmsplice", "openat", "open", "openat2", "prctl", "prlimit64",
        "setrlimit", "ioctl",
    ]

    /// Every call that waits until a disk has something, and those that sockets are written with.
    static let syncs = [
        "fsync", "fdatasync", "sync_file_range", "msync", "sync", "syncfs", "sendto", "sendmsg",
    ]

    /// What strace is started with, but for the program.
    ///
    /// - Parameter traced: the calls to write down.
    static func arguments(output: String, traced: [String] = leaks) -> [String] {
        [
            "-f", "-qq", "-xx", "-v", "-y", "-s", "16777216", "-e",
            "trace=" + traced.joined(separator: ","),
            "-o", output,
        ]
    }

    let calls: [Call]

    init(contentsOf path: String) throws {
        let text = try Data(contentsOf: URL(filePath: path))
        var calls: [Call] = []
        var unfinished: [Int: String] = [:]
        for bytes in text.split(separator: UInt8(ascii: "\n")) {
            var line = String(decoding: bytes, as: UTF8.self)
            guard let process = Int(line.prefix { $0.isNumber }) else { continue }
            line = String(line.drop { $0.isNumber }.drop { $0 == " " })
            // A call during which another process made one comes in two parts.
            if let cut = line.range(of: " <unfinished ...>") {
                unfinished[process] = String(line[..<cut.lowerBound])
                continue
            }
            if line.hasPrefix("<... "), let end = line.range(of: " resumed>") {
                line = (unfinished.removeValue(forKey: process) ?? "") + line[end.upperBound...]
            }
            guard let open = line.firstIndex(of: "("), !line.hasPrefix("---") else { continue }
            calls.append(
                Call(
                    process: process,
                    name: String(line[..<open]),
                    line: line,
                    texts: Self.texts(line)
                )
            )
        }
        self.calls = calls
    }

    /// The runs of `\x41\x42…`, decoded.
    private static func texts(_ line: String) -> [[UInt8]] {
        let bytes = Array(line.utf8)
        var texts: [[UInt8]] = []
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if index + 3 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "x"),
                let byte = UInt8(
                    String(decoding: bytes[index + 2...index + 3], as: UTF8.self),
                    radix: 16
                )
            {
                text.append(byte)
                index += 4
                continue
            }
            if !text.isEmpty { texts.append(text) }
            text = []
            index += 1
        }
        return text.isEmpty ? texts : texts + [text]
    }
}
