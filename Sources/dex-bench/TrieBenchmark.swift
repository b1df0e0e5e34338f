import Ethereum

/// A block's changes of a state of 100,000 accounts, in its trie.
enum TrieBenchmark {
    private static let accounts: UInt64 = 100_000
    private static let changes = 100
    private static let blocks: UInt64 = 50

    /// The fastest of many blocks, against the hashing that it cannot do without: each change has a
    /// leaf of some 110 bytes and two or three branches of 532 that no other has.
    static func run() throws -> [Measurement] {
        var trie = MerkleTrie((0..<accounts).map { (key: key($0), value: value($0)) })
        let clock = ContinuousClock()
        var fastest = Duration.seconds(1)
        for block in 0..<blocks {
            let some = (0..<UInt64(changes)).map { index in
                MerkleTrie.Change(
                    key((block &* 7_919 &+ index &* 997) % accounts),
                    value(block &* 31 &+ index)
                )
            }
            let before = trie.root
            fastest = min(fastest, clock.measure { trie.update(some) })
            guard trie.root != before else { throw Unchanged() }
        }
        let hashing = try hashing(clock)
        return [
            Measurement(
                name: "a changed account of 100,000 / its hashes",
                figure: microseconds(fastest / changes),
                ratio: fastest / changes / hashing,
                limit: 3
            )
        ]
    }

    private struct Unchanged: Error {}

    private static func key(_ number: UInt64) -> TrieKey {
        .account(Address(truncating: UInt256(number + 1).word))
    }

    private static func value(_ number: UInt64) -> [UInt8] {
        StateAccount(nonce: number, balance: Wei(UInt256(number) << 60)).encoded
    }

    /// A leaf and two and a half branches.
    private static func hashing(_ clock: ContinuousClock) throws -> Duration {
        let branch = [UInt8](repeating: 7, count: 532)
        let leaf = [UInt8](repeating: 7, count: 110)
        var sum: UInt64 = 0
        var fastest = Duration.seconds(1)
        for _ in 0..<blocks {
            let time = clock.measure {
                for index in 0..<changes {
                    sum &+= Keccak256.hash(leaf).limbs.0
                    for _ in 0..<(2 + index & 1) { sum &+= Keccak256.hash(branch).limbs.0 }
                }
            }
            fastest = min(fastest, time)
        }
        guard sum != 0 else { throw Unchanged() }
        return fastest / changes
    }
}
