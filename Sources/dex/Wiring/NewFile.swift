import DexCore
import Ethereum
import Glibc
import PrivateFiles
import ZeroEx

/// A file that is made for what is signed and not sent, and never overwrites another one.
struct NewFile: Sendable {
    let path: String

    /// Checks that it can be made, before anything is signed.
    ///
    /// - Throws: `DexError`, exit 2, `file-exists`; `PrivateFiles.Failure` if its folder takes none.
    func check() throws {
        var status = stat()
        guard lstat(path, &status) != 0 else {
            throw SignedFileError.exists(path: path)
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let folder = parts.isEmpty ? "." : parts.joined(separator: "/") + "/"
        guard access(folder, W_OK | X_OK) == 0 else {
            throw PrivateFiles.Failure(path: path, action: "written", code: errno)
        }
    }

    /// Makes it, readable by its owner only.
    ///
    /// - Throws: `DexError`, exit 3, `file-not-written`: the transaction is in the journal.
    func write(_ file: SignedFile) throws(DexError) {
        try write(file.text, of: file.hash)
    }

    /// - Parameter text: as a signed file has it.
    func write(_ text: String, of hash: TransactionHash) throws(DexError) {
        try write(text) { SignedFileError.notWritten(path: path, reason: $0, hash) }
    }

    /// - Parameter wire: the relay's form of a signed order.
    /// - Throws: `DexError`, exit 3, `file-not-written`: the order is in the journal.
    func write(order wire: String, _ hash: OrderHash) throws(DexError) {
        try write(wire + "\n") { SignedFileError.orderNotWritten(path: path, reason: $0, hash) }
    }

    private func write(
        _ text: String,
        failing: (_ reason: String) -> DexError
    ) throws(DexError) {
        do {
            try Array(text.utf8).withUnsafeBytes { try PrivateFiles.create(path, with: $0) }
        } catch {
            throw failing((error as? PrivateFiles.Failure)?.description ?? "\(error)")
        }
    }
}
