import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import Testing

@Suite("Secret bytes")
struct SecretBytesTests {
    @Test("they hold what was put in, also nothing")
    func content() {
        for bytes in [[], [1], Array(0...255)] as [[UInt8]] {
            let secret = SecretBytes(copying: bytes)
            let count = secret.count
            #expect(count == bytes.count)
            let (content, hasAddress) = secret.withBytes { (Array($0), $0.baseAddress != nil) }
            #expect(content == bytes)
            #expect(hasAddress)
            #expect(text(secret.hexText()) == Hex.encode(bytes))
        }
        let zeros = SecretBytes(count: 5) { _ in }.withBytes { Array($0) }
        #expect(zeros == [0, 0, 0, 0, 0])
    }

    @Test("two are equal when all their bytes are")
    func equality() {
        let secret = SecretBytes(copying: [1, 2, 3])
        let isSame = secret.isEqual(to: SecretBytes(copying: [1, 2, 3]))
        #expect(isSame)
        for other in [[], [1, 2], [1, 2, 3, 0], [0, 2, 3], [1, 2, 4]] as [[UInt8]] {
            let isSame = secret.isEqual(to: SecretBytes(copying: other))
            #expect(!isSame)
        }
    }

    @Test("digits are read in any case, with or without 0x, and nothing else is")
    func hexadecimal() {
        func read(_ text: String, count: Int = 2) -> [UInt8]? {
            guard let secret = SecretBytes(hex: text.utf8, count: count) else { return nil }
            return secret.withBytes { Array($0) }
        }
        for text in ["0aFf", "0x0aff", "0X0AFF"] { #expect(read(text) == [0x0A, 0xFF]) }
        for text in [
            "", "0x", "0aF", "0aFf0", "0x0aFf0", "0x0aF", "0gFf", "x0aFf", " 0af", "0a f",
        ] {
            #expect(read(text) == nil, "\(text)")
        }
        #expect(read("0x", count: 0) == [])
    }

    @Test("random ones differ")
    func random() {
        let first = SecretBytes(random: 32)
        let second = SecretBytes(random: 32)
        let (count, isSame) = (first.count, first.isEqual(to: second))
        #expect(count == 32)
        #expect(!isSame)
    }

    @Test("their pages are left out of core dumps, and locked where that is told")
    func pages() throws {
        let secret = SecretBytes(random: 5_000)
        let address = secret.withBytes { UInt(bitPattern: $0.baseAddress) }
        let isLocked = secret.isLocked
        // proc_pid_smaps(5): "start-end mode …" begins a mapping, "VmFlags: …" ends it.
        let lines = try ProcessFile.text("smaps").split(separator: "\n")
        let start = try #require(
            lines.firstIndex { line in
                let ends = line.prefix { $0 != " " }.split(separator: "-").map {
                    UInt($0, radix: 16)
                }
                guard ends.count == 2, let low = ends[0], let high = ends[1] else { return false }
                return (low..<high).contains(address)
            }
        )
        let flags = lines[start...].first { $0.hasPrefix("VmFlags:") }?.split(separator: " ")
        #expect(flags?.contains("dd") == true)
        #expect(flags?.contains("lo") == isLocked)
        // Until here the memory is there.
        let count = secret.withBytes { $0.count }
        #expect(count == 5_000)
    }
}
