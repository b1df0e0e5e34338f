import DexStore
import Testing

@Suite("Sets of blocks as ranges")
struct BlockSpansTests {
    @Test("ranges that overlap or touch become one, and stay in order")
    func inserting() {
        var spans = BlockSpans([10...20, 1...2, 30...40])
        #expect(spans.ranges == [1...2, 10...20, 30...40])
        spans.insert(21...29)
        #expect(spans.ranges == [1...2, 10...40])
        spans.insert(0...0)
        #expect(spans.ranges == [0...2, 10...40])
        spans.insert(5...(.max))
        #expect(spans.ranges == [0...2, 5...(.max)])
        #expect(spans.contains(2) && !spans.contains(3) && spans.contains(.max))
    }

    @Test("what is removed may cut a range in two, take it whole, or miss it")
    func removing() {
        var spans = BlockSpans([10...20, 30...40])
        spans.remove(15...16)
        #expect(spans.ranges == [10...14, 17...20, 30...40])
        spans.remove(18...35)
        #expect(spans.ranges == [10...14, 17...17, 36...40])
        spans.remove(0...(.max))
        #expect(spans.isEmpty)
        #expect(BlockSpans([0...(.max)]).subtracting(BlockSpans([0...0])).ranges == [1...(.max)])
        #expect(BlockSpans([0...9, 20...29]).clamped(to: 5...20).ranges == [5...9, 20...20])
        #expect(BlockSpans([0...9, 20...20]).count == 11)
        #expect(BlockSpans([0...(.max)]).count == .max)
    }
}
