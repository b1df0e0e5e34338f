import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HTTPServing

@Suite("A listener leaves room for others")
struct ConnectionBoundTests {
    /// A process's table of open files as the test has it.
    private final class Table: Sendable {
        let lowest = Mutex<Int?>(10)

        var descriptors: FreeDescriptors {
            FreeDescriptors(lowest: { [self] in lowest.withLock { $0 } }, limit: { 100 })
        }
    }

    private let table = Table()
    private let reads = CountedReads()
    private let listener: EmbeddedChannel

    init() throws {
        listener = EmbeddedChannel()
        let bound = ConnectionBound(
            maximum: 2,
            OpenConnections(),
            descriptors: table.descriptors
        )
        try listener.pipeline.syncOperations.addHandlers([reads, bound])
    }

    /// Takes what is asked for, and asks for the next, as a listening socket does.
    private func accept(_ channel: EmbeddedChannel) throws {
        try listener.writeInbound(channel as any Channel)
        listener.read()
    }

    @Test("beyond its number of connections it accepts none until one is closed")
    func number() throws {
        listener.read()
        let first = EmbeddedChannel()
        try accept(first)
        #expect(reads.count == 2)
        try accept(EmbeddedChannel())
        #expect(reads.count == 2)
        _ = try first.finish(acceptAlreadyClosed: true)
        listener.embeddedEventLoop.run()
        #expect(reads.count == 3)
    }

    /// The runtime ends the process where it cannot open a file of /proc.
    @Test("with few descriptors left it waits, without asking, until others have closed some")
    func descriptors() throws {
        table.lowest.withLock { $0 = 100 - FreeDescriptors.reserve - 1 }
        listener.read()
        #expect(reads.count == 1)
        table.lowest.withLock { $0 = 100 - FreeDescriptors.reserve }
        try accept(EmbeddedChannel())
        listener.read()
        #expect(reads.count == 1)
        listener.embeddedEventLoop.advanceTime(by: ConnectionBound.retry)
        #expect(reads.count == 1)
        table.lowest.withLock { $0 = nil }
        listener.embeddedEventLoop.advanceTime(by: ConnectionBound.retry)
        #expect(reads.count == 1)
        table.lowest.withLock { $0 = 20 }
        listener.embeddedEventLoop.advanceTime(by: ConnectionBound.retry)
        #expect(reads.count == 2)
    }

    @Test("a closed connection frees the descriptor that the next one takes")
    func closed() throws {
        let first = EmbeddedChannel()
        listener.read()
        table.lowest.withLock { $0 = 99 }
        try accept(first)
        #expect(reads.count == 1)
        table.lowest.withLock { $0 = 30 }
        _ = try first.finish(acceptAlreadyClosed: true)
        listener.embeddedEventLoop.run()
        #expect(reads.count == 2)
    }

    @Test("the process tells its lowest free descriptor, and a limit above it")
    func ofProcess() throws {
        let process = FreeDescriptors.ofProcess
        let lowest = try #require(process.lowest())
        #expect(lowest > 2 && lowest < process.limit())
        #expect(process.allowConnection)
    }
}
