/// What a mistyped word probably means, among the words that are known.
package enum Suggestion {
    /// No longer word is compared: the cost grows with the square.
    static let longestWord = 64

    /// The most similar known words, the nearest first, at most three; empty if none is near.
    ///
    /// A letter that is wrong, missing, too many, or swapped with the next one counts as one
    /// mistake. Words of up to 5 letters may have one, of up to 9 two, longer ones three. Letter
    /// case does not count. `Suggestion.closest(to: "orderbok", among: ["orderbook", "order"])` is
    /// `["orderbook"]`.
    package static func closest(
        to word: String,
        among known: some Sequence<String>
    ) -> [String] {
        let typed = Array(word.lowercased().utf8)
        guard (2...longestWord).contains(typed.count) else { return [] }
        let maximum = typed.count <= 5 ? 1 : typed.count <= 9 ? 2 : 3
        let ranked = Set(known).compactMap { name -> (mistakes: Int, name: String)? in
            let letters = Array(name.lowercased().utf8)
            guard letters.count <= longestWord, abs(letters.count - typed.count) <= maximum else {
                return nil
            }
            let mistakes = mistakes(typed, letters)
            return mistakes <= maximum ? (mistakes, name) : nil
        }.sorted { ($0.mistakes, $0.name) < ($1.mistakes, $1.name) }
        return ranked.prefix { $0.mistakes == ranked[0].mistakes }.prefix(3).map(\.name)
    }

    /// The question behind an error, such as `Did you mean "mainnet"?`; nil if nothing is near.
    ///
    /// - Parameter shown: how a known word is named.
    package static func question(
        _ word: String,
        among known: some Sequence<String>,
        shown: (String) -> String = { $0 }
    ) -> String? {
        let names = closest(to: word, among: known).map {
            "\(PlainText.quoted(shown($0), limit: 64))"
        }
        guard let last = names.last else { return nil }
        let first = names.dropLast().joined(separator: ", ")
        return "Did you mean \(first.isEmpty ? last : "\(first) or \(last)")?"
    }

    /// A hint with that question before it, if there is one.
    package static func behind(
        _ word: String,
        among known: some Sequence<String>,
        _ hint: String
    ) -> String {
        question(word, among: known).map { "\($0) \(hint)" } ?? hint
    }

    /// The number of mistakes between two words: the optimal string alignment distance.
    static func mistakes(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (row, letter) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                var best = min(
                    last[column + 1] + 1,
                    current[column] + 1,
                    last[column] + (letter == other ? 0 : 1)
                )
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}
