import Ethereum
import Testing

@Suite("Sums of amounts")
struct RunningTotalTests {
    @Test("a sum beyond 256 bits is the largest number, and comes back exactly")
    func runningTotal() {
        var total = RunningTotal()
        total.add(5)
        total.add(.max)
        #expect(total.saturated == .max)
        total.add(.max)
        total.subtract(.max)
        #expect(total.saturated == .max)
        total.subtract(.max)
        #expect(total.saturated == 5)
        #expect(!total.isZero)
        total.subtract(5)
        #expect(total == RunningTotal())
        #expect(total.isZero)
    }
}
