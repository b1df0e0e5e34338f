import Testing

@testable import DexNetwork

@Suite("requests that wait for a connection")
struct TransferQueueTests {
    private typealias Queue = TransferQueue<String>
    private let node = Queue.Server(scheme: "http", host: "node.example", port: 80)
    private let relay = Queue.Server(scheme: "http", host: "relay.example", port: 80)
    private let now = ContinuousClock().now

    @Test("a server gets as many transfers as connections, the others in the order they came")
    func order() {
        var queue = Queue(connectionsPerServer: 2)
        let admitted = (1...5).map { ticket in
            queue.admit("job \(ticket)", ticket: UInt64(ticket), to: node, now: now)
        }
        #expect(admitted == [true, true, false, false, false])
        let answer1 = queue.next(after: node)
        #expect(answer1?.job == "job 3")
        let answer2 = queue.next(after: node)
        #expect(answer2?.job == "job 4")
        let answer3 = queue.next(after: node)
        #expect(answer3?.job == "job 5")
        let answer4 = queue.next(after: node)
        #expect(answer4 == nil)
        let answer5 = queue.next(after: node)
        #expect(answer5 == nil)
        // Both connections are free again.
        let answer6 = queue.admit("job 6", ticket: 6, to: node, now: now)
        #expect(answer6)
        let answer7 = queue.admit("job 7", ticket: 7, to: node, now: now)
        #expect(answer7)
        let answer8 = queue.admit("job 8", ticket: 8, to: node, now: now)
        #expect(!answer8)
    }

    @Test("one server's requests do not wait for another's")
    func servers() {
        var queue = Queue(connectionsPerServer: 1)
        let answer9 = queue.admit("a", ticket: 1, to: node, now: now)
        #expect(answer9)
        let answer10 = queue.admit("b", ticket: 2, to: node, now: now)
        #expect(!answer10)
        let answer11 = queue.admit("c", ticket: 3, to: relay, now: now)
        #expect(answer11)
        let answer12 = queue.next(after: relay)
        #expect(answer12 == nil)
        let answer13 = queue.next(after: node)
        #expect(answer13?.job == "b")
    }

    @Test("a request that is cancelled while it waits takes no connection")
    func cancel() {
        var queue = Queue(connectionsPerServer: 1)
        let answer14 = queue.admit("a", ticket: 1, to: node, now: now)
        #expect(answer14)
        let answer15 = queue.admit("b", ticket: 2, to: node, now: now)
        #expect(!answer15)
        let answer16 = queue.admit("c", ticket: 3, to: node, now: now)
        #expect(!answer16)
        let answer17 = queue.remove(2)
        #expect(answer17 == "b")
        let answer18 = queue.remove(2)
        #expect(answer18 == nil)
        let answer19 = queue.remove(1)
        #expect(answer19 == nil)
        let answer20 = queue.next(after: node)
        #expect(answer20?.job == "c")
        let answer21 = queue.removeAll()
        #expect(answer21.isEmpty)
    }

    @Test("what waits at the end is given back")
    func end() {
        var queue = Queue(connectionsPerServer: 1)
        for ticket in 1...3 {
            _ = queue.admit("\(ticket)", ticket: UInt64(ticket), to: node, now: now)
        }
        let answer22 = queue.removeAll()
        #expect(answer22.sorted() == ["2", "3"])
        let answer23 = queue.next(after: node)
        #expect(answer23 == nil)
    }

    @Test("a server without any connection of its own is asked one by one")
    func atLeastOne() {
        var queue = Queue(connectionsPerServer: 0)
        let answer24 = queue.admit("a", ticket: 1, to: node, now: now)
        #expect(answer24)
        let answer25 = queue.admit("b", ticket: 2, to: node, now: now)
        #expect(!answer25)
    }
}
