import Ethereum

/// What one transaction brought its sender of the chain's own coin, or took, without gas.
///
/// The coin has no events, and a balance changes by everything in its block. So an amount is known
/// only if it is this transaction's alone: it is the only one of its block, or the wrapped coin's
/// events in its receipt and the balance say the same.
struct CoinMovement: Hashable, Sendable {
    /// Base units that the balance grew by through the block, without the cost of the sender's gas.
    private let grown: UInt256
    /// Base units that the balance fell by through the block, without the cost of the sender's gas.
    private let fallen: UInt256
    /// The block has no other transaction.
    private let isAlone: Bool
    /// The block has no other transaction of the sender.
    private let isOnlyOwn: Bool
    /// Wrapped coin that the transaction made and destroyed, whoever did.
    private let wrapped: UInt256
    private let unwrapped: UInt256
    /// The coin sent along; nil if unknown.
    private let value: UInt256?

    /// Base units that arrived; nil if that is not known of the transaction alone.
    var received: UInt256? {
        if isAlone { return grown }
        return isOnlyOwn && unwrapped > .zero && grown == unwrapped ? unwrapped : nil
    }

    /// Base units that were paid, less what came back; nil if that is not known of the transaction
    /// alone.
    var paid: UInt256? {
        if isAlone { return fallen }
        guard let value, value > .zero else { return nil }
        // All of it was wrapped and stayed so, or none came back.
        let isWrapped = wrapped == value && unwrapped == .zero
        return isWrapped || isOnlyOwn && fallen == value ? value : nil
    }

    /// - Throws: `DexError`, exit 4, if the node does not answer at all; what it does not tell is
    ///   unknown.
    init(_ receipt: TransactionReceipt, _ session: Session) async throws(DexError) {
        let account = receipt.from
        let number = receipt.blockNumber
        var batch = ReadBatch()
        let around = [max(number, 1) - 1, number].map { BlockTag.number($0) }
        let balances = around.map { batch.add(.balance(account, $0)) }
        let counts = around.map { batch.add(.transactionCount(account, $0)) }
        let block = batch.add(.fullBlock(.number(number)))
        let answers = try await batch.send(to: session.chain)
        let full = (answers.optional(block) ?? nil)
            .flatMap { $0.block.hash == receipt.blockHash ? $0 : nil }
        let own = full?.transactions.first { $0.hash == receipt.transactionHash }
        value = own?.value.rawValue
        let logs = receipt.logs.filter { $0.address == session.network.weth }
        wrapped = Self.sum(of: ERC20.depositTopic, in: logs)
        unwrapped = Self.sum(of: ERC20.withdrawalTopic, in: logs)
        let known = balances.compactMap { answers.optional($0)?.rawValue }
        let nonces = counts.compactMap { answers.optional($0) }
        guard known.count == 2, nonces.count == 2, number > 0,
            let gas = receipt.networkFee(
                hasRollupFee: session.network.fees.hasRollupFee
            )
        else {
            (grown, fallen, isAlone, isOnlyOwn) = (.zero, .zero, false, false)
            return
        }
        let after = known[1].addingSaturating(gas.rawValue)
        grown = after.subtractingSaturating(known[0])
        fallen = known[0].subtractingSaturating(after)
        isAlone = own != nil && full?.transactions.count == 1
        isOnlyOwn = nonces[1].subtractingReportingOverflow(nonces[0]) == (1, false)
    }

    private static func sum(of topic: Bytes32, in logs: [Log]) -> UInt256 {
        logs.filter { $0.topics.first == topic && $0.topics.count == 2 }
            .compactMap { $0.data.count == 32 ? UInt256(bigEndian: $0.data) : nil }
            .reduce(.zero) { $0.addingSaturating($1) }
    }
}
