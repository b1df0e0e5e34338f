import Testing
import ZeroEx

@testable import DexNetwork

/// A client of a swap API in memory, with a pace of its own.
enum FakeSwap {
    static let api = "https://swap.example:8443/0x"
    static let shown = "https://swap.example:8443"
    static let key = "0123-key-of-a-secret-89ab"

    static func client(
        _ transport: any HTTPTransport,
        api: String = api,
        clock: FakeClock,
        pace: RequestPace = RequestPace(PaceRule(maximum: 100, milliseconds: 1_000))
    ) throws -> ZeroExSwapClient {
        ZeroExSwapClient(
            api: api,
            key: try #require(SwapKey(key.utf8)),
            rules: ZeroExSwapRules(chainID: 1),
            transport: transport,
            clock: clock.clock,
            pace: pace
        )
    }
}
