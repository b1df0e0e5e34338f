package import Ethereum
package import ZeroEx

/// Reads an exchange's events of a range of blocks, in pieces that the node allows.
///
/// Nodes refuse a range for its length or for what it would answer, each with limits and words of
/// its own: a piece that fails is halved, and pieces grow again while they succeed.
package struct LogScan: Sendable {
    private let session: Session
    /// Blocks asked for at first.
    private let firstPiece: UInt64

    /// Failures one after another that are not the node's refusal, after which it is given up.
    private static let mostFailures = 4

    /// - Parameter firstPiece: blocks asked for at first; what most nodes allow by default.
    package init(session: Session, firstPiece: UInt64 = 10_000) {
        self.session = session
        self.firstPiece = max(1, firstPiece)
    }

    /// Events by block and log.
    ///
    /// - Parameters:
    ///   - maker: whose orders; nil is everybody's.
    ///   - keep: which events are kept in memory.
    /// - Throws: `DexError`: exit 4, `logs-refused`, where the node refuses even one block.
    package func events(
        maker: Address?,
        blocks: ClosedRange<UInt64>,
        keep: (LoggedEvent) -> Bool = { _ in true }
    ) async throws(DexError) -> [LoggedEvent] {
        let exchange = session.network.exchange
        let logs = try await logs(blocks: blocks) { [session] from, to in
            [
                session.exchangeProtocol.eventFilter(
                    maker: maker,
                    from: from,
                    to: to,
                    exchange: exchange
                )
            ]
        } keep: { [session] logs throws(DexError) in
            do throws(ExchangeError) {
                let events = try session.exchangeProtocol.loggedEvents(in: logs, exchange: exchange)
                // Not every exchange's logs can be asked for by their maker.
                return events.filter { logged in
                    (maker == nil || logged.event.maker == maker) && keep(logged)
                }
            } catch {
                throw DexError(error)
            }
        }
        return logs.sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) }
    }

    /// What is made of the logs of several filters, piece by piece; each piece takes one request.
    ///
    /// - Parameters:
    ///   - filters: what is asked for from one block to another.
    ///   - keep: makes of a piece's logs what is kept in memory.
    /// - Throws: as `events`, and what `keep` throws.
    func logs<Kept>(
        blocks: ClosedRange<UInt64>,
        filters: (_ from: BlockTag, _ to: BlockTag) -> [LogFilter],
        keep: ([Log]) throws(DexError) -> [Kept]
    ) async throws(DexError) -> [Kept] {
        var found: [Kept] = []
        var next = blocks.lowerBound
        var size = firstPiece
        var failures = 0
        while next <= blocks.upperBound {
            let (sum, overflow) = next.addingReportingOverflow(size - 1)
            let last = overflow ? blocks.upperBound : min(sum, blocks.upperBound)
            let logs: [Log]
            do throws(ChainError) {
                logs = try await read(filters(.number(next), .number(last)))
            } catch {
                let length = last - next + 1
                size = try smaller(length, after: error, failures: &failures, blocks: next...last)
                continue
            }
            failures = 0
            // A node that answers with other blocks' logs is not believed.
            guard logs.allSatisfy({ $0.blockNumber.map((next...last).contains) ?? true }) else {
                throw DexError(
                    ChainError.nonsense("it tells logs of blocks that were not asked for")
                )
            }
            found += try keep(logs)
            tell(last, of: blocks)
            if last == blocks.upperBound { break }
            next = last + 1
            let (doubled, isHuge) = size.multipliedReportingOverflow(by: 2)
            size = isHuge ? size : doubled
        }
        return found
    }

    private func read(_ filters: [LogFilter]) async throws(ChainError) -> [Log] {
        let answers = try await session.chain.read(filters.map { .logs($0) })
        guard answers.count == filters.count else {
            throw .nonsense("the node gave \(answers.count) answers to \(filters.count) questions")
        }
        var logs: [Log] = []
        for answer in answers { logs += try answer.get().logs() }
        return logs
    }

    /// How many blocks to ask for next.
    private func smaller(
        _ length: UInt64,
        after error: ChainError,
        failures: inout Int,
        blocks: ClosedRange<UInt64>
    ) throws(DexError) -> UInt64 {
        switch error {
        case .rateLimited, .reverted: throw DexError(error)
        // A node that breaks off or takes too long may do so for the length of its answer.
        case .unreachable, .nonsense:
            failures += 1
            guard failures < Self.mostFailures, length > 1 else { throw DexError(error) }
        case .rpc(let code, let message):
            // A method that the node does not have is no matter of length.
            guard length > 1, code != -32_601 else {
                throw DexError(
                    .unreachable,
                    code: "logs-refused",
                    message: "The node does not give the logs of block \(blocks.lowerBound): "
                        + PlainText.sentence(message),
                    hint: "Name a node that keeps the logs of old blocks with --rpc."
                )
            }
        }
        return length / 2
    }

    private func tell(_ last: UInt64, of blocks: ClosedRange<UInt64>) {
        let length = blocks.upperBound - blocks.lowerBound
        guard length >= firstPiece else { return }
        session.environment.progress("read the logs up to block \(last) of \(blocks.upperBound)")
    }
}
