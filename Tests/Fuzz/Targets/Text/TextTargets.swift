import Ethereum
import EthereumWallet

@testable import DexCore

extension FuzzTarget {
    /// Addresses, words, hexadecimal bytes and derivation paths: the fast readers agree with plain
    /// ones, checksums hold, and what is written is read again.
    static let texts = FuzzTarget("texts", maximumLength: 300, seeds: TextTarget.seeds) { input in
        let text = String(decoding: input, as: UTF8.self)
        let bytes = TextTarget.bytes(text)
        try requireEqual(try? Hex.decode(text), bytes, "bytes in hexadecimal")
        try requireEqual(try? Bytes32(hex: text), bytes.flatMap { Bytes32(bytes: $0) }, "a word")
        let address = try? Address(lenient: text)
        try requireEqual(address, bytes.flatMap { Address(bytes: $0) }, "an address")
        if let bytes {
            try requireEqual(try Hex.decode(Hex.encode(bytes)), bytes, "bytes written and read")
        }
        if let strict = try? Address(text) {
            try requireEqual(strict, address, "an address with a checksum")
        }
        if let address { try TextTarget.check(address, text) }
        if let path = try? DerivationPath(text) {
            try requireEqual(try DerivationPath(path.description), path, "a derivation path")
        }
        try TextTarget.checkAnswers(input)
    }

    /// A user's list of tokens: what is taken keeps within the standard and is harmless to show.
    static let tokenList = FuzzTarget(
        "token-list",
        maximumLength: 4_096,
        seeds: TextTarget.lists
    ) { input in
        guard let tokens = try? TokenListFile.contents(of: input, chainID: 1).tokens else { return }
        for token in tokens {
            try require(
                (1...20).contains(token.symbol.count) && (1...60).contains(token.name.count),
                "a symbol or a name is longer than the standard allows"
            )
            try requireHarmless(token.symbol, "a symbol")
            try requireHarmless(token.name, "a name")
        }
        try requireEqual(Set(tokens.map(\.address)).count, tokens.count, "a token twice")
        // Nothing is kept between two readings.
        try requireEqual(
            try TokenListFile.contents(of: input, chainID: 1).tokens,
            tokens,
            "a list again"
        )
    }
}

private enum TextTarget {
    /// The bytes of `0x` and digits, character by character.
    static func bytes(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count >= 2, characters.count.isMultiple(of: 2),
            characters[0] == UInt8(ascii: "0"),
            [UInt8(ascii: "x"), UInt8(ascii: "X")].contains(characters[1])
        else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 2, to: characters.count, by: 2) {
            let pair = String(decoding: characters[index..<index + 2], as: UTF8.self)
            guard !pair.hasPrefix("+"), !pair.hasPrefix("-"), let byte = UInt8(pair, radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    static func check(_ address: Address, _ text: String) throws {
        try requireEqual(try Address(address.checksummed), address, "a checksummed address")
        try requireEqual(try Address(lenient: address.lowercaseHex), address, "lower case")
        try requireEqual(Address(truncating: address.word), address, "an address' word")
        let digits = text.dropFirst(2)
        let isMixed = digits.contains { $0.isLowercase } && digits.contains { $0.isUppercase }
        let isStrict = (try? Address(text)) != nil
        try requireEqual(
            isStrict,
            !isMixed || digits == address.checksummed.dropFirst(2),
            "mixed letter case without a right checksum"
        )
    }

    /// What a token's contract may answer to `symbol()` and `decimals()`.
    static func checkAnswers(_ input: [UInt8]) throws {
        if let text = TokenAnswers.text(input, limit: 32) {
            try require(text.unicodeScalars.count <= 32 && !text.isEmpty, "a symbol's length")
            try requireHarmless(text, "a symbol from a contract")
        }
        let decimals = TokenAnswers.decimals(input)
        let isByte = input.count == 32 && input.dropLast().allSatisfy { $0 == 0 }
        try requireEqual(decimals, isByte ? input.last : nil, "a token's decimals")
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let address = Address(truncating: UInt256(0xD8DA_6BF2_6964_AF9D).word)
        let texts = [
            address.checksummed, address.lowercaseHex, "0X" + address.lowercaseHex.dropFirst(2),
            UInt256.max.word.hex, "0x", "0x0", "0x0g", "0xdeadBEEF", "0x+1", "m",
            "m/44'/60'/0'/0/0",
            "m/0h/1H/2147483647", "m/2147483648", "m//", "0x" + String(repeating: "é", count: 20),
        ].map { Array($0.utf8) }
        let type = [ABIType.string]
        let names = ["USDT", "", "Dai\u{0}", "a\u{1B}[31m\nb", "\u{202E}abc", "\u{1F4B0}"]
        let answers = try names.map { try ABI.encode([.string($0)], as: type) }
        let words = names.map { Array(($0.utf8 + Array(repeating: 0, count: 32)).prefix(32)) }
        return texts + answers + words + [UInt256(18).word.bytes, UInt256(256).word.bytes]
    }

    @Sendable
    static func lists() -> [[UInt8]] {
        [
            #"{"name":"My list","timestamp":"2024-05-01T12:00:00.000+00:00","version":{"major":1,"#
                + #""minor":0,"patch":3},"tokens":[{"chainId":1,"address":"0x00000000000000000000"#
                + #"000000000000000000a1","symbol":"ZRX","name":"0x Protocol","decimals":18,"#
                + #""logoURI":"https://example.org/z.png","tags":["a"]},{"chainId":2,"address":"#
                + #""0x00000000000000000000000000000000000000a1","symbol":"WETH","name":"é","#
                + #""decimals":255}]}"#
        ].map { Array($0.utf8) }
    }
}

/// A text from outside that was cleaned has nothing that a terminal takes for a command, and
/// nothing that reorders what is read.
func requireHarmless(_ text: String, _ what: @autoclosure () -> String) throws {
    for scalar in text.unicodeScalars {
        let isHarmful =
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E,
                0x2060...0x206F, 0xFEFF, 0xFFF0...0xFFFB, 0xE0000...0xE007F, 0xE000...0xF8FF,
                0xF0000...0x10FFFF:
                true
            default: false
            }
        try require(
            !isHarmful,
            "\(what()) has U+\(String(scalar.value, radix: 16)) after it was cleaned"
        )
    }
}
