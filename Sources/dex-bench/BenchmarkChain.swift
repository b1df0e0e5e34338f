import DexRelay
import Ethereum
import Glibc
import Synchronization
import ZeroEx

/// A chain that answers at once: every maker owns 2^100 of everything, and a block is made on
/// demand.
///
/// The file `block-N` in the folder asks for block N. It comes with the next question for the head,
/// and the moment of that answer is written to `seen-N`.
final class BenchmarkChain: ChainClient {
    /// Orders that a block changes: half of them are filled in part, the others whole.
    static let changesOfBlock = 100

    private struct State {
        var height: UInt64 = 1
        var logs: [BlockHash: [Log]] = [:]
        /// Taker token that is filled of an order.
        var used: [OrderHash: UInt256] = [:]
        var book: OrderBook?
    }

    private static let unavailable: [UInt8] = [0x7e, 0x9a, 0xbb, 0x50]

    private let folder: String
    private let state = Mutex(State())

    init(folder: String) {
        self.folder = folder
    }

    /// The orders that blocks change are those of this book.
    func follow(_ book: OrderBook) {
        state.withLock { $0.book = book }
    }

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        state.withLock { state in reads.map { answer($0, &state) } }
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        throw .nonsense("a relay sends nothing")
    }

    private func answer(
        _ read: ChainRead,
        _ state: inout State
    ) -> Result<ChainAnswer, ChainError> {
        switch read {
        case .block(.latest):
            advance(&state)
            return .success(.block(Self.block(state.height)))
        case .block(.hash(let hash)):
            let number = (1...state.height).first { Self.hash($0) == hash }
            return .success(.block(number.map(Self.block)))
        case .logs(let filter):
            return .success(.logs(filter.blockHash.flatMap { state.logs[$0] } ?? []))
        case .call(let request, _):
            guard request.data.starts(with: Self.unavailable) else {
                return .success(.bytes((UInt256(1) << 100).bigEndianBytes))
            }
            let hash = Bytes32(bytes: request.data.dropFirst(4)).map { OrderHash($0) }
            return .success(.bytes((hash.flatMap { state.used[$0] } ?? .zero).bigEndianBytes))
        default: return .failure(.rpc(code: -32601, message: "not for a relay"))
        }
    }

    /// Makes the next block if it was asked for.
    private func advance(_ state: inout State) {
        let number = state.height + 1
        guard access("\(folder)/block-\(number)", F_OK) == 0, let book = state.book else { return }
        let asks = PairDirection(
            makerToken: RelayBenchmarkServer.zrx,
            takerToken: RelayBenchmarkServer.weth
        )
        let orders = book.read { index in
            index.side(asks).page(SortedListings.Visibility(horizon: 0)) { total in
                0..<min(Self.changesOfBlock, total)
            }
        }.listings.map(\.entry.order)
        state.height = number
        var logs: [Log] = []
        for (place, order) in orders.enumerated() {
            let used = state.used[order.hash] ?? .zero
            let left = order.takerAmount.subtractingReportingOverflow(used).partialValue
            state.used[order.hash] =
                place.isMultiple(of: 2) ? used.addingSaturating(left >> 1) : order.takerAmount
            let (topics, data) = Self.fill(of: order).encoded
            logs.append(
                Log(
                    address: order.exchange,
                    topics: topics,
                    data: data,
                    blockNumber: number,
                    blockHash: Self.hash(number),
                    logIndex: UInt64(place)
                )
            )
        }
        state.logs[Self.hash(number)] = logs
        Notice.write("\(Moment.now.nanoseconds)", to: "\(folder)/seen-\(number)")
    }

    private static func fill(of order: any SignedOrder) -> ExchangeLogV1 {
        .fill(
            FillEvent(
                orderHash: order.hash,
                maker: order.maker,
                taker: RelayBenchmarkServer.contracts.exchange,
                feeRecipient: order.feeRecipient,
                makerToken: order.makerToken,
                takerToken: order.takerToken,
                makerAmount: 1,
                takerAmount: 1,
                makerFee: 0,
                takerFee: 0
            )
        )
    }

    private static func hash(_ number: UInt64) -> BlockHash {
        BlockHash(UInt256(number).word)
    }

    private static func block(_ number: UInt64) -> Block {
        Block(
            number: number,
            hash: hash(number),
            parentHash: hash(number - 1),
            timestamp: 0,
            baseFeePerGas: nil,
            gasLimit: 0,
            gasUsed: 0
        )
    }
}
