import Ethereum
import ZeroEx

/// Finds an order's fills in the chain's logs, as far back as the node serves them.
struct OrderFills {
    let session: Session

    /// The usual range limit of nodes.
    private static let window: UInt64 = 10_000

    /// The fills of the last blocks, the oldest first; empty if the node serves no logs.
    ///
    /// The exchange's filled amount may include older fills.
    ///
    /// - Returns: a failure, exit 4, if the node did not answer.
    func fills(
        of order: any SignedOrder,
        upTo head: UInt64
    ) async -> Result<[FillEvent], DexError> {
        let start = head > Self.window ? head - Self.window : 0
        do throws(ChainError) {
            return .success(try await read(order, from: .number(start), to: .number(head)))
        } catch {
            return error.isUnanswered ? .failure(DexError(error)) : .success([])
        }
    }

    /// The fills of all blocks, if the last blocks do not have all of them.
    ///
    /// nil if the node refuses such a range or breaks off, and if it would have to return the fills
    /// of all makers.
    func allFills(of order: any SignedOrder, upTo head: UInt64) async -> [FillEvent]? {
        guard session.exchangeProtocol.findsMakersInLogs else { return nil }
        return try? await read(order, from: .number(0), to: .number(head))  // nil: refused
    }

    private func read(
        _ order: any SignedOrder,
        from: BlockTag,
        to: BlockTag
    ) async throws(ChainError) -> [FillEvent] {
        let filter = session.eventFilter(maker: order.maker, from: from, to: to)
        let logs = try await session.chain.read(.logs(filter))
        let exchange = session.network.exchange
        // Logs that cannot be read count as logs that the node does not serve.
        let events = try? session.exchangeProtocol.events(in: logs, exchange: exchange)
        return (events ?? []).compactMap { event in
            guard case .filled(let fill) = event, fill.orderHash == order.hash else { return nil }
            return fill
        }
    }
}
