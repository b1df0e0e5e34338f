/// The options of every command by their letters; several may stand in one word, such as `-yj`.
enum ShortFlags {
    private static let flags: Set<Character> = ["j", "n", "q", "v", "y"]
    private static let valued: Set<Character> = ["w"]

    /// The letters of a word, of which only the last may have a value; nil for any other word.
    static func letters(of word: String) -> Substring? {
        guard word.hasPrefix("-"), !word.hasPrefix("--"), let last = word.dropFirst().last,
            flags.contains(last) || valued.contains(last),
            word.dropFirst().dropLast().allSatisfy(flags.contains)
        else { return nil }
        return word.dropFirst()
    }

    /// The word after it is a value.
    static func takesValue(_ word: String) -> Bool {
        letters(of: word)?.last.map(valued.contains) ?? false
    }
}
