import DexStore
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

    /// What is known of an arrival.
    struct Finding: Hashable, Sendable {
        /// Base units; nil if neither events nor balances show it.
        let amount: UInt256?
        /// The balances show this amount, and no other transaction of the block is in it.
        let isProven: Bool
        /// The node answered, if only that it has no such old state.
        let isAnswered: Bool

        /// For the journal, which has nothing else as proof; nil if it is to be asked again.
        var arrival: TradeArrival? {
            guard isProven, let amount else { return isAnswered ? .unproven : nil }
            return .proven(amount)
        }
    }

    /// The reads of one transaction.
    struct Question {
        fileprivate let receipt: TransactionReceipt
        /// nil for a token without events, or whose events are not to count.
        fileprivate let transfers: TokenTransfers?
        fileprivate let before: ReadSlot<[UInt8]>
        fileprivate let after: ReadSlot<[UInt8]>
        /// What the block moved of the token to and from the account.
        fileprivate let moves: [ReadSlot<[Log]>]
        /// Without events only a block without other transactions shows that none of them moved it.
        fileprivate let block: ReadSlot<FullBlock?>?
    }

    /// Base units that arrived; nil if neither events nor balances show it.
    ///
    /// - Parameters:
    ///   - maximum: what was sent to it, in base units: more of the block's change is another payment.
    ///   - hasEvents: the token's events show its arrival, and can only lessen it; else the balance
    ///     alone counts.
    ///   - paidOut: what left the account for fees in the same transaction, in base units; it counts
    ///     if the token's events do not show it.
    func amount(
        in receipt: TransactionReceipt,
        maximum: UInt256,
        hasEvents: Bool = true,
        paidOut: UInt256 = .zero
    ) async -> UInt256? {
        await finding(in: receipt, maximum: maximum, hasEvents: hasEvents, paidOut: paidOut).amount
    }

    /// The same, with whether balances prove it.
    func finding(
        in receipt: TransactionReceipt,
        maximum: UInt256,
        hasEvents: Bool = true,
        paidOut: UInt256 = .zero
    ) async -> Finding {
        var batch = ReadBatch()
        let question = ask(about: receipt, hasEvents: hasEvents, in: &batch)
        let answers = try? await batch.send(to: session.chain)  // nil: unread
        return finding(question, answers, maximum: maximum, paidOut: paidOut)
    }

    /// Adds the reads for a transaction.
    func ask(
        about receipt: TransactionReceipt,
        hasEvents: Bool = true,
        in batch: inout ReadBatch
    ) -> Question {
        let transfers = hasEvents ? TokenTransfers(of: token, in: receipt.logs) : nil
        let call = CallRequest(to: token, data: ERC20.balanceOf(account))
        let number = receipt.blockNumber
        let before = batch.add(.call(call, .number(max(number, 1) - 1)))
        let after = batch.add(.call(call, .number(number)))
        // A token without events shows no others either.
        let places: [[[Bytes32]]] =
            transfers == nil ? [] : [[[], [account.word]], [[account.word]]]
        let moves = places.map { place in
            batch.add(
                .logs(
                    LogFilter(
                        block: receipt.blockHash,
                        addresses: [token],
                        topics: [[ERC20.transferTopic]] + place
                    )
                )
            )
        }
        let block = transfers == nil ? batch.add(.fullBlock(.number(number))) : nil
        return Question(
            receipt: receipt,
            transfers: transfers,
            before: before,
            after: after,
            moves: moves,
            block: block
        )
    }

    /// What the answers show.
    ///
    /// - Parameter answers: nil if the node gave none.
    func finding(
        _ question: Question,
        _ answers: ReadAnswers?,
        maximum: UInt256,
        paidOut: UInt256
    ) -> Finding {
        let reported = question.transfers?.received(by: account)
        // It keeps nothing, and makes and destroys itself without Transfer events.
        if token == session.network.weth, let reported {
            return Finding(amount: min(reported, maximum), isProven: true, isAnswered: true)
        }
        let left = question.transfers?.sent(by: account) ?? paidOut
        guard let answers, let growth = growth(question, answers) else {
            return Finding(
                amount: reported.map { min($0, maximum) },
                isProven: false,
                isAnswered: answers?.failures.contains(where: \.isUnanswered) == false
            )
        }
        let grown = growth.adding(left)
        // What others moved may have lost a part on its way, which their events do not show.
        let isAlone = growth.isAlone || grown == reported
        return Finding(
            amount: min(reported ?? .max, grown, maximum),
            isProven: isAlone && (reported != .zero || grown == .zero),
            isAnswered: true
        )
    }

    /// A change of a balance: what came and what went, each with no part of the other.
    private struct Growth {
        var came: UInt256
        var went: UInt256
        /// No other transaction of the block is known to have moved the balance, or could.
        var isAlone: Bool

        /// The sum with something that left it; zero if more went still.
        func adding(_ amount: UInt256) -> UInt256 {
            came.addingSaturating(amount).subtractingSaturating(went)
        }
    }

    /// The change of the balance in the block, without the block's other transactions; nil if unknown.
    private func growth(_ question: Question, _ answers: ReadAnswers) -> Growth? {
        let receipt = question.receipt
        guard receipt.blockNumber > 0,
            // nil: unread
            let old = try? answers.word(question.before),
            let new = try? answers.word(question.after)  // or unread
        else { return nil }
        let block = question.block.flatMap { answers.optional($0) ?? nil }
        var growth = Growth(
            came: new,
            went: old,
            isAlone: question.transfers != nil
                || block?.transactions.map(\.hash) == [receipt.transactionHash]
        )
        for slot in question.moves {
            guard let logs = answers.optional(slot) else { return nil }
            let moves = logs.filter { $0.transactionHash != receipt.transactionHash }
            guard let other = TokenTransfers(of: token, in: moves) else { continue }
            growth.isAlone = false
            growth.came = growth.came.addingSaturating(other.sent(by: account))
            growth.went = growth.went.addingSaturating(other.received(by: account))
        }
        return growth
    }
}
