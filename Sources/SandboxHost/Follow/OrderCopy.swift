import DexRelay
import StrictJSON
import Synchronization
import ZeroEx

/// Copies the orders of another machine's books into a relay of this one.
///
/// Each is checked like a posted order: hash and signature, and the maker's funds on the copied
/// chain. Orders that can no longer be filled leave by the relay's own watch of the chain.
final class OrderCopy: Sendable {
    let relay: RelayServer
    /// In the order of the relay's markets.
    let venues: [SandboxDeployment]
    let leader: any LeaderConnection
    /// Seconds on a clock that only rises.
    let clock: @Sendable () -> UInt64

    /// Pages of one version; more orders are not copied.
    private static let maximumPages = 200
    /// An order that was refused, such as for funds that are not there yet, is tried again after
    /// this many seconds.
    private static let pause: UInt64 = 5

    private struct Progress {
        /// The name of the content that was copied last.
        var copied: String?
        var retryAt: UInt64?
    }

    private let progress = Mutex(Progress())

    init(
        relay: RelayServer,
        venues: [SandboxDeployment],
        leader: any LeaderConnection,
        clock: @escaping @Sendable () -> UInt64
    ) {
        self.relay = relay
        self.venues = venues
        self.leader = leader
        self.clock = clock
    }

    /// Copies the orders if the books have changed.
    ///
    /// - Parameter books: what names their content.
    /// - Throws: `LeaderSilence`; an error of the relay's store or chain.
    func update(_ books: String) async throws {
        let isDue = progress.withLock { progress in
            progress.copied != books || progress.retryAt.map { $0 <= clock() } ?? false
        }
        guard isDue else { return }
        var refused = 0
        for (venue, market) in zip(venues, relay.markets) {
            refused += try await copy(market, venue.exchangeProtocol)
        }
        let hasRefused = refused > 0
        progress.withLock {
            $0.copied = books
            $0.retryAt = hasRefused ? clock() + Self.pause : nil
        }
    }

    /// - Returns: the number of orders that the relay refused.
    private func copy(
        _ market: RelayMarket,
        _ exchange: any ExchangeProtocol
    ) async throws -> Int {
        var refused = 0
        for page in 0..<Self.maximumPages {
            let path =
                "\(LeaderRoutes.ordersPath)?protocol=\(market.version.rawValue)&page=\(page)"
            let answer = try await leader.get(path)
            guard answer.status == 200,
                let items = (try? JSONParser.parse(answer.body))?.arrayValue,  // nil: not JSON
                items.count <= LeaderRoutes.pageSize
            else { throw LeaderSilence(reason: "its answer cannot be read as orders") }
            var orders: [any SignedOrder] = []
            for item in items {
                do throws(OrderError) {
                    orders.append(try exchange.decodeOrder(item))
                } catch {
                    refused += 1
                }
            }
            refused += try await market.intake.add(orders).refused.count
            guard items.count == LeaderRoutes.pageSize else { break }
        }
        return refused
    }
}
