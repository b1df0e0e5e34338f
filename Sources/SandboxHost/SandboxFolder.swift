import DexRelay
import Glibc
import PrivateFiles
import StrictJSON

/// The sandbox's folder: its files, and the lock that shows whether a sandbox runs in it.
package struct SandboxFolder: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var chainFile: String { "\(path)/chain.sqlite" }
    package var relayFile: String { "\(path)/relay.sqlite" }
    /// The traders' journal; it is removed with the chain, since its nonces must not outlive that.
    package var journalFile: String { "\(path)/journal.sqlite" }
    /// The seed and the start time, which define genesis and market.
    package var settingsFile: String { "\(path)/sandbox.json" }
    /// The live chain and block that this is a fork of.
    package var forkFile: String { "\(path)/fork.json" }
    /// The process and its addresses; exists only while it runs.
    package var stateFile: String { "\(path)/state.json" }
    /// The URL of the sandbox that this is a copy of, on a line.
    package var leaderFile: String { "\(path)/leader" }
    /// The output of a detached sandbox.
    package var logFile: String { "\(path)/sandbox.log" }
    private var lockFile: String { "\(path)/lock" }

    /// Creates the folder and its missing parents, for the owner only.
    ///
    /// - Throws: `SandboxHostError.file`, also if one of its files is a link that leads nowhere: a
    ///   chain that is on another disk would begin anew.
    func make() throws(SandboxHostError) {
        try Self.telling { () throws(PrivateFiles.Failure) in
            try PrivateFiles.makeFolder(path)
            for file in [settingsFile, forkFile, chainFile, relayFile, journalFile] {
                _ = try PrivateFiles.exists(file, action: "opened")
            }
        }
    }

    /// Makes the folder, and locks it for a chain that runs in this process until the lock is
    /// released; what a killed one said of itself goes.
    ///
    /// - Throws: `SandboxHostError.file`, as `make`; `.alreadyRunning`.
    func begin() throws(SandboxHostError) -> SandboxLock {
        try make()
        let lock = try lock()
        unlink(stateFile)
        return lock
    }

    /// Locks the folder for this process until the lock is released.
    ///
    /// - Throws: `SandboxHostError.alreadyRunning`.
    func lock() throws(SandboxHostError) -> SandboxLock {
        // A caller of `isInUse` briefly holds the lock without being a sandbox.
        for _ in 0..<10 {
            if let lock = try SandboxLock(lockFile) { return lock }
            usleep(5_000)
        }
        throw .alreadyRunning(folder: path)
    }

    /// A process holds the lock: a sandbox runs here, even if it does not answer yet.
    package var isInUse: Bool {
        let descriptor = open(lockFile, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    /// Removes everything of the sandbox that dex wrote; other files stay.
    ///
    /// - Throws: `SandboxHostError`: a sandbox runs here, or a file cannot be removed.
    package func removeData() throws(SandboxHostError) {
        let isThere = try Self.telling { () throws(PrivateFiles.Failure) in
            try PrivateFiles.exists(path, action: "removed")
        }
        guard isThere else { return }
        let lock = try lock()
        defer { lock.release() }
        try remove(databases: [chainFile, relayFile, journalFile])
        try remove([
            SQLiteOrderStore.lockFile(of: relayFile), settingsFile, forkFile, stateFile, logFile,
            leaderFile,
        ])
    }

    /// Removes the journal, which must not outlive its chain: a new chain does not have its nonces.
    ///
    /// - Throws: `SandboxHostError.file`.
    func removeJournal() throws(SandboxHostError) {
        try remove(databases: [journalFile])
    }

    /// Removes a fork that could not begin.
    ///
    /// - Throws: `SandboxHostError.file`.
    func removeFork() throws(SandboxHostError) {
        try remove(databases: [chainFile])
        try remove([forkFile])
    }

    /// The folder contains a chain of its own, or a fork.
    ///
    /// - Throws: `SandboxHostError.file` if that is unknown.
    func keepsChain() throws(SandboxHostError) -> Bool {
        try Self.telling { () throws(PrivateFiles.Failure) in
            if try PrivateFiles.exists(settingsFile) { return true }
            return try PrivateFiles.exists(forkFile)
        }
    }

    private func remove(databases: [String]) throws(SandboxHostError) {
        try remove(databases.flatMap { [$0, "\($0)-wal", "\($0)-shm"] })
    }

    private func remove(_ files: [String]) throws(SandboxHostError) {
        for file in files {
            guard unlink(file) == 0 || errno == ENOENT else {
                throw .file(path: file, action: "removed", code: errno)
            }
        }
    }

    /// The bytes of a small file; nil if it does not exist.
    ///
    /// - Throws: `SandboxHostError.file`.
    static func read(_ path: String) throws(SandboxHostError) -> [UInt8]? {
        try telling { () throws(PrivateFiles.Failure) in
            try PrivateFiles.read(path, limit: 1 << 20)
        }
    }

    /// The JSON of a small file; nil if it does not exist.
    ///
    /// - Throws: `SandboxHostError`, also for what is no JSON.
    static func json(_ path: String) throws(SandboxHostError) -> JSONValue? {
        guard let bytes = try read(path) else { return nil }
        do throws(JSONError) {
            return try JSONParser.parse(bytes)
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
    }

    /// Replaces a file by JSON.
    ///
    /// - Throws: `SandboxHostError.file`.
    static func replace(_ path: String, with json: JSONValue) throws(SandboxHostError) {
        try replace(path, with: json.utf8 + [UInt8(ascii: "\n")])
    }

    /// Compares what was asked for with what the folder keeps.
    ///
    /// - Parameter settings: nil is not asked for.
    /// - Throws: `SandboxHostError.otherSettings` for the first difference.
    func compare(
        _ settings: [(name: String, asked: String?, found: String)]
    ) throws(SandboxHostError) {
        for case (let name, let asked?, let found) in settings where asked != found {
            throw .otherSettings(name: name, found: found, asked: asked)
        }
    }

    /// The setting `accounts` in words.
    static func accounts(areNamed: Bool) -> String { areNamed ? "named" : "none" }

    /// Replaces a file completely or not at all, readable by its owner only.
    ///
    /// - Throws: `SandboxHostError.file`.
    static func replace(_ path: String, with content: [UInt8]) throws(SandboxHostError) {
        try telling { () throws(PrivateFiles.Failure) in
            try PrivateFiles.replace(path, with: content)
        }
    }

    private static func telling<Result>(
        _ body: () throws(PrivateFiles.Failure) -> Result
    ) throws(SandboxHostError) -> Result {
        do throws(PrivateFiles.Failure) {
            return try body()
        } catch {
            throw .file(path: error.path, action: error.action, code: error.code)
        }
    }
}

/// A lock on the folder, which the system releases when the process ends, even if it is killed.
struct SandboxLock: Sendable {
    private let descriptor: Int32

    /// nil if another process holds it.
    fileprivate init?(_ path: String) throws(SandboxHostError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path: path, action: "opened", code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            if code == EWOULDBLOCK { return nil }
            throw .file(path: path, action: "locked", code: code)
        }
    }

    func release() {
        // Closing alone would leave it to a child that is just being started, until that runs.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// The reason why a sandbox cannot start, stop or be read.
package enum SandboxHostError: Error, Hashable, Sendable, CustomStringConvertible {
    case file(path: String, action: String, code: Int32)
    case alreadyRunning(folder: String)
    case unreadable(path: String, reason: String)
    case otherSettings(name: String, found: String, asked: String)
    case keptHere(folder: String)
    case portTaken(name: String, port: Int, reason: String)
    case seedingFailed(String)
    case notOurAddress(String)
    case nobodyFunded
    /// A sandbox that is no fork is kept where one should begin.
    case ownKept(folder: String)
    /// There is no fork to go on with, and no node to begin one.
    case noFork
    /// A copy of another sandbox serves nothing any more.
    case copyStopped(String)

    /// JSON that dex has not written like this.
    static func damaged(_ path: String) -> SandboxHostError {
        .unreadable(path: path, reason: "a member is missing or wrong")
    }

    package var description: String {
        switch self {
        case .file(let path, let action, let code):
            PrivateFiles.Failure(path: path, action: action, code: code).description
        case .alreadyRunning(let folder):
            "A sandbox is running in \(folder); `dex sandbox status` shows where, and "
                + "`dex sandbox down` stops it."
        case .unreadable(let path, let reason):
            "The file \(path) cannot be read: \(reason). Run `dex sandbox reset` to begin anew."
        case .otherSettings(let name, let found, let asked):
            "This sandbox was begun with \(name) \(found), not \(asked); leave the option out to "
                + "go on with it, or run `dex sandbox reset` first."
        case .keptHere(let folder):
            "A sandbox is kept in \(folder), so none can run in memory there; leave --memory out "
                + "to go on with it, or run `dex sandbox reset` first."
        case .portTaken(let name, let port, let reason):
            "The \(name) cannot listen on port \(port): \(reason). Give another port, or 0 for a "
                + "free one."
        case .notOurAddress(let address):
            "The sandbox cannot listen on \(address): this machine has no such address. Give one "
                + "of its own (ip address), or 0.0.0.0 for all of them."
        case .copyStopped(let reason): reason
        case .nobodyFunded:
            "With --accounts none nobody would own anything: give --fund ADDRESS, such as that of a "
                + "wallet of yours (dex wallet list)."
        case .ownKept(let folder):
            "A sandbox that is no fork is kept in \(folder); leave --fork out to go on with it, or run "
                + "`dex sandbox reset` first."
        case .noFork:
            "There is no fork to go on with: give --fork URL, or the name of a network of config.toml."
        case .seedingFailed(let reason): "The market cannot be made: \(reason)"
        }
    }
}
