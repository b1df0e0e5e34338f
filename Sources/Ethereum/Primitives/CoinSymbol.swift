/// The symbol of the coin that pays for gas on a chain, such as ETH.
///
/// 1 to 11 letters and digits, at least one letter among them; letters are capital. A symbol with
/// other characters could imitate a number, a unit or another symbol on a screen.
package struct CoinSymbol: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package static let ether = CoinSymbol(unchecked: "ETH")
    package static let maximumCharacters = 11

    private init(unchecked text: String) {
        self.text = text
    }

    /// A symbol, nil for anything else; small letters become capital ones.
    package init?(_ text: String) {
        // Some letters of other alphabets have capitals in this one.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let capital = text.uppercased()
        let isPlain = capital.utf8.allSatisfy { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard isPlain, (1...Self.maximumCharacters).contains(capital.utf8.count),
            !capital.utf8.allSatisfy({ $0 <= UInt8(ascii: "9") })
        else { return nil }
        self.text = capital
    }

    package var description: String { text }

    /// The coin in a sentence without an amount: `ether`, else its symbol.
    package var noun: String { self == .ether ? "ether" : text }

    /// An amount of the coin, exactly, with its symbol: `1.5 ETH`.
    package func amount(_ wei: Wei) -> String {
        "\(DecimalText.format(wei.rawValue, decimals: 18)) \(text)"
    }
}
