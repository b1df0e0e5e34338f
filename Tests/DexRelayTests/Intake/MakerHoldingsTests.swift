import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexRelay

@Suite struct MakerHoldingsTests {
    private let holdings = MakerHoldings()

    private func open(_ fixture: RelayFixture) -> UInt256 {
        holdings.open(fixture.maker.address, RelayFixture.zrx)
    }

    @Test("a sum follows orders through their states")
    func states() async throws {
        let fixture = try RelayFixture()
        let first = try PostSamples.entry(try await fixture.order())
        let second = try PostSamples.entry(try await fixture.order { $0.salt = 2 })
        let foreign = try PostSamples.entry(
            try await fixture.order { $0.maker = fixture.other.address }
        )
        holdings.apply([
            PostSamples.change(first), PostSamples.change(second), PostSamples.change(foreign),
        ])
        #expect(open(fixture) == 2000)
        #expect(holdings.open(fixture.other.address, RelayFixture.zrx) == 1000)
        #expect(holdings.open(fixture.maker.address, RelayFixture.weth) == 0)
        // Half filled: 1000 of 2000 taker token are left.
        holdings.apply([
            PostSamples.change(first, fillable: 1000, isPartlyFilled: true, from: .shown)
        ])
        #expect(open(fixture) == 1500)
        // Its funds may return.
        holdings.apply([PostSamples.change(second, .dormant, fillable: 0, from: .shown)])
        #expect(open(fixture) == 1500)
        holdings.apply([PostSamples.change(first, .filled, fillable: 0, from: .shown)])
        #expect(open(fixture) == 1000)
        holdings.apply([PostSamples.change(first, .filled, fillable: 0, from: .filled)])
        #expect(open(fixture) == 1000)
        // A reorganization undoes the fill.
        holdings.apply([PostSamples.change(first, from: .filled)])
        #expect(open(fixture) == 2000)
        var before = [ListingState.shown, .dormant]
        for state in [ListingState.removed, .cancelled, .expired] {
            holdings.apply([
                PostSamples.change(first, state, from: before[0]),
                PostSamples.change(second, state, from: before[1]),
            ])
            #expect(open(fixture) == 0)
            holdings.apply([
                PostSamples.change(first, from: state),
                PostSamples.change(second, .hidden, from: state),
            ])
            #expect(open(fixture) == 2000)
            before = [.shown, .hidden]
        }
    }

    @Test("a reset forgets what was known")
    func reset() async throws {
        let fixture = try RelayFixture()
        let first = try PostSamples.entry(try await fixture.order())
        let second = try PostSamples.entry(try await fixture.order { $0.salt = 2 })
        holdings.apply([PostSamples.change(first), PostSamples.change(second)])
        holdings.reset(to: [PostSamples.change(second)], sequences: [:])
        #expect(open(fixture) == 1000)
        holdings.apply([PostSamples.change(second, .cancelled, from: .shown)])
        #expect(open(fixture) == 0)
    }

    @Test("a sum above 256 bits is the largest number, and exact again below")
    func overflow() async throws {
        let fixture = try RelayFixture()
        var entries: [OrderEntry] = []
        for salt in 1...3 {
            entries.append(
                try PostSamples.entry(
                    try await fixture.order {
                        $0.salt = UInt256(UInt64(salt))
                        $0.makerAmount = .max
                    }
                )
            )
        }
        holdings.apply(entries.map { PostSamples.change($0) })
        #expect(open(fixture) == .max)
        holdings.apply(
            entries.dropFirst().map { PostSamples.change($0, .cancelled, from: .shown) }
        )
        #expect(open(fixture) == .max)
        holdings.apply([PostSamples.change(entries[0], .cancelled, from: .shown)])
        #expect(open(fixture) == 0)
    }
}
