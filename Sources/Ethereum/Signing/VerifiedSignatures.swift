/// A bounded set of the digests of verified signatures; the oldest leave first.
///
/// Shape: the digests in the order they came, and an open-addressing hash table of their places.
/// A digest is its own hash: without the key nobody can choose which of them collide.
package struct VerifiedSignatures: Sendable {
    /// The most that are kept in a file; twice as many are held in memory before the oldest leave.
    package static let maximum = 65_536

    private var digests: [SignatureDigest] = []
    /// The place of a digest plus one; 0 is free.
    ///
    /// Their number is a power of two, at least twice that of the digests.
    private var slots: [UInt32] = [0, 0]

    package init() {}

    /// - Parameter digests: the oldest first; of more than `maximum` the last ones count.
    package init(_ digests: some Collection<SignatureDigest>) {
        let kept = digests.suffix(Self.maximum)
        self.digests.reserveCapacity(kept.count)
        resize(for: kept.count)
        for digest in kept { insert(digest) }
    }

    package var count: Int { digests.count }

    /// The newest, at most `maximum`, the oldest of them first.
    package var newest: ArraySlice<SignatureDigest> { digests.suffix(Self.maximum) }

    package func contains(_ digest: SignatureDigest) -> Bool {
        slots[slot(of: digest)] != 0
    }

    /// Adds a digest as the newest, unless it is there.
    package mutating func insert(_ digest: SignatureDigest) {
        let slot = slot(of: digest)
        guard slots[slot] == 0 else { return }
        digests.append(digest)
        guard digests.count <= 2 * Self.maximum else {
            digests.removeFirst(digests.count - Self.maximum)
            return index()
        }
        slots[slot] = UInt32(truncatingIfNeeded: digests.count)
        if 2 * digests.count > slots.count { index() }
    }

    /// The slot that has a digest, or the free one where it belongs.
    private func slot(of digest: SignatureDigest) -> Int {
        var slot = Int(truncatingIfNeeded: digest.value) & (slots.count - 1)
        while slots[slot] != 0, digests[Int(slots[slot]) - 1] != digest {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    /// Makes the slots again, for twice the digests.
    private mutating func index() {
        resize(for: 2 * digests.count)
        for (place, digest) in digests.enumerated() {
            slots[slot(of: digest)] = UInt32(truncatingIfNeeded: place + 1)
        }
    }

    private mutating func resize(for count: Int) {
        var size = 2
        while size < 2 * count { size *= 2 }
        slots = Array(repeating: 0, count: size)
    }
}
