/// The rules of a block: what instructions there are, and what gas costs; in the order in which they
/// came.
public enum Revision: Int, Comparable, Hashable, Sendable, CaseIterable {
    /// On the mainnet from March 2024 on ("Dencun").
    case cancun
    /// May 2025 ("Pectra").
    case prague
    /// December 2025 ("Fusaka").
    case osaka
    /// "Glamsterdam", which prices the state again; the mainnet has no date for it.
    case amsterdam

    /// The rules of a block.
    ///
    /// - Parameters:
    ///   - chain: its id.
    ///   - time: of the block, in seconds since 1970; for a transaction that is to be sent, that of
    ///     the next block.
    /// - Returns: osaka for a chain that is not listed. A listed one's blocks before its first listed
    ///   change have the rules before it, at the earliest cancun's.
    ///
    /// Source: EIP-7607 and EIP-7773 with the announcements of each chain.
    public static func of(chain: UInt64, time: UInt64) -> Revision {
        listed(chain: chain, time: time) ?? .osaka
    }

    /// The same; nil for a chain that is not listed.
    public static func listed(chain: UInt64, time: UInt64) -> Revision? {
        guard let starts = starts[chain] else { return nil }
        return starts.last { $0.time <= time }?.revision ?? starts[0].revision.before
    }

    private var before: Revision { Revision(rawValue: rawValue - 1) ?? self }

    private typealias Start = (revision: Revision, time: UInt64)

    /// When what rules began, by chain; none is empty, and each is in the order of time.
    private static let starts: [UInt64: [Start]] = {
        let karst: [Start] = [(.osaka, 1_783_526_401)]
        var starts: [UInt64: [Start]] = [
            1: [(.prague, 1_746_612_311), (.osaka, 1_764_798_551)],
            // Sepolia
            11_155_111: [(.amsterdam, 1_791_294_816)],
        ]
        // OP Mainnet, Ink, Zora, Mode, Lisk, Unichain, Soneium; Base has a schedule of its own.
        for chain: UInt64 in [10, 57_073, 7_777_777, 34_443, 1_135, 130, 1_868] {
            starts[chain] = karst
        }
        return starts
    }()

    public static func < (left: Revision, right: Revision) -> Bool {
        left.rawValue < right.rawValue
    }
}
