import Ethereum

/// Lays out values by the contract ABI: words in place, then the arrays in order.
struct ContractDataWriter {
    private enum Part {
        case words([Bytes32])
        /// An array; the words of its elements follow one another.
        case array(count: Int, [Bytes32])
    }

    private let selector: UInt32?
    private var parts: [Part] = []

    /// - Parameter selector: of call data; nil for return values and event data.
    init(selector: UInt32? = nil) {
        self.selector = selector
    }

    mutating func put(_ words: [Bytes32]) {
        parts.append(.words(words))
    }

    mutating func put(_ number: UInt256) {
        put([number.word])
    }

    mutating func put(_ flag: Bool) {
        put([Self.word(flag)])
    }

    /// An array of elements of one word each.
    mutating func put(array words: [Bytes32]) {
        put(array: words, count: words.count)
    }

    /// An array of elements that have the same number of words.
    mutating func put(array words: [Bytes32], count: Int) {
        parts.append(.array(count: count, words))
    }

    static func word(_ flag: Bool) -> Bytes32 {
        UInt256(flag ? 1 : 0).word
    }

    var finished: [UInt8] {
        var headWords = 0
        var tailWords = 0
        for part in parts {
            switch part {
            case .words(let words): headWords += words.count
            case .array(_, let words):
                headWords += 1
                tailWords += 1 + words.count
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + 32 * (headWords + tailWords))
        if let selector {
            withUnsafeBytes(of: selector.bigEndian) { bytes.append(contentsOf: $0) }
        }
        var offset = headWords
        for part in parts {
            switch part {
            case .words(let words): for word in words { word.append(to: &bytes) }
            case .array(_, let words):
                UInt256(UInt64(32 * offset)).word.append(to: &bytes)
                offset += 1 + words.count
            }
        }
        for case .array(let count, let words) in parts {
            UInt256(UInt64(count)).word.append(to: &bytes)
            for word in words { word.append(to: &bytes) }
        }
        return bytes
    }
}
