import Foundation
import PrivateFiles
import Testing

@Suite("Files for their owner only")
struct PrivateFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func path(_ name: String) -> String {
        "\(folder.path)/\(name)"
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    private func create(
        _ name: String,
        _ content: String,
        check: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    ) throws {
        try Array(content.utf8).withUnsafeBytes { content in
            try PrivateFiles.create(path(name), with: content, check: check)
        }
    }

    /// Everything in the folder, hidden or not.
    private func all() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("a pipe and a device are no files, and are not waited for")
    func noFiles() throws {
        try #require(mkfifo(path("pipe"), 0o600) == 0)
        for name in [path("pipe"), "/dev/zero"] {
            #expect(
                throws: PrivateFiles.Failure(
                    path: name,
                    action: "read",
                    code: PrivateFiles.Failure.notAFile
                )
            ) {
                _ = try PrivateFiles.read(name)
            }
        }
        #expect(try PrivateFiles.read("-") == nil)
    }

    @Test("a replaced file keeps its readers where that is asked for, and no other may write it")
    func readers() throws {
        func replaced(from old: Int?, for readers: PrivateFiles.Readers) throws -> Int? {
            if let old {
                try Data("old".utf8).write(to: URL(filePath: path("file")))
                try #require(chmod(path("file"), mode_t(old)) == 0)
            } else {
                unlink(path("file"))
            }
            try PrivateFiles.replace(path("file"), with: Array("new".utf8), for: readers)
            #expect(try text("file") == "new")
            return try mode("file")
        }
        #expect(try replaced(from: 0o644, for: .owner) == 0o600)
        #expect(try replaced(from: 0o600, for: .everyone) == 0o644)
        for mode in [0o600, 0o640, 0o644, 0o755] {
            #expect(try replaced(from: mode, for: .same) == mode)
        }
        #expect(try replaced(from: 0o666, for: .same) == 0o644)
        #expect(try replaced(from: nil, for: .same) == 0o600)
        #expect(try all() == ["file"])
    }

    @Test("the identity of a file changes with its content and its permissions")
    func identity() throws {
        #expect(PrivateFiles.identity(path("file")) == nil)
        try create("file", "one")
        let first = try #require(PrivateFiles.identity(path("file")))
        #expect(PrivateFiles.identity(path("file")) == first)
        try PrivateFiles.replace(path("file"), with: Array("two".utf8))
        #expect(PrivateFiles.identity(path("file")) != first)
    }

    @Test("of a text the mark of UTF-8 is dropped, and other encodings are refused by name")
    func encodings() throws {
        func write(_ name: String, _ bytes: [UInt8]) throws -> String {
            try Data(bytes).write(to: URL(filePath: path(name)))
            return path(name)
        }
        let marked = try write("marked", [0xEF, 0xBB, 0xBF, 0x61, 0x0A])
        #expect(try PrivateFiles.read(marked, as: .text) == [0x61, 0x0A])
        #expect(try PrivateFiles.read(marked) == [0xEF, 0xBB, 0xBF, 0x61, 0x0A])
        let empty = try write("mark", [0xEF, 0xBB, 0xBF])
        #expect(try PrivateFiles.read(empty, as: .text) == [])
        for (name, bytes, code, word) in [
            ("little", [0xFF, 0xFE, 0x61, 0], PrivateFiles.Failure.otherEncoding, "UTF-16"),
            ("big", [0xFE, 0xFF, 0, 0x61], PrivateFiles.Failure.otherEncoding, "UTF-16"),
            (
                "wide", [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], PrivateFiles.Failure.otherEncoding,
                "UTF-16"
            ),
            ("unmarked", [0x61, 0, 0x62, 0], PrivateFiles.Failure.notText, "zero byte"),
            ("zero", [0x61, 0], PrivateFiles.Failure.notText, "zero byte"),
        ] as [(String, [UInt8], Int32, String)] {
            let file = try write(name, bytes)
            let failure = #expect(throws: PrivateFiles.Failure.self) {
                _ = try PrivateFiles.read(file, as: .text)
            }
            #expect(failure?.code == code)
            #expect(failure?.description.contains(word) == true)
            #expect(failure?.description.contains("UTF-8 is expected") == true)
            #expect(try PrivateFiles.read(file) == bytes)
        }
    }

    @Test("a pipe that may be read is waited for until somebody writes, or until it is stopped")
    func pipes() throws {
        try #require(mkfifo(path("pipe"), 0o600) == 0)
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        writer.arguments = ["-c", #"printf first > "$0"; "#, path("pipe")]
        try writer.run()
        let read = try PrivateFiles.read(path("pipe"), from: .stream(stop: nil))
        #expect(read == Array("first".utf8))
        writer.waitUntilExit()
        let stop = Pipe()
        try stop.fileHandleForWriting.write(contentsOf: Data("x".utf8))
        let stopped = PrivateFiles.Failure(path: path("pipe"), action: "read", code: EINTR)
        #expect(throws: stopped) {
            _ = try PrivateFiles.read(
                path("pipe"),
                from: .stream(stop: stop.fileHandleForReading.fileDescriptor)
            )
        }
        let endless = PrivateFiles.Failure(path: "/dev/zero", action: "read", code: EFBIG)
        #expect(throws: endless) {
            _ = try PrivateFiles.read("/dev/zero", from: .stream(stop: nil), limit: 1 << 20)
        }
    }

    @Test("a folder that others may change is found, also above, but not below a sticky bit")
    func alterableFolders() throws {
        let above = path("above")
        let inside = "\(above)/inside"
        try PrivateFiles.makeFolder(inside)
        func found(_ mode: Int, of path: String) throws -> String? {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            defer { chmod(path, 0o700) }
            return PrivateFiles.alterableFolder(of: inside)
        }
        #expect(PrivateFiles.alterableFolder(of: inside) == nil)
        #expect(PrivateFiles.alterableFolder(of: path("none/of/it")) == nil)
        for mode in [0o777, 0o720, 0o702, 0o1777] {
            #expect(try found(mode, of: inside)?.hasSuffix("/above/inside") == true)
        }
        #expect(try found(0o777, of: above)?.hasSuffix("/above") == true)
        #expect(try found(0o1777, of: above) == nil)
        #expect(try found(0o775, of: above) == nil)
    }

    @Test("a file comes back as it was written, whatever its size")
    func roundTrip() throws {
        for size in [0, 1, 4_095, 4_096, 4_097, 100_000] {
            let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
            try PrivateFiles.replace(path("file"), with: content)
            #expect(try PrivateFiles.read(path("file")) == content)
            #expect(try mode("file") == 0o600)
        }
        #expect(try PrivateFiles.read(path("none")) == nil)
        #expect(try PrivateFiles.read(path("file/none")) == nil)
        #expect(try all() == ["file"])
    }

    @Test("a file larger than expected, and a folder, are errors with the path")
    func unreadable() throws {
        try PrivateFiles.replace(path("file"), with: [1, 2, 3])
        #expect(try PrivateFiles.read(path("file"), limit: 3) == [1, 2, 3])
        #expect(throws: PrivateFiles.Failure(path: path("file"), action: "read", code: EFBIG)) {
            try PrivateFiles.read(path("file"), limit: 2)
        }
        #expect(throws: PrivateFiles.Failure(path: folder.path, action: "read", code: EISDIR)) {
            try PrivateFiles.read(folder.path)
        }
        let failure = PrivateFiles.Failure(path: "/x", action: "written", code: ENOSPC)
        #expect("\(failure)" == "/x cannot be written: No space left on device.")
    }

    @Test("a file that is there is replaced, also through a link, but never created again")
    func existing() throws {
        try create("file", "first")
        #expect(try mode("file") == 0o600)
        #expect(throws: PrivateFiles.Failure(path: path("file"), action: "written", code: EEXIST)) {
            try create("file", "second")
        }
        #expect(try text("file") == "first")
        try FileManager.default.createSymbolicLink(
            atPath: path("link"),
            withDestinationPath: path("file")
        )
        #expect(throws: PrivateFiles.Failure.self) { try create("link", "second") }
        try PrivateFiles.replace(path("link"), with: Array("third".utf8))
        #expect(try text("file") == "third")
        #expect(try all() == ["file", "link"])
    }

    @Test("a file whose check fails is not there, and nothing of it is left")
    func check() throws {
        struct Refusal: Error {}
        var seen: [UInt8] = []
        #expect(throws: Refusal.self) {
            try create("file", "content") { written in
                seen = Array(written)
                #expect(!FileManager.default.fileExists(atPath: path("file")))
                throw Refusal()
            }
        }
        #expect(seen == Array("content".utf8))
        #expect(try all() == [])
    }

    @Test("where there is no folder or no space nothing is left behind")
    func failing() throws {
        let lost = "\(folder.path)/none/file"
        #expect(throws: PrivateFiles.Failure(path: lost, action: "written", code: ENOENT)) {
            try PrivateFiles.replace(lost, with: [1])
        }
        // A file system that is full at once.
        #expect(throws: PrivateFiles.Failure.self) {
            try PrivateFiles.replace("/proc/self/none", with: [1])
        }
        #expect(try all() == [])
    }

    @Test("only a regular file that is this user's alone has own content; no other is waited for")
    func ownContent() throws {
        for size in [0, 1, 100_000] {
            let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
            try PrivateFiles.replaceUnsynced(path("file"), with: content)
            #expect(PrivateFiles.ownContent(of: path("file"), limit: 100_000) == content)
            #expect(try mode("file") == 0o600)
        }
        #expect(PrivateFiles.ownContent(of: path("file"), limit: 99_999) == nil)
        try FileManager.default.createSymbolicLink(
            atPath: path("link"),
            withDestinationPath: path("file")
        )
        try #require(mkfifo(path("pipe"), 0o600) == 0)
        for name in ["link", "pipe", "none", "."] {
            #expect(PrivateFiles.ownContent(of: path(name), limit: 1 << 20) == nil, "\(name)")
        }
        for mode: mode_t in [0o640, 0o604, 0o620, 0o601, 0o666] {
            try #require(chmod(path("file"), mode) == 0)
            #expect(PrivateFiles.ownContent(of: path("file"), limit: 1 << 20) == nil, "\(mode)")
        }
    }

    @Test("what is replaced unsynced replaces a link itself, and leaves nothing behind")
    func unsynced() throws {
        try create("file", "first")
        try FileManager.default.createSymbolicLink(
            atPath: path("link"),
            withDestinationPath: path("file")
        )
        try PrivateFiles.replaceUnsynced(path("link"), with: Array("second".utf8))
        #expect(try text("file") == "first")
        #expect(try text("link") == "second")
        try PrivateFiles.makeFolder(path("folder"))
        for lost in ["folder", "none/file"] {
            #expect(throws: PrivateFiles.Failure.self) {
                try PrivateFiles.replaceUnsynced(path(lost), with: [1])
            }
        }
        #expect(try all() == ["file", "folder", "link"])
    }

    @Test("files that others may read are told")
    func exposed() throws {
        try create("file", "secret")
        #expect(!PrivateFiles.isExposed(path("file")))
        #expect(!PrivateFiles.isExposed(path("none")))
        for mode in [0o640, 0o604, 0o620, 0o601] {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode],
                ofItemAtPath: path("file")
            )
            #expect(PrivateFiles.isExposed(path("file")), "\(mode)")
        }
    }

    @Test("folders are made with those above them, and list only files that are not hidden")
    func folders() throws {
        try PrivateFiles.makeFolder(path("a/b/c"))
        try PrivateFiles.makeFolder(path("a/b/c"))
        #expect(try mode("a") == 0o700)
        #expect(try mode("a/b/c") == 0o700)
        for name in ["z", "y", ".hidden"] { try create("a/\(name)", "") }
        #expect(try PrivateFiles.names(in: path("a")) == ["y", "z"])
        #expect(try PrivateFiles.names(in: path("none")) == nil)
        #expect(throws: PrivateFiles.Failure(path: path("a/y"), action: "read", code: ENOTDIR)) {
            try PrivateFiles.names(in: path("a/y"))
        }
        #expect(throws: PrivateFiles.Failure(path: path("a/y"), action: "made", code: ENOTDIR)) {
            try PrivateFiles.makeFolder(path("a/y"))
        }
        try PrivateFiles.remove(path("a/y"))
        try PrivateFiles.remove(path("a/y"))
        #expect(try PrivateFiles.names(in: path("a")) == ["z"])
        #expect(throws: PrivateFiles.Failure.self) { try PrivateFiles.remove(path("a/b")) }
    }
}

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "dex-files-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

