import Ethereum

/// How much of a token a transaction brought to an account.
///
/// A token may keep a part of each transfer without an event, or report in its events more than it
/// credits. So its balance before and after the block counts, less what other transactions of the
/// block moved by the token's events; events can only lessen that.
struct TokenArrival {
    let session: Session
    let token: Address
    let account: Address

    /// Base units that arrived; nil if neither events nor balances show it.
    ///
    /// - Parameters:
    ///   - most: what was sent to it, in base units: more of the block's change is another payment.
    ///   - hasEvents: the token's events show its arrival, and can only lessen it; else the balance
    ///     alone counts.
    ///   - paidOut: what left the account for fees in the same transaction, in base units; it counts
    ///     if the token's events do not show it.
    func amount(
        in receipt: TransactionReceipt,
        most: UInt256,
        hasEvents: Bool = true,
        paidOut: UInt256 = .zero
    ) async -> UInt256? {
        let transfers = hasEvents ? TokenTransfers(of: token, in: receipt.logs) : nil
        let told = transfers?.received(by: account)
        // It keeps nothing, and makes and destroys itself without Transfer events.
        if token == session.network.weth, let told { return min(told, most) }
        let left = transfers?.sent(by: account) ?? paidOut
        guard let grown = await growth(receipt, hasEvents: transfers != nil) else {
            return told.map { min($0, most) }
        }
        let arrived = grown.adding(left)
        return min(told ?? .max, arrived, most)
    }

    /// A change of a balance: what came and what went, each with no part of the other.
    private struct Growth {
        var came: UInt256
        var went: UInt256

        /// The sum with something that left it; zero if more went still.
        func adding(_ amount: UInt256) -> UInt256 {
            came.addingSaturating(amount).subtractingSaturating(went)
        }
    }

    /// The change of the balance in the block, without the block's other transactions; nil if unknown.
    private func growth(_ receipt: TransactionReceipt, hasEvents: Bool) async -> Growth? {
        guard receipt.blockNumber > 0 else { return nil }
        let call = CallRequest(to: token, data: ERC20.balanceOf(account))
        var batch = ReadBatch()
        let before = batch.add(.call(call, .number(receipt.blockNumber - 1)))
        let after = batch.add(.call(call, .number(receipt.blockNumber)))
        // A token without events shows no others either.
        let others =
            hasEvents
            ? [[account.word], []].map { sender in
                batch.add(
                    .logs(
                        LogFilter(
                            block: receipt.blockHash,
                            addresses: [token],
                            topics: sender.isEmpty
                                ? [[ERC20.transferTopic], [], [account.word]]
                                : [[ERC20.transferTopic], sender]
                        )
                    )
                )
            } : []
        guard let answers = try? await batch.send(to: session.chain),  // nil: unread
            let old = try? answers.word(before), let new = try? answers.word(after)  // or unread
        else { return nil }
        var growth = Growth(came: new, went: old)
        for slot in others {
            guard let logs = answers.optional(slot) else { return nil }
            let moves = logs.filter { $0.transactionHash != receipt.transactionHash }
            guard let other = TokenTransfers(of: token, in: moves) else { continue }
            growth.came = growth.came.addingSaturating(other.sent(by: account))
            growth.went = growth.went.addingSaturating(other.received(by: account))
        }
        return growth
    }
}
