import Ethereum
import Testing

/// Which rules a block has.
struct RevisionTests {
    @Test(
        arguments: [
            (chain: 1, time: 0, revision: Revision.cancun),
            (1, 1_746_612_310, .cancun),
            (1, 1_746_612_311, .prague),
            (1, 1_764_798_550, .prague),
            (1, 1_764_798_551, .osaka),
            (1, .max, .osaka),
            (11_155_111, 1_791_294_815, .osaka),
            (11_155_111, 1_791_294_816, .amsterdam),
            (11_155_111, .max, .amsterdam),
            (10, 1_783_526_400, .prague),
            (10, 1_783_526_401, .osaka),
            (130, 1_783_526_401, .osaka),
        ] as [(chain: UInt64, time: UInt64, revision: Revision)]
    )
    func blocksHaveTheRulesOfTheirTime(chain: UInt64, time: UInt64, revision: Revision) {
        #expect(Revision.of(chain: chain, time: time) == revision)
    }

    @Test(arguments: [0, 31_337, 8_453, 42_161, UInt64.max])
    func anUnknownChainHasTheNewestRulesOfTheMainnet(chain: UInt64) {
        #expect(Revision.of(chain: chain, time: 0) == .osaka)
        #expect(Revision.of(chain: chain, time: .max) == .osaka)
    }

    @Test func laterRulesAreGreater() {
        #expect(Revision.allCases == Revision.allCases.sorted())
        #expect(Revision.prague < .osaka)
    }
}
