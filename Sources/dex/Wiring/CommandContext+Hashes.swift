import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import Glibc
import PrivateFiles
import ZeroEx

/// Orders and transactions by the start of their hash, or by a row of the list shown last.
extension CommandContext {
    /// Finds the whole hashes of what the user names.
    ///
    /// - Throws: `DexError`, exit 3.
    func hashes(_ session: Session) throws(DexError) -> HashResolver {
        let folder = try home().lists
        return HashResolver(session: session, journal: try journal(session.network)) {
            () throws(DexError) in
            guard isatty(STDOUT_FILENO) == 1 else { throw HashError.noTerminal }
            guard let terminal = TerminalIdentity(of: STDOUT_FILENO) else {
                throw HashError.noList
            }
            return try ShownListFile(folder: folder, terminal: terminal).read()
        }
    }

    /// The screen of a report, whose rows are numbered once the numbers are kept.
    ///
    /// Only a terminal has them: a script neither keeps a list nor reads one.
    func screen(for list: ShownList?) -> Screen {
        guard let list, let terminal = TerminalIdentity(of: STDOUT_FILENO) else {
            return console.screen
        }
        do {
            try ShownListFile(folder: try home().lists, terminal: terminal).write(list)
            return console.screen.numberingRows
        } catch {
            console.warn("The rows have no numbers: \(Failure.describe(error).message)")
            return console.screen
        }
    }
}

extension ArgumentHelp {
    /// The help of an argument that names an order or a transaction.
    static func hash(of what: String) -> ArgumentHelp {
        ArgumentHelp(
            "The hash of \(what), its first 4 or more digits, or @N: row N of the list shown last."
        )
    }
}
