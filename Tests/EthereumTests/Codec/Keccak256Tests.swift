import DexTestSupport
import Ethereum
import Testing

@Suite("Keccak-256")
struct Keccak256Tests {
    @Test(
        "the well-known texts have their well-known hashes",
        arguments: [
            ("", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
            ("abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
            (
                "The quick brown fox jumps over the lazy dog",
                "4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15"
            ),
            (
                "The quick brown fox jumps over the lazy dog.",
                "578951e24efd62a3d63a86f7cd19aaa53c898fe287d2552133220370240b572d"
            ),
        ]
    )
    func wellKnown(text: String, expected: String) {
        #expect(Keccak256.hash(text.utf8).hex == "0x" + expected)
    }

    @Test("messages of one length that are hashed together have the hashes that each has alone")
    func together() {
        var random = SeededGenerator(seed: 1)
        for length in Array(1...300) + [312, 407, 408, 409, 416, 544, 1_000] {
            let count = Int.random(in: 0...20, using: &random)
            // A part of one more message at the end has no hash.
            let rest = Int.random(in: 0..<length, using: &random)
            let bytes = (0..<length * count + rest).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let hashes = bytes.withUnsafeBytes { Keccak256.hashes($0, length: length) }
            let alone = (0..<count).map { Keccak256.hash(bytes[$0 * length..<($0 + 1) * length]) }
            #expect(hashes == alone, "\(count) messages of \(length) bytes")
        }
        let none = [1, 2, 3].withUnsafeBytes { Keccak256.hashes($0, length: 0) }
        #expect(none == [])
    }

    @Test("a processor with many registers gives the hashes that any other one gives")
    func portable() {
        var random = SeededGenerator(seed: 2)
        for length in Array(0...300) + [407, 408, 409, 543, 544, 545, 5_000] {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let portable = bytes.withUnsafeBytes { Keccak256.portableHash($0) }
            #expect(Keccak256.hash(bytes) == portable, "\(length) bytes")
        }
    }

    @Test("the one-byte vector of the Keccak team's ShortMsgKAT_256 passes")
    func shortVector() {
        let expected = "0xeead6dbfc7340a56caedc044696a168870549a6a7f6f56961e84a54bd9970b8a"
        #expect(Keccak256.hash([0xCC]).hex == expected)
    }

    // Bytes 0, 1 ... 250, 0, 1 ...; from an independent implementation whose permutation gave the
    // SHA3-256 hashes of the same messages as OpenSSL does.
    @Test(
        "messages around multiples of the rate are padded rightly",
        arguments: [
            (1, "bc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a"),
            (8, "59e7c99f6be4fd053d7c99f54e371304a33213473dc41f1825b7f3ceb33841a6"),
            (31, "3e50547cf72e8583ee91462f9d99fe624f53282f78e1a5ec2347b1d0123d0d9b"),
            (32, "8ae1aa597fa146ebd3aa2ceddf360668dea5e526567e92b0321816a4e895bd2d"),
            (60, "0aecfba2511535a2bc90ec9e21837048c910c8d4c81d3aad8cc0afc6693e4f85"),
            (64, "002030bde3d4cf89919649775cd71875c4d0ab1708a380e03fefc3a28aa24831"),
            (135, "cbdfd9dee5faad3818d6b06f95a219fd290b0e1706f6a82e5a595b9ce9faca62"),
            (136, "7ce759f1ab7f9ce437719970c26b0a66ff11fe3e38e17df89cf5d29c7d7f807e"),
            (137, "ac73d4fae68b8453f764007c1a20ce95994187861f0c3227a3a8e99a73a3b1db"),
            (271, "27eceb59ebc3dc8a04a5b135be641591a7278540e4556a2ba9f408194e666ec3"),
            (272, "8e2476e65823b24d96ebe239f2c1534cdf763e689e2410c3b1cb0c74e6177bfc"),
            (273, "3f02f134370e4debb95140ef49ddd3aed8c65ff1ed83a43f1b269421f179c5f9"),
            (312, "46afcd1981a0b665b4756b130e76eb45dce893525fcc07400c5d1fcfc60c54a6"),
            (1000, "af692982e84a5a9688359025660a7857cd28ee7c8d867cfa1677baf2e6d1f63b"),
            (4096, "154a932bb08a718880807903c8724a2e293271f249bd8d7017eb0e9b456a218d"),
        ]
    )
    func rateBoundaries(count: Int, expected: String) {
        let message = (0..<count).map { UInt8($0 % 251) }
        #expect(Keccak256.hash(message).hex == "0x" + expected)
    }

    @Test("a slice, a lazy sequence and a buffer hash as the array of their bytes does")
    func kindsOfSequences() {
        let padded = (0..<400).map { UInt8($0 % 251) }
        let message = Array(padded[7..<319])
        let expected = Keccak256.hash(message)
        #expect(Keccak256.hash(padded[7..<319]) == expected)
        #expect(
            Keccak256.hash(
                sequence(first: 0) { $0 + 1 }.lazy.map { message[$0] }
                    .prefix(312)
            ) == expected
        )
        #expect(padded.withUnsafeBytes { Keccak256.hash(.init(rebasing: $0[7..<319])) } == expected)
    }
}
