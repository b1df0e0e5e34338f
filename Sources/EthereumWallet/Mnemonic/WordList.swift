/// The words of BIP-39 by their number, and the numbers by their words.
struct WordList: Sendable {
    static let english = WordList(EnglishWords.text)

    private let text: StaticString
    /// The start of each word, and one position after the last word's end.
    private let starts: [Int]

    private init(_ text: StaticString) {
        self.text = text
        let space = UInt8(ascii: " ")
        let spaces = text.withUTF8Buffer { bytes in bytes.indices.filter { bytes[$0] == space } }
        starts = [0] + spaces.map { $0 + 1 } + [text.utf8CodeUnitCount + 1]
    }

    var count: Int {
        starts.count - 1
    }

    /// Lends the bytes of a word.
    func withWord<Result>(
        _ number: Int,
        _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Result
    ) -> Result {
        text.withUTF8Buffer { body($0[starts[number]..<starts[number + 1] - 1]) }
    }

    /// The number of a word in lower case; nil if it is not in the list.
    func number(of word: some Collection<UInt8>) -> Int? {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let (isBefore, isEqual) = withWord(middle) { candidate in
                (candidate.lexicographicallyPrecedes(word), candidate.elementsEqual(word))
            }
            if isEqual { return middle }
            range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
