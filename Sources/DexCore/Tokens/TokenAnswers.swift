import Ethereum

/// Decodes a token contract's own data, from possibly hostile contracts.
enum TokenAnswers {
    /// The text that `symbol()` or `name()` returned, as a string or, from old tokens, a bytes32.
    ///
    /// Control characters and line feeds are removed; nil if nothing is left.
    static func text(_ answer: [UInt8]?, limit: Int) -> String? {
        guard let answer, let content = content(of: answer),
            let text = String(validating: content, as: UTF8.self)
        else { return nil }
        let clean = PlainText.clean(text, limit: limit)
            .split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        return clean.isEmpty ? nil : clean
    }

    /// The number that `decimals()` returned; nil for anything but a word from 0 to 255.
    static func decimals(_ answer: [UInt8]?) -> UInt8? {
        guard let answer, let word = Bytes32(bytes: answer) else { return nil }
        return UInt256(word).uint64.flatMap { UInt8(exactly: $0) }
    }

    /// The word that a call returned; nil for less, such as from an address without code.
    static func word(_ answer: [UInt8]) -> UInt256? {
        answer.count >= 32 ? UInt256(bigEndian: answer.prefix(32)) : nil
    }

    /// `transfer` or `approve` returned true, or nothing, like USDT.
    static func isSuccess(_ returned: [UInt8]) -> Bool {
        returned.isEmpty || UInt256(bigEndian: returned.prefix(32)).map { $0 != .zero } == true
    }

    private static func content(of answer: [UInt8]) -> ArraySlice<UInt8>? {
        if answer.count == 32 { return answer.prefix { $0 != 0 } }
        // A string: offset, length, bytes.
        guard answer.count >= 64, UInt256(bigEndian: answer[0..<32]) == 32,
            let length = UInt256(bigEndian: answer[32..<64])?.uint64,
            length <= UInt64(answer.count - 64)
        else { return nil }
        return answer[64..<(64 + Int(length))]
    }
}
