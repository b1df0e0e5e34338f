import CProcess
package import Ethereum
import Glibc
import PrivateFiles

/// The socket of an account's agent: mode 0600 in a folder of mode 0700.
package struct AgentSocket: Sendable {
    package let folder: String
    package let account: Address

    package init(folder: String, account: Address) {
        self.folder = folder
        self.account = account
    }

    /// Named by the account's digits.
    package var path: String { "\(folder)/\(account.lowercaseHex.dropFirst(2))" }

    /// Connections that wait to be accepted.
    private static let backlog: Int32 = 16
    /// Seconds that the other side may take.
    package var patience: Int32 = 10

    /// The accounts that have a socket, possibly without a listener.
    package static func accounts(in folder: String) -> [Address] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var accounts: [Address] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.utf8.count == 40, let address = Address(ifValid: "0x\(name)") {
                accounts.append(address)
            }
        }
        return accounts.sorted()
    }

    /// Listens; removes the socket of a killed process.
    ///
    /// - Throws: `SigningError`, also if another process already listens.
    package func listen() throws(SigningError) -> Int32 {
        do throws(PrivateFiles.Failure) {
            try PrivateFiles.makeFolder(folder)
        } catch {
            throw problem("cannot be made", error.code)
        }
        _ = try isThere()
        return try locked { () throws(SigningError) in
            if let other = try live() {
                close(other)
                throw SigningError.alreadyUnlocked(account)
            }
            let descriptor = dex_socket_listen(path, Self.backlog)
            guard descriptor >= 0 else { throw problem("cannot listen", -descriptor) }
            return descriptor
        }
    }

    package func remove() {
        unlink(path)
    }

    // MARK: Connecting

    /// A connection; nil if no process listens.
    package func connect() throws(SigningError) -> Int32? {
        guard try isThere() else { return nil }
        let descriptor = dex_socket_connect(path, patience)
        switch -descriptor {
        case ENOENT: return nil
        // The listener is gone, or about to start: one that starts holds the lock.
        case ECONNREFUSED:
            guard let second = try locked({ () throws(SigningError) in try live() }) else {
                return nil
            }
            return try ours(second)
        default:
            guard descriptor >= 0 else { throw problem("cannot be reached", -descriptor) }
            return try ours(descriptor)
        }
    }

    private func ours(_ descriptor: Int32) throws(SigningError) -> Int32 {
        guard Self.isOurUser(descriptor) else {
            close(descriptor)
            throw problem("belongs to another user", EPERM)
        }
        return descriptor
    }

    static func peer(_ descriptor: Int32) -> (process: pid_t, user: uid_t)? {
        var process: Int32 = 0
        var user: UInt32 = 0
        guard dex_socket_peer(descriptor, &process, &user) == 0, process > 0 else { return nil }
        return (process, user)
    }

    /// The peer is a process of this user.
    ///
    /// Which process is not checked, since that proves nothing: a child can share a connection, and
    /// a process can exec another program.
    package static func isOurUser(_ descriptor: Int32) -> Bool {
        peer(descriptor)?.user == geteuid()
    }

    // MARK: The folder

    /// The folder exists and no other user can enter it.
    private func isThere() throws(SigningError) -> Bool {
        var status = stat()
        guard stat(folder, &status) == 0 else {
            if errno == ENOENT { return false }
            throw problem("cannot be read", errno)
        }
        guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw SigningError.exposedAgent(folder: folder)
        }
        return true
    }

    /// Runs while no other process can remove or create a socket.
    private func locked<Result>(
        _ body: () throws(SigningError) -> Result
    ) throws(SigningError) -> Result {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
            throw problem("cannot be locked", errno)
        }
        defer {
            // A child that is just being started has the descriptor too, and with it the lock.
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
        return try body()
    }

    /// A connection; a socket without a listener is removed.
    private func live() throws(SigningError) -> Int32? {
        let descriptor = dex_socket_connect(path, patience)
        guard descriptor < 0 else { return descriptor }
        switch -descriptor {
        case ENOENT: return nil
        case ECONNREFUSED:
            unlink(path)
            return nil
        default: throw problem("cannot be reached", -descriptor)
        }
    }

    private func problem(_ what: String, _ code: Int32) -> SigningError {
        SigningError.agentSocket(path: path, what: what, code: code)
    }
}
