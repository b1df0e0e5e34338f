import Glibc

/// Files and folders that only their owner may read.
///
/// They use system calls, since Foundation costs start-up time.
package enum PrivateFiles {
    /// A file that could not be read or written.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let path: String
        /// The attempted action: `read`, `written`, `made`, `removed`.
        package let action: String
        /// The system's error number, or one of those below.
        package let code: Int32

        /// The code if a path is a pipe or a device, and a file is expected.
        package static let notAFile: Int32 = -1
        /// The code if a path is a link that leads nowhere, and not a missing file.
        package static let deadLink: Int32 = -2
        /// The code if a file is UTF-16 or UTF-32, and text in UTF-8 is expected.
        package static let otherEncoding: Int32 = -3
        /// The code if a file has a zero byte, and text is expected.
        package static let notText: Int32 = -4

        package init(path: String, action: String, code: Int32) {
            self.path = path
            self.action = action
            self.code = code
        }

        /// Why the content is no text in UTF-8, as a clause; nil for any other failure.
        package var unreadableText: String? {
            switch code {
            case Self.otherEncoding: "it is UTF-16, and text in UTF-8 is expected"
            case Self.notText: "it has a zero byte, so it is UTF-16 or no text"
            default: nil
            }
        }

        package var description: String {
            switch code {
            case Self.notAFile:
                "\(path) cannot be \(action): it is a pipe or a device, and no file."
            case Self.deadLink: "\(path) cannot be \(action): it is a link that leads nowhere."
            case Self.otherEncoding:
                "\(path) cannot be \(action): \(unreadableText ?? ""). Convert it: "
                    + "iconv -f UTF-16 -t UTF-8"
            case Self.notText:
                "\(path) cannot be \(action): \(unreadableText ?? ""); text in UTF-8 is expected."
            default: "\(path) cannot be \(action): \(String(cString: strerror(code)))."
            }
        }
    }

    /// Who may read a file that is replaced; only its owner may write it.
    package enum Readers: Hashable, Sendable {
        case owner
        /// A service of another user reads it too.
        case everyone
        /// Those who may read the file that is replaced; the owner, if there is none.
        case same
    }

    // MARK: Writing

    /// Replaces a file completely or not at all.
    ///
    /// If the path is a link, its target is replaced.
    ///
    /// - Parameter readers: who may read it from now on.
    /// - Throws: `Failure`; the old file is then unchanged.
    package static func replace(
        _ path: String,
        with content: [UInt8],
        for readers: Readers = .owner
    ) throws(Failure) {
        var target = path
        if let resolved = realpath(path, nil) {
            target = String(cString: resolved)
            free(resolved)
        }
        let draft = try content.withUnsafeBufferPointer { content throws(Failure) in
            try Draft(beside: target, content: UnsafeRawBufferPointer(content))
        }
        defer { draft.discard() }
        try draft.permit(readers, as: target)
        try draft.become(target)
    }

    /// Replaces a file, or a link itself, completely or not at all, readable by its owner only.
    ///
    /// It waits for no disk: after a power failure the file may be damaged. It is for what can be
    /// made again.
    ///
    /// - Throws: `Failure`.
    package static func replaceUnsynced(
        _ path: String,
        with content: [UInt8]
    ) throws(Failure) {
        let draft = try content.withUnsafeBufferPointer { content throws(Failure) in
            try Draft(beside: path, content: UnsafeRawBufferPointer(content), isSynced: false)
        }
        defer { draft.discard() }
        try draft.become(path)
    }

    /// Creates a new file completely or not at all, readable by its owner only.
    ///
    /// - Parameter check: gets the content read back from disk before the file has its name; its
    ///   error stops the creation and leaves no file behind.
    /// - Throws: `Failure`, with EEXIST if the file exists; the error of `check`.
    package static func create(
        _ path: String,
        with content: UnsafeRawBufferPointer,
        check: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    ) throws {
        let draft = try Draft(beside: path, content: content)
        defer { draft.discard() }
        let outcome = try withContent(of: draft.path, limit: content.count) {
            (written) -> Result<Void, any Error> in
            guard written.elementsEqual(content) else {
                return .failure(Failure(path: path, action: "written", code: EIO))
            }
            do {
                return .success(try check(written))
            } catch {
                return .failure(error)
            }
        }
        guard let outcome else { throw Failure(path: path, action: "written", code: ENOENT) }
        try outcome.get()
        // Unlike rename(2), link(2) never replaces a file.
        guard link(draft.path, path) == 0 else {
            throw Failure(path: path, action: "written", code: errno)
        }
        sync(folderOf: path)
    }

    /// A file under a temporary name until it is complete.
    private struct Draft {
        let path: String
        private let isSynced: Bool

        init(
            beside target: String,
            content: UnsafeRawBufferPointer,
            isSynced: Bool = true
        ) throws(Failure) {
            self.isSynced = isSynced
            var name = target.split(separator: "/", omittingEmptySubsequences: false)
            let last = name.removeLast()
            // Hidden, so that no program mistakes it for one of the folder's files.
            name.append(".\(last).\(getpid()).tmp")
            path = name.joined(separator: "/")
            unlink(path)
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
            let descriptor = open(path, flags, 0o600)
            guard descriptor >= 0 else {
                throw Failure(path: target, action: "written", code: errno)
            }
            let problem = PrivateFiles.write(content, to: descriptor, isSynced: isSynced)
            let closed = close(descriptor)
            let code = problem ?? (closed == 0 ? nil : errno)
            if let code {
                unlink(path)
                throw Failure(path: target, action: "written", code: code)
            }
        }

        /// Lets others read the draft as well.
        func permit(_ readers: Readers, as target: String) throws(Failure) {
            var mode: mode_t
            switch readers {
            case .owner: return
            case .everyone: mode = 0o644
            case .same:
                var status = stat()
                guard stat(target, &status) == 0 else { return }
                // Nobody else may write what the owner has written.
                mode = status.st_mode & 0o755
                if status.st_gid != getegid(), chown(path, uid_t.max, status.st_gid) != 0 {
                    // Its group cannot be kept, and another one is not to read it.
                    mode &= ~0o070
                }
            }
            guard chmod(path, mode) == 0 else {
                throw Failure(path: target, action: "made readable", code: errno)
            }
        }

        func become(_ target: String) throws(Failure) {
            guard rename(path, target) == 0 else {
                throw Failure(path: target, action: "written", code: errno)
            }
            if isSynced { PrivateFiles.sync(folderOf: target) }
        }

        /// Removes the draft; after it became the file there is nothing to remove.
        func discard() {
            unlink(path)
        }
    }

    /// Writes, and syncs if asked to; returns the error number on failure.
    private static func write(
        _ content: UnsafeRawBufferPointer,
        to descriptor: Int32,
        isSynced: Bool
    ) -> Int32? {
        var rest = content
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        return !isSynced || fsync(descriptor) == 0 ? nil : errno
    }

    /// Syncs a new name to disk; a file system that cannot do this may lose only the name.
    private static func sync(folderOf path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let folder = parts.isEmpty ? "." : parts.joined(separator: "/") + "/"
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Removes a file; a missing file is not an error.
    package static func remove(_ path: String) throws(Failure) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw Failure(path: path, action: "removed", code: errno)
        }
        sync(folderOf: path)
    }

    // MARK: Folders

    /// The folder that relative paths start from; nil if it no longer exists.
    package static func currentFolder() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard getcwd(&buffer, buffer.count) != nil else { return nil }
        return buffer.withUnsafeBufferPointer { pointer in
            pointer.baseAddress.map { String(cString: $0) }
        }
    }

    /// Makes a folder and its missing parents, for the owner only.
    package static func makeFolder(_ path: String) throws(Failure) {
        var partial = path.hasPrefix("/") ? "" : "."
        for component in path.split(separator: "/") {
            partial += "/\(component)"
            if mkdir(partial, 0o700) != 0, errno != EEXIST {
                // A parent that exists may not be writable: only a missing one counts.
                let code = errno
                if access(partial, F_OK) != 0 {
                    throw Failure(path: partial, action: "made", code: code)
                }
            }
        }
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(path: path, action: "made", code: ENOTDIR)
        }
    }

    /// The names of a folder's regular files that are not hidden, sorted; nil if there is no
    /// folder.
    ///
    /// A link that leads nowhere is among them: reading it reports that.
    ///
    /// - Throws: `Failure`, with `deadLink` if the folder is, or lies behind, such a link.
    package static func names(in folder: String) throws(Failure) -> [String]? {
        guard let stream = opendir(folder) else {
            let code = errno
            guard code == ENOENT else { throw Failure(path: folder, action: "read", code: code) }
            try refuseDeadLink(on: folder, action: "read")
            return nil
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            var status = stat()
            let path = "\(folder)/\(name)"
            let isFile =
                stat(path, &status) == 0
                ? status.st_mode & S_IFMT == S_IFREG : deadLink(on: path) == path
            if isFile { names.append(name) }
        }
        return names.sorted()
    }
}
