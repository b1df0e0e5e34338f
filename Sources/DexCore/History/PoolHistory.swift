import DexStore
import Ethereum
import Uniswap
import ZeroEx

/// Finds an account's trades at Uniswap's pools by what moved of its tokens.
///
/// The pools' events do not name the trader, and with a token that keeps a part of a transfer they
/// say more than arrives. So a trade is a transaction that the account sent to Uniswap's router, and
/// its amounts are those of the tokens' own events; of the coin, what the router wrapped or
/// unwrapped for the account.
struct PoolHistory {
    let session: Session
    let account: Address

    /// More transactions of one chunk of blocks are not read.
    private static let maximumTransactions = 50_000

    /// The contracts that the account's trades are sent to; none without pools.
    private var routers: Set<Address> {
        guard let pools = session.network.pools else { return [] }
        return Set([pools.router, pools.v2Router].compactMap(\.self))
    }

    /// Whether a trade of the journal is one that `mined` finds.
    func finds(_ mined: MinedTrades) -> Bool {
        !mined.trades.isEmpty && mined.trades.allSatisfy { routers.contains($0.maker) }
    }

    /// The filters of the logs by which `mined` finds trades; none without pools.
    func filters(from: BlockTag, to: BlockTag) -> [LogFilter] {
        routers.isEmpty ? [] : TransferLog.filters(of: account, from: from, to: to)
    }

    /// The trades in some blocks, in chain order.
    ///
    /// - Throws: `DexError`: exit 4 if the node does not answer, `logs-refused`, or `reorganized` if
    ///   the blocks changed meanwhile; or the journal cannot be read or written.
    func mined(
        in blocks: ClosedRange<UInt64>,
        store: EventStore
    ) async throws(DexError) -> [MinedTrades] {
        guard !routers.isEmpty else { return [] }
        var pages = LogPager(
            session: session,
            blocks: blocks,
            store: store,
            filters: { from, to in filters(from: from, to: to) }
        )
        var mined: [MinedTrades] = []
        while let page = try await pages.next() {
            let hashes = try hashes(in: page.logs, page.blocks)
            mined += try await trades(in: hashes)
        }
        return mined.sorted {
            ($0.block, $0.trades[0].logIndex) < ($1.block, $1.trades[0].logIndex)
        }
    }

    /// The blocks of the transactions that moved a token of the account.
    private func hashes(
        in logs: [Log],
        _ blocks: ClosedRange<UInt64>
    ) throws(DexError) -> [TransactionHash: BlockHash] {
        var hashes: [TransactionHash: BlockHash] = [:]
        for log in logs {
            // A transfer of an ERC-721 token has the same first topic.
            guard let transfer = TokenTransfer(log), transfer.from != transfer.to,
                [transfer.from, transfer.to].contains(account), let hash = log.transactionHash,
                let block = log.blockHash
            else { continue }
            hashes[hash] = block
        }
        guard hashes.count <= Self.maximumTransactions else {
            throw ReadError.tooManyEvents(
                maximum: Self.maximumTransactions,
                block: blocks.upperBound
            )
        }
        return hashes
    }

    private func trades(
        in hashes: [TransactionHash: BlockHash]
    ) async throws(DexError) -> [MinedTrades] {
        guard !hashes.isEmpty else { return [] }
        var batch = ReadBatch()
        let slots = hashes.keys.sorted().map { ($0, batch.add(.transaction($0))) }
        let answers = try await batch.send(to: session.chain)
        var own: [TransactionInfo] = []
        for (hash, slot) in slots {
            guard let info = try answers.value(slot), info.hash == hash,
                info.blockHash == hashes[hash]
            else { throw ReadError.reorganized }
            if info.from == account, let to = info.to, routers.contains(to) { own.append(info) }
        }
        guard !own.isEmpty else { return [] }
        return try await read(own)
    }

    private func read(_ own: [TransactionInfo]) async throws(DexError) -> [MinedTrades] {
        var batch = ReadBatch()
        let slots = own.map { batch.add(.receipt($0.hash)) }
        let answers = try await batch.send(to: session.chain)
        let headers = try await session.chain.blocks(Set(own.compactMap(\.blockNumber)))
        var mined: [MinedTrades] = []
        var receipts: [TransactionHash: TransactionReceipt] = [:]
        for (info, slot) in zip(own, slots) {
            guard let receipt = try answers.value(slot), receipt.transactionHash == info.hash,
                receipt.from == account, receipt.to == info.to,
                receipt.blockHash == info.blockHash,
                let header = headers[receipt.blockNumber], header.hash == receipt.blockHash
            else { throw ReadError.reorganized }
            guard receipt.succeeded, var trade = trade(info, receipt) else { continue }
            trade.time = header.timestamp
            mined.append(trade)
            receipts[info.hash] = receipt
        }
        return await ArrivalReader(session: session, account: account)
            .read(mined, receipts: receipts)
    }

    /// A transaction of the account; nil for what is no trade of one asset for another one at the
    /// routers of the pools.
    func trade(_ info: TransactionInfo, _ receipt: TransactionReceipt) -> MinedTrades? {
        guard receipt.succeeded, let to = info.to, routers.contains(to) else { return nil }
        var (paid, received) = SwapMovement.sides(receipt, wrapped: session.network.weth)
        let coin = Token.nativeCoinAddress
        if paid.isEmpty, let amount = wrapped(info, receipt) { paid = [(coin, amount)] }
        if received.isEmpty, let amount = unwrapped(info, receipt) { received = [(coin, amount)] }
        guard paid.count == 1, received.count == 1 else { return nil }
        return MinedTrades(
            pay: paid[0],
            receive: received[0],
            in: receipt,
            network: session.network
        )
    }

    /// The coin that paid: what the router wrapped of the value; it gives back the rest.
    private func wrapped(_ info: TransactionInfo, _ receipt: TransactionReceipt) -> UInt256? {
        let sum = sum(ERC20.depositTopic, of: info.to, receipt)
        return sum > .zero && sum <= info.value.rawValue ? sum : nil
    }

    /// The coin that arrived: what the router unwrapped, if its call sends it to the account.
    private func unwrapped(_ info: TransactionInfo, _ receipt: TransactionReceipt) -> UInt256? {
        let sum = sum(ERC20.withdrawalTopic, of: info.to, receipt)
        return sum > .zero && sendsCoin(info) ? sum : nil
    }

    private func sendsCoin(_ info: TransactionInfo) -> Bool {
        guard let pools = session.network.pools else { return false }
        let call = PoolCall(to: info.to, data: info.data, value: info.value, pools)
        return call?.coinRecipient == account
    }

    /// What the wrapped coin's contract says of a router.
    private func sum(
        _ topic: Bytes32,
        of router: Address?,
        _ receipt: TransactionReceipt
    ) -> UInt256 {
        guard let wrapped = session.network.pools?.wrapped, let router else { return .zero }
        return SwapMovement.logged(by: wrapped, topic, of: router, in: receipt.logs)
    }
}
