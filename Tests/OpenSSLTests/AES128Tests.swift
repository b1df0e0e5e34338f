import Testing

@testable import OpenSSL

@Suite("AES-128 of OpenSSL")
struct AES128Tests {
    private static func transform(_ input: [UInt8], key: [UInt8], counter: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: input.count)
        output.withUnsafeMutableBytes { output in
            input.withUnsafeBytes { input in
                key.withUnsafeBytes { key in
                    AES128.counterMode(input, key: key, counter: counter, into: output)
                }
            }
        }
        return output
    }

    @Test("SP 800-38A's example of counter mode, in both directions")
    func example() {
        let key: [UInt8] = [
            0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6, 0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF,
            0x4F, 0x3C,
        ]
        let plain: [UInt8] = [
            0x6B, 0xC1, 0xBE, 0xE2, 0x2E, 0x40, 0x9F, 0x96, 0xE9, 0x3D, 0x7E, 0x11, 0x73, 0x93,
            0x17, 0x2A, 0xAE, 0x2D, 0x8A, 0x57, 0x1E, 0x03, 0xAC, 0x9C, 0x9E, 0xB7, 0x6F, 0xAC,
            0x45, 0xAF, 0x8E, 0x51,
        ]
        let sealed: [UInt8] = [
            0x87, 0x4D, 0x61, 0x91, 0xB6, 0x20, 0xE3, 0x26, 0x1B, 0xEF, 0x68, 0x64, 0x99, 0x0D,
            0xB6, 0xCE, 0x98, 0x06, 0xF6, 0x6B, 0x79, 0x70, 0xFD, 0xFF, 0x86, 0x17, 0x18, 0x7B,
            0xB9, 0xFF, 0xFD, 0xFF,
        ]
        let counter = (0..<16).map { UInt8(0xF0 + $0) }
        #expect(Self.transform(plain, key: key, counter: counter) == sealed)
        #expect(Self.transform(sealed, key: key, counter: counter) == plain)
        // A part of a block, and nothing.
        #expect(Self.transform([0x6B, 0xC1], key: key, counter: counter) == [0x87, 0x4D])
        #expect(Self.transform([], key: key, counter: counter) == [])
    }

    @Test("the counter goes on beyond its low 64 bits")
    func carry() {
        let key = [UInt8](repeating: 7, count: 16)
        let ones = [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8)
        let next = [UInt8](repeating: 0, count: 7) + [1] + [UInt8](repeating: 0, count: 8)
        let both = Self.transform([UInt8](repeating: 0, count: 32), key: key, counter: ones)
        let second = Self.transform([UInt8](repeating: 0, count: 16), key: key, counter: next)
        #expect(Array(both[16...]) == second)
    }

    @Test("SP 800-38A's example of cipher block chaining")
    func chained() throws {
        let key: [UInt8] = [
            0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6, 0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF,
            0x4F, 0x3C,
        ]
        let sealed: [UInt8] = [
            0x76, 0x49, 0xAB, 0xAC, 0x81, 0x19, 0xB2, 0x46, 0xCE, 0xE9, 0x8E, 0x9B, 0x12, 0xE9,
            0x19, 0x7D, 0x50, 0x86, 0xCB, 0x9B, 0x50, 0x72, 0x19, 0xEE, 0x95, 0xDB, 0x11, 0x3A,
            0x91, 0x76, 0x78, 0xB2,
        ]
        var output = [UInt8](repeating: 0, count: sealed.count)
        output.withUnsafeMutableBytes { output in
            sealed.withUnsafeBytes { input in
                key.withUnsafeBytes { key in
                    AES128.decryptChained(
                        input,
                        key: key,
                        initialVector: Array(0..<16),
                        into: output
                    )
                }
            }
        }
        #expect(
            output == [
                0x6B, 0xC1, 0xBE, 0xE2, 0x2E, 0x40, 0x9F, 0x96, 0xE9, 0x3D, 0x7E, 0x11, 0x73, 0x93,
                0x17, 0x2A, 0xAE, 0x2D, 0x8A, 0x57, 0x1E, 0x03, 0xAC, 0x9C, 0x9E, 0xB7, 0x6F, 0xAC,
                0x45, 0xAF, 0x8E, 0x51,
            ]
        )
    }
}
