import DexTestSupport
import Ethereum
import Foundation

/// Secrets of a test, in every form in which they could leak.
struct SecretNeedles: Sendable {
    /// One form of one secret.
    struct Needle: Sendable {
        let name: String
        let bytes: [UInt8]
        /// Two words, which a sentence of a program may have too: `address book`.
        var isPair = false
    }

    let needles: [Needle]

    /// The name of the form in which a key may be where it has to be: 32 bytes.
    static let rawKey = "the key"

    /// - Parameters:
    ///   - key: 32 bytes, random.
    ///   - texts: secret texts, each with its name; of a recovery phrase any two words count.
    init(key: [UInt8], texts: [(name: String, text: String)]) {
        var needles = [Needle(name: Self.rawKey, bytes: key)]
        let digits = Hex.encode(key).dropFirst(2)
        needles.append(Needle(name: "the key's digits", bytes: Array(digits.utf8)))
        needles.append(
            Needle(name: "the key's capital digits", bytes: Array(digits.uppercased().utf8))
        )
        needles.append(Needle(name: "the key backwards", bytes: key.reversed()))
        for (name, text) in texts {
            needles.append(Needle(name: name, bytes: Array(text.utf8)))
            let words = text.split(separator: " ")
            for (first, second) in zip(words, words.dropFirst()) {
                let pair = "\(first) \(second)"
                needles.append(
                    Needle(name: "two words of \(name)", bytes: Array(pair.utf8), isPair: true)
                )
            }
        }
        self.needles = needles
    }

    /// The forms that are in some bytes, but for two words that are in a program's file too.
    ///
    /// - Parameter files: of programs and libraries, none of which has a secret.
    func found(in bytes: [UInt8], beside files: Set<String>) -> [Needle] {
        bytes.withUnsafeBytes { search($0) }.map(\.needle).filter { needle in
            !needle.isPair || !files.contains { isIn(needle, file: $0) }
        }
    }

    private func isIn(_ needle: Needle, file: String) -> Bool {
        guard let content = FileManager.default.contents(atPath: file) else { return false }
        return content.firstRange(of: Data(needle.bytes)) != nil
    }

    /// Where the forms are in some bytes.
    private func search(_ bytes: UnsafeRawBufferPointer) -> [(needle: Needle, offset: Int)] {
        guard let start = bytes.baseAddress else { return [] }
        var found: [(needle: Needle, offset: Int)] = []
        for needle in needles where needle.bytes.count <= bytes.count {
            var from = 0
            while let hit = needle.bytes.withUnsafeBytes({
                memmem(start + from, bytes.count - from, $0.baseAddress, $0.count)
            }) {
                let offset = start.distance(to: hit)
                found.append((needle, offset))
                from = offset + 1
            }
        }
        return found
    }

    /// The names of the forms that are in what `dex` wrote.
    func names(in bytes: [UInt8]) -> [String] {
        found(in: bytes, beside: [DexBinary.executable.path]).map(\.name)
    }

    private func memmem(
        _ haystack: UnsafeRawPointer,
        _ count: Int,
        _ needle: UnsafeRawPointer?,
        _ length: Int
    ) -> UnsafeRawPointer? {
        guard let needle, length > 0 else { return nil }
        var rest = UnsafeRawBufferPointer(start: haystack, count: count)
        let first = needle.load(as: UInt8.self)
        while rest.count >= length, let base = rest.baseAddress,
            let hit = memchr(base, Int32(first), rest.count - length + 1)
        {
            if memcmp(hit, needle, length) == 0 { return UnsafeRawPointer(hit) }
            let offset = base.distance(to: UnsafeRawPointer(hit)) + 1
            rest = UnsafeRawBufferPointer(rebasing: rest[offset...])
        }
        return nil
    }
}
