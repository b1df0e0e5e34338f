/// The words of a command line that is written as one text, as in an alias.
package enum CommandWords {
    /// The words between spaces; quotes, single or double, keep spaces within a word.
    ///
    /// `"market-buy ZRX/WETH --via 'book'"` has four words. No other character is special, so
    /// nothing is expanded.
    ///
    /// - Returns: nil if a quote has no end, or the text has a control character.
    package static func split(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in text {
            guard character.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
            else { return nil }
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if character == " " {
                if let finished = word { words.append(finished) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { return nil }
        return words + (word.map { [$0] } ?? [])
    }
}
