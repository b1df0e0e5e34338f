import Ethereum
import OpenSSL

/// A key that the operator gave a client, with limits of its own; the key itself is not kept.
package struct RelayKey: Hashable, Sendable {
    /// What counts for the client in place of the limits of an address.
    ///
    /// nil is the limit that an address has, 0 is no limit.
    package struct Limits: Hashable, Sendable {
        package var requestsPerHour: Int?
        package var postsPerSecond: Int?
        package var postBurst: Int?
        /// Messages that subscribe, on average; 32 times as many at once.
        package var subscriptionsPerSecond: Int?

        package init() {}
    }

    /// Whose it is, also as a label of the metrics: see `isName`.
    package let name: String
    /// SHA-256 of the key's text: 32 bytes.
    package let digest: [UInt8]
    /// Seconds since 1970.
    package let addedAt: UInt64
    package let limits: Limits

    package init(name: String, digest: [UInt8], addedAt: UInt64, limits: Limits) {
        self.name = name
        self.digest = digest
        self.addedAt = addedAt
        self.limits = limits
    }

    /// The most keys of a relay, which bounds its memory and its metrics.
    package static let maximum = 1_000
    package static let largestLimit = 1_000_000_000
    private static let prefix = "dexrelay_"
    private static let digits = 64

    /// 1 to 40 of a-z, 0-9 and `-`, a letter or a digit first.
    package static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...40).contains(bytes.count) && bytes.first != UInt8(ascii: "-")
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// A new key's text: `dexrelay_` and 64 hexadecimal digits, 256 random bits.
    package static func text(using generator: inout some RandomNumberGenerator) -> String {
        let words = (0..<4).map { _ in generator.next() as UInt64 }
        return prefix + words.map(Hex.digits).joined()
    }

    /// The digest of a key's text; nil if it has not the form of one.
    package static func digest(of text: some StringProtocol) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard bytes.count == prefix.utf8.count + digits, bytes.starts(with: prefix.utf8) else {
            return nil
        }
        return HashFunction.sha256.hash(bytes)
    }
}