// MARK: Links that lead nowhere

extension PrivateFilesTests {
    /// Reads a path; nil if it is a missing file.
    fileprivate func failure(_ body: () throws -> Void) -> PrivateFiles.Failure? {
        do {
            try body()
            return nil
        } catch {
            return error as? PrivateFiles.Failure
        }
    }

    @Test("a link that leads nowhere is no missing file, wherever it stands on the way")
    func deadLinks() throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: path("there"), withIntermediateDirectories: true)
        try create("file", "text")
        for (name, target) in [
            ("dead", "gone"), ("deep", "gone/further"), ("absolute", path("gone")),
            ("loop", "loop"), ("chain", "dead"), ("through", "file/below"), ("live", "there"),
            ("livefile", "file"), ("there/up", "../gone"),
        ] {
            try manager.createSymbolicLink(atPath: path(name), withDestinationPath: target)
        }
        for (name, link) in [
            ("dead", "dead"), ("deep", "deep"), ("absolute", "absolute"), ("chain", "chain"),
            ("through", "through"), ("dead/policy.toml", "dead"), ("there/up", "there/up"),
            ("live/up", "live/up"), ("live/up/a/b", "live/up"), ("dead//x", "dead"),
        ] {
            #expect(PrivateFiles.deadLink(on: path(name)) == path(link), "\(name)")
            for source in [.file, .stream(stop: nil)] as [PrivateFiles.Source] {
                let failure = failure { _ = try PrivateFiles.read(path(name), from: source) }
                #expect(failure?.code == PrivateFiles.Failure.deadLink, "\(name)")
                #expect(failure?.path == path(link))
                #expect(failure?.description.hasSuffix("it is a link that leads nowhere.") == true)
            }
            #expect(failure { _ = try PrivateFiles.names(in: path(name)) } != nil, "\(name)")
        }
        #expect(failure { _ = try PrivateFiles.read(path("loop")) } != nil)
        #expect(PrivateFiles.deadLink(on: path("loop")) == path("loop"))
        // What is simply missing still is.
        for name in ["gone", "gone/further", "live/gone", "file/below"] {
            #expect(PrivateFiles.deadLink(on: path(name)) == nil, "\(name)")
            #expect(try PrivateFiles.read(path(name)) == nil, "\(name)")
        }
        #expect(try PrivateFiles.names(in: path("gone")) == nil)
        #expect(try PrivateFiles.read(path("livefile")) == Array("text".utf8))
        // A folder lists them, so that what reads its files reports them.
        let names = try PrivateFiles.names(in: folder.path)
        #expect(
            names == [
                "absolute", "chain", "dead", "deep", "file", "livefile", "loop", "through",
            ]
        )
    }
}
