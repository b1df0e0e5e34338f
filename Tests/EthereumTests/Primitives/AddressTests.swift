import DexTestSupport
import Ethereum
import Testing

@Suite("Addresses")
struct AddressTests {
    // Source: https://eips.ethereum.org/EIPS/eip-55#test-cases
    static let checksummed = [
        "0x52908400098527886E0F7030069857D2E4169EE7",
        "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
        "0xde709f2102306220921060314715629080e2fb77",
        "0x27b1fdb04752bbc536007a920d24acb045561c26",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ]

    @Test("EIP-55's examples are read and written with their checksum", arguments: checksummed)
    func eip55(text: String) throws {
        let address = try Address(text)
        #expect(address.checksummed == text)
        #expect(address.description == text)
        #expect(address.lowercaseHex == text.lowercased())
        #expect(try Address(text.lowercased()) == address)
        #expect(try Address("0x" + text.dropFirst(2).uppercased()) == address)
        #expect(try Address(lenient: text) == address)
    }

    @Test("any one letter in the wrong case is a wrong checksum", arguments: checksummed.suffix(4))
    func wrongChecksum(text: String) throws {
        let characters = Array(text)
        for index in 2..<42 where characters[index].isLetter {
            var changed = characters
            let letter = String(characters[index])
            changed[index] = Character(
                characters[index].isUppercase ? letter.lowercased() : letter.uppercased()
            )
            let mistyped = String(changed)
            #expect(throws: AddressError.wrongChecksum(mistyped, expected: text)) {
                try Address(mistyped)
            }
            #expect(try Address(lenient: mistyped).checksummed == text)
        }
    }

    @Test(
        "what is not 0x and 40 digits is no address, strictly and leniently",
        arguments: [
            "", "0x", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg",
            "1x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            " 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeA\n1",
            "0x５aAeb6053F3E94C9b9A09f33669435E7Ef1BeA", "vitalik.eth",
            "0x00000000000000000000000000000000000000\u{0}0",
        ]
    )
    func malformed(text: String) {
        #expect(throws: AddressError.malformed(text)) { try Address(text) }
        #expect(throws: AddressError.malformed(text)) { try Address(lenient: text) }
    }

    @Test("bytes and words go both ways")
    func bytes() throws {
        let bytes = Array(1...20) as [UInt8]
        let address = try #require(Address(bytes: bytes))
        #expect(address.bytes == bytes)
        #expect(address.word.bytes == [UInt8](repeating: 0, count: 12) + bytes)
        #expect(Address(truncating: address.word) == address)
        let dirty = UInt256(address.word) | UInt256.max << 160
        #expect(Address(truncating: dirty.word) == address)
        #expect(Address(bytes: Array(1...19)) == nil)
        #expect(Address(bytes: Array(1...21)) == nil)
        #expect(Address(bytes: bytes[...]) == address)
        #expect(Address.zero.bytes == [UInt8](repeating: 0, count: 20))
    }

    @Test("addresses are ordered as numbers")
    func order() throws {
        var generator = SeededGenerator(seed: 41)
        for _ in 0..<300 {
            let words = (0..<2).map { _ in
                (UInt256(generator.next()) << Int(generator.next() % 160)) & (UInt256.max >> 96)
            }
            let left = Address(truncating: words[0].word)
            let right = Address(truncating: words[1].word)
            #expect((left < right) == (words[0] < words[1]))
            #expect((left == right) == (words[0] == words[1]))
        }
    }

    @Test("a shortened address shows the first and last four digits")
    func shortened() throws {
        let address = try Address("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045")
        #expect(address.shortened == "0xd8dA…6045")
    }

    @Test("each error is a sentence that says what would be right")
    func sentences() {
        #expect(
            "\(AddressError.malformed("vitalik.eth"))"
                == "\"vitalik.eth\" is not an address: 0x and 40 hexadecimal digits are expected."
        )
        let long = "\(AddressError.malformed(String(repeating: "a", count: 1000)))"
        #expect(long.count < 200)
        let right = Self.checksummed[4]
        let wrong = right.replacing("A", with: "a")
        #expect(
            "\(AddressError.wrongChecksum(wrong, expected: right))"
                == "The address \(wrong) has a wrong checksum, so a digit may be mistyped; "
                + "it would be \(right)."
        )
    }
}
