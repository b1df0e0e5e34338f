package import Ethereum

/// Words of commands that are advised and completed, which a shell takes as they are.
///
/// A token's symbol is a text of its contract or of a list: `ZZ$(reboot)` is one. In a command that
/// a user runs it would be a command of its own.
package enum ShellWord {
    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-".utf8
    )

    /// A symbol can stand in a command, quoted where it has a `$`; any other is named by address.
    ///
    /// `ZRX`, `USDC.e` and `$MYRO` can; `A B`, `ZZ$(reboot)`, `-n` and `` `id` `` cannot.
    package static func isUsable(symbol: String) -> Bool {
        !symbol.isEmpty && !symbol.hasPrefix("-")
            && symbol.utf8.allSatisfy { plain.contains($0) || $0 == UInt8(ascii: "$") }
    }

    /// A word as a shell has to get it: unchanged, or between single quotes.
    ///
    /// `ZRX/WETH` is unchanged; `$MYRO/WETH` becomes `'$MYRO/WETH'`.
    package static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { plain.contains($0) || "/@:%,=".utf8.contains($0) }
        return isPlain ? word : "'\(word.replacing("'", with: #"'\''"#))'"
    }
}

extension Token {
    /// What names the token in a command: its symbol, or its address where a shell would not take
    /// the symbol for what it is.
    package var word: String {
        ShellWord.isUsable(symbol: symbol) ? symbol : address.checksummed
    }
}

extension Pair {
    /// The pair as an argument of an advised command: `ZRX/WETH`.
    package var word: String { ShellWord.quoted("\(base.word)/\(quote.word)") }
}
