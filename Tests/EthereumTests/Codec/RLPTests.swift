import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@Suite("RLP")
struct RLPTests {
    /// A value of the vectors: `0x` and bytes, or a list.
    private func item(_ value: JSONValue) throws -> RLP {
        if let values = value.arrayValue { return .list(try values.map(item)) }
        return .bytes(try hex(try #require(value.stringValue)))
    }

    @Test("what another library encodes is encoded and decoded alike")
    func vectorsEncodeAlike() throws {
        let vectors = try vectors("rlp").list("valid")
        #expect(vectors.count == 35)
        for vector in vectors {
            let expected = try hex(vector.text("out"))
            let item = try item(vector.member("in"))
            #expect(item.encoded == expected)
            #expect(try RLP.decode(expected) == item)
        }
    }

    @Test("what another library refuses is refused")
    func invalid() throws {
        let vectors = try vectors("rlp").list("invalid")
        #expect(vectors.count > 90)
        for vector in vectors {
            let bytes = try hex(vector.text("out"))
            #expect(throws: RLPError.self, "\(vector)") { try RLP.decode(bytes) }
        }
    }

    @Test("the examples of the Yellow Paper's appendix and of the Ethereum wiki")
    func examples() throws {
        #expect(RLP.bytes(Array("dog".utf8)).encoded == (try hex("83646f67")))
        let pets = RLP.list([.bytes(Array("cat".utf8)), .bytes(Array("dog".utf8))])
        #expect(pets.encoded == (try hex("c88363617483646f67")))
        #expect(RLP.bytes([]).encoded == [0x80])
        #expect(RLP.list([]).encoded == [0xC0])
        #expect(RLP.integer(0).encoded == [0x80])
        #expect(RLP.bytes([0]).encoded == [0])
        #expect(RLP.integer(15).encoded == [15])
        #expect(RLP.integer(1024).encoded == (try hex("820400")))
        let empty = RLP.list([])
        let three = RLP.list([empty, .list([empty]), .list([empty, .list([empty])])])
        #expect(three.encoded == (try hex("c7c0c1c0c3c0c1c0")))
    }

    @Test("a length of three bytes begins at 65,536 bytes")
    func longLengths() throws {
        for (count, prefix) in [(65_535, "b9ffff"), (65_536, "ba010000")] {
            let item = RLP.bytes([UInt8](repeating: 7, count: count))
            #expect(Array(item.encoded.prefix(prefix.count / 2)) == (try hex(prefix)))
            #expect(try RLP.decode(item.encoded) == item)
        }
    }

    @Test(
        "each fault has its own error",
        arguments: [
            ("0x", RLPError.truncated),
            ("0x83646f", .truncated),
            ("0xc3826f", .truncated),
            ("0xb838", .truncated),
            ("0xbfffffffffffffffff", .truncated),
            ("0xff7fffffffffffffff00", .truncated),
            ("0xb8", .truncated),
            ("0x8080", .trailingBytes),
            ("0x0000", .trailingBytes),
            ("0xc0c0", .trailingBytes),
            ("0x8100", .nonCanonical),
            ("0x817f", .nonCanonical),
            ("0xb80100", .nonCanonical),
            ("0xb90001ff", .nonCanonical),
            ("0xf80180", .nonCanonical),
            ("0xc28100", .nonCanonical),
        ]
    )
    func faults(digits: String, error: RLPError) throws {
        let bytes = try hex(digits)
        #expect(throws: error) { try RLP.decode(bytes) }
    }

    @Test("an item that reaches beyond its list is refused")
    func beyondTheList() {
        #expect(throws: RLPError.truncated) { try RLP.decode([0xC2, 0x82, 0x61, 0x62]) }
    }

    @Test("lists nested 64 deep are decoded, deeper ones refused without using up the stack")
    func depth() throws {
        var item = RLP.list([])
        for _ in 1..<64 { item = .list([item]) }
        #expect(try RLP.decode(item.encoded) == item)
        let tooDeep = RLP.list([item]).encoded
        #expect(throws: RLPError.tooDeep) { try RLP.decode(tooDeep) }
        // A list prefix whose length is right at every level, 20,000 deep.
        var parts: [[UInt8]] = []
        var length: UInt32 = 0
        for _ in 0..<20_000 {
            let prefix: [UInt8] =
                length <= 55
                ? [0xC0 + UInt8(length)]
                : length <= 255
                    ? [0xF8, UInt8(length)]
                    : [0xF9, UInt8(length >> 8), UInt8(length & 0xFF)]
            parts.append(prefix)
            length += UInt32(prefix.count)
        }
        let deep = Array(parts.reversed().joined())
        #expect(throws: RLPError.tooDeep) { try RLP.decode(deep) }
    }

    @Test("integers are decoded in their shortest form only")
    func integers() throws {
        #expect(RLP.integer(0) == .bytes([]))
        #expect(RLP.integer(.max).encoded.count == 33)
        for value in [UInt256.zero, 1, 127, 128, 255, 256, .max] {
            #expect(try RLP.decode(RLP.integer(value).encoded).unsignedInteger == value)
        }
        #expect(RLP.bytes([0]).unsignedInteger == nil)
        #expect(RLP.bytes([0, 1]).unsignedInteger == nil)
        #expect(RLP.bytes([1] + [UInt8](repeating: 0, count: 32)).unsignedInteger == nil)
        #expect(RLP.list([]).unsignedInteger == nil)
    }

    @Test("random items survive a round trip; their truncations and bit flips never mislead")
    func hostile() throws {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<60 {
            let item = random(&generator, depth: 3)
            let encoded = item.encoded
            #expect(try RLP.decode(encoded) == item)
            for count in 0..<encoded.count {
                let prefix = Array(encoded.prefix(count))
                #expect(throws: RLPError.self) { try RLP.decode(prefix) }
            }
            for index in encoded.indices.prefix(100) {
                for bit in 0..<8 {
                    var flipped = encoded
                    flipped[index] ^= 1 << bit
                    // One encoding per item: other bytes are another item or none.
                    guard let other = try? RLP.decode(flipped) else { continue }
                    #expect(other != item)
                    #expect(other.encoded == flipped)
                }
            }
        }
    }

    private func random(_ generator: inout SeededGenerator, depth: Int) -> RLP {
        guard depth > 0, generator.next() % 2 == 0 else {
            let count = [0, 1, 2, 32, 55, 56, 300][Int(generator.next() % 7)]
            return .bytes((0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        }
        return .list((0..<generator.next() % 5).map { _ in random(&generator, depth: depth - 1) })
    }

    @Test(
        "each error is a sentence",
        arguments: [
            (RLPError.truncated, "The RLP data ends in the middle of an item."),
            (.trailingBytes, "There are bytes behind the end of the RLP item."),
            (.nonCanonical, "An RLP length or byte is not written in its shortest form."),
            (.tooDeep, "RLP lists are nested more than 64 deep."),
        ]
    )
    func sentences(error: RLPError, sentence: String) {
        #expect("\(error)" == sentence)
    }
}
