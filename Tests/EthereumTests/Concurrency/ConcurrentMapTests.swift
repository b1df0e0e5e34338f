import Ethereum
import Testing

@Suite("Several questions at once")
struct ConcurrentMapTests {
    @Test("all run at once, and the answers keep the elements' order")
    func order() async {
        // Each but the last waits for the next one, so they end in the opposite order; one after
        // the other they would never end.
        let gates = (0..<4).map { _ in AsyncStream.makeStream(of: Void.self) }
        let answers = await (0..<4).concurrentMap { index in
            if index < 3 {
                for await _ in gates[index + 1].stream {}
            }
            gates[index].continuation.finish()
            return "answer \(index)"
        }
        #expect(answers == ["answer 0", "answer 1", "answer 2", "answer 3"])
    }

    @Test("nothing asked, nothing answered; nil is an answer")
    func few() async {
        #expect(await [Int]().concurrentMap { $0 } == [])
        #expect(await [1, 2].concurrentMap { $0 == 1 ? nil : $0 } == [nil, 2])
    }

    @Test("a result holds what work gives or throws")
    func result() async {
        struct Refusal: Error, Equatable {}
        func half(_ number: Int) async throws(Refusal) -> Int {
            guard number.isMultiple(of: 2) else { throw Refusal() }
            return number / 2
        }
        let even = await Result { () async throws(Refusal) in try await half(4) }
        let odd = await Result { () async throws(Refusal) in try await half(3) }
        #expect(even == .success(2))
        #expect(odd == .failure(Refusal()))
    }
}
