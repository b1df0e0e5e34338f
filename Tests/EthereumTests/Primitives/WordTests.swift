import Ethereum
import Testing

@Suite("Words, hashes and hexadecimal texts")
struct WordTests {
    private static let digits = "0x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

    @Test("a word is the same from bytes, from text and from limbs")
    func sources() throws {
        let word = try #require(Bytes32(bytes: Array(0..<32)))
        #expect(try Bytes32(hex: Self.digits) == word)
        #expect(try Bytes32(hex: "0X" + Self.digits.dropFirst(2).uppercased()) == word)
        #expect(
            Bytes32(
                limbs: (
                    0x0001_0203_0405_0607, 0x0809_0A0B_0C0D_0E0F, 0x1011_1213_1415_1617,
                    0x1819_1A1B_1C1D_1E1F
                )
            ) == word
        )
        #expect(word.bytes == Array(0..<32))
        #expect(word.hex == Self.digits)
        #expect(word.description == Self.digits)
        #expect(word.withUnsafeBytes { Array($0) } == Array(0..<32))
        var output: [UInt8] = [9]
        word.append(to: &output)
        #expect(output == [9] + Array(0..<32))
        #expect(Bytes32(bytes: (0..<32).lazy.map { UInt8($0) }) == word)
    }

    @Test("31 or 33 bytes are no word")
    func wrongCount() {
        for count in [0, 31, 33, 64] {
            #expect(Bytes32(bytes: [UInt8](repeating: 0, count: count)) == nil)
        }
    }

    @Test(
        "what is not 0x and 64 digits is no word",
        arguments: [
            "", "0x", String(digits.dropFirst(2)), digits + "0", String(digits.dropLast()),
            String(digits.dropLast()) + "g", String(digits.dropLast(3)) + "１",
            "00" + digits.dropFirst(2),
        ]
    )
    func malformed(text: String) {
        #expect {
            try Bytes32(hex: text)
        } throws: { error in
            (error as? Bytes32Error)?.text == text
        }
        #expect(throws: Bytes32Error.self) { try TransactionHash(hex: text) }
    }

    @Test("each wrong digit of a word is noticed")
    func everyDigit() {
        for index in 2..<66 {
            var characters = Array(Self.digits)
            characters[index] = "x"
            #expect(throws: Bytes32Error.self) { try Bytes32(hex: String(characters)) }
        }
    }

    @Test("words and hashes are ordered as numbers")
    func order() {
        let ascending = [0, 1, 255, UInt256(1) << 64, UInt256(1) << 128, UInt256(1) << 192, .max]
            .map(\.word)
        for (index, left) in ascending.enumerated() {
            for (other, right) in ascending.enumerated() {
                #expect((left < right) == (index < other))
                #expect((left == right) == (index == other))
                #expect((TransactionHash(left) < TransactionHash(right)) == (index < other))
            }
        }
        #expect(Set(ascending).count == ascending.count)
    }

    @Test("a hash shows its digits")
    func hashText() throws {
        let hash = try BlockHash(hex: Self.digits)
        #expect(hash.hex == Self.digits)
        #expect("\(hash)" == Self.digits)
        #expect(hash.word.bytes == Array(0..<32))
    }

    @Test("bytes go through their text and back")
    func hexRoundTrip() throws {
        let all = Array(0...255) as [UInt8]
        let text = Hex.encode(all)
        #expect(text.hasPrefix("0x000102") && text.hasSuffix("fdfeff"))
        #expect(text.count == 514)
        #expect(try Hex.decode(text) == all)
        #expect(try Hex.decode("0x" + text.dropFirst(2).uppercased()) == all)
        #expect(Hex.encode([]) == "0x")
        #expect(try Hex.decode("0x") == [])
        #expect(Hex.encode(all.lazy.filter { $0 < 2 }) == "0x0001")
    }

    @Test("every byte is the same text at every place of a text of any length")
    func hexPlaces() throws {
        let digits = Array("0123456789abcdef")
        for count in 1...9 {
            for place in 0..<count {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: 0xA5, count: count)
                    bytes[place] = byte
                    let pairs = bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }
                    let text = "0x" + pairs.joined()
                    #expect(Hex.encode(bytes) == text)
                    #expect(try Hex.decode(text) == bytes)
                }
            }
            for place in 2..<2 * count + 2 {
                var characters = Array(Hex.encode([UInt8](repeating: 0xA5, count: count)).utf8)
                characters[place] = UInt8(ascii: "g")
                let text = String(decoding: characters, as: UTF8.self)
                #expect(throws: HexError.invalidDigit(text)) { try Hex.decode(text) }
            }
        }
    }

    @Test(
        "texts that are not hexadecimal are refused, each with its reason",
        arguments: [
            ("", HexError.missingPrefix("")), ("0", .missingPrefix("0")),
            ("1234", .missingPrefix("1234")), ("x0", .missingPrefix("x0")),
            ("0x1", .oddLength("0x1")), ("0x123", .oddLength("0x123")),
            ("0xzz", .invalidDigit("0xzz")), ("0x0 ", .invalidDigit("0x0 ")),
            ("0x-1", .invalidDigit("0x-1")), ("0x:;", .invalidDigit("0x:;")),
            ("0x@G", .invalidDigit("0x@G")), ("0x`g", .invalidDigit("0x`g")),
        ]
    )
    func hexErrors(text: String, error: HexError) {
        #expect(throws: error) { try Hex.decode(text) }
    }

    @Test("exactly 22 bytes are hexadecimal digits")
    func digitValues() {
        let values = (0...255).compactMap { Hex.value(ofDigit: UInt8($0)) }
        #expect(values == Array(0...9) + Array(10...15) + Array(10...15))
    }

    @Test("eight digits at once are read as one by one, whatever byte is at whatever place")
    func eightDigits() {
        for place in 0..<8 {
            for byte in 0...255 {
                var text = Array("__09afAFe7__".utf8)
                text[2 + place] = UInt8(byte)
                var expected: UInt32? = 0
                for index in 2..<10 {
                    let digit = Hex.value(ofDigit: text[index])
                    expected = expected.flatMap { value in digit.map { value << 4 | UInt32($0) } }
                }
                let word = text.withUnsafeBufferPointer { Hex.word(ofDigitsAt: 2, in: $0) }
                #expect(word == expected)
            }
        }
    }

    @Test("a text that is no digits at one place is refused, at every place and length")
    func oneBadDigit() throws {
        for count in 1...40 {
            let digits = Array(repeating: UInt8(ascii: "c"), count: 2 * count)
            let good = "0x" + String(decoding: digits, as: UTF8.self)
            #expect(try Hex.decode(good) == Array(repeating: 0xCC, count: count))
            for place in digits.indices {
                var bad = digits
                bad[place] = UInt8(ascii: "g")
                let text = "0x" + String(decoding: bad, as: UTF8.self)
                #expect(throws: HexError.invalidDigit(text)) { try Hex.decode(text) }
                #expect(throws: Bytes32Error.self) { try Bytes32(hex: text) }
                #expect(throws: AddressError.self) { try Address(lenient: text) }
            }
        }
    }

    @Test("each error is a sentence")
    func sentences() {
        #expect(
            "\(HexError.missingPrefix("12"))"
                == "\"12\" is not hexadecimal: it does not begin with 0x."
        )
        #expect(
            "\(HexError.oddLength("0x1"))"
                == "\"0x1\" has an odd number of hexadecimal digits; two make a byte."
        )
        #expect(
            "\(HexError.invalidDigit("0xzz"))"
                == "\"0xzz\" has a character that is no hexadecimal digit."
        )
        #expect {
            try Bytes32(hex: "0x12")
        } throws: { error in
            "\(error)"
                == "\"0x12\" is not a 32-byte word: 0x and 64 hexadecimal digits are expected."
        }
    }

    @Test("an error quotes no more than 80 scalars of a text, be it one endless character")
    func excerpts() {
        let endless = "a" + String(repeating: "\u{301}", count: 100_000)
        let errors: [any Error] = [
            AddressError.malformed(endless), HexError.missingPrefix(endless),
            DecimalTextError.malformed(endless), ABIError.malformedSignature(endless),
        ]
        #expect(endless.count == 1)
        for error in errors { #expect("\(error)".utf8.count < 400) }
        #expect {
            try Bytes32(hex: endless)
        } throws: { error in
            "\(error)".utf8.count < 400
        }
    }

    // Source: https://docs.ethers.org/v5/api/utils/hashing/#utils-hashMessage
    @Test("EIP-191 hashes count the message's bytes")
    func messages() {
        #expect(
            EthereumMessage.hash(Array("Hello World".utf8)).hex
                == "0xa1de988600a42c4b4ab089b619297c17d53cffae5d5120d82d8a92d0bb3b78f2"
        )
        let word = Keccak256.hash([1, 2, 3])
        #expect(EthereumMessage.hash(word) == EthereumMessage.hash(word.bytes))
        let text = "€"
        let prefixed = "\u{19}Ethereum Signed Message:\n3€"
        #expect(EthereumMessage.hash(text.utf8) == Keccak256.hash(prefixed.utf8))
        #expect(
            EthereumMessage.hash([UInt8]()).hex
                == "0x5f35dce98ba4fba25530a026ed80b2cecdaa31091ba4958b99b52ea1d068adad"
        )
    }
}
