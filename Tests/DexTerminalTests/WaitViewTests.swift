import DexCore
import Ethereum
import Testing

@testable import DexTerminal

/// The line that is shown while a transaction is waited for.
@Suite struct WaitViewTests {
    private static let hash: TransactionHash = Fixtures.hash(501)

    private func wait(
        price: Wei? = Wei(31_500_000_001),
        baseFee: Wei? = Wei(24_200_000_000),
        steps: Int = 2
    ) -> TransactionWait {
        TransactionWait(
            purpose: "approval",
            hash: Self.hash,
            step: 1,
            steps: steps,
            price: price,
            baseFee: baseFee,
            since: Fixtures.now - 12
        )
    }

    private func lines(_ wait: TransactionWait, width: Int, after seconds: UInt64 = 0) -> [String] {
        let screen = Screen(width: width, style: .plain, now: Fixtures.now + seconds)
        return WaitView(wait).lines(screen, frame: 3)
    }

    @Test("it is one line where there is room")
    func wide() {
        #expect(
            lines(wait(), width: 140) == [
                "⠸ step 1 of 2: approval, 12 s · \(Self.hash.hex) · "
                    + "max 31.501 gwei, base fee 24.2 gwei"
            ]
        )
    }

    @Test("elsewhere the hash stands whole in a line of its own")
    func narrow() {
        #expect(
            lines(wait(), width: 80) == [
                "⠸ step 1 of 2: approval, 12 s · max 31.501 gwei, base fee 24.2 gwei",
                Self.hash.hex,
            ]
        )
    }

    @Test(
        "no line reaches the last column, and none of the hash is lost",
        arguments: [20, 40, 67]
    )
    func fits(width: Int) {
        let lines = lines(wait(), width: width, after: 60)
        for line in lines { #expect(TerminalText.width(of: line) < width) }
        #expect(lines.joined().contains(Self.hash.hex))
    }

    @Test("the command that speeds it up comes after half a minute")
    func slow() {
        let word = "dex tx speedup \(Self.hash.hex.prefix(10))"
        #expect(!lines(wait(), width: 80, after: 17).joined().contains(word))
        #expect(lines(wait(), width: 80, after: 18).last == "faster: \(word)")
    }

    @Test("what nothing can speed up has no price and no such command", arguments: [40, 80, 140])
    func noPrice(width: Int) {
        let lines = lines(wait(price: nil), width: width, after: 60)
        #expect(!lines.joined().contains("gwei") && !lines.joined().contains("faster"))
        #expect(lines.joined().contains(Self.hash.hex))
        #expect(lines.joined().contains("72 s"))
    }

    @Test("a price below the base fee is said; a single transaction has no step")
    func below() {
        let low = lines(wait(baseFee: Wei(40_000_000_000), steps: 1), width: 80)
        #expect(
            low[0] == "⠸ approval, 12 s · cannot be mined now: max 31.501 gwei, base fee 40 gwei"
        )
        let unknown = lines(wait(baseFee: nil, steps: 1), width: 80)
        #expect(unknown[0] == "⠸ approval, 12 s · max 31.501 gwei")
    }

    @Test(
        "the spinner turns, and survives any frame",
        arguments: [Int.min, -1, 0, 1, 9, 10, Int.max]
    )
    func spinner(frame: Int) {
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        let first = WaitView(wait()).lines(screen, frame: frame)[0].first
        #expect(first.map { "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".contains($0) } == true)
    }
}
