import Ethereum
import ZeroEx

/// Determines what a transfer moved: by events and by balances around its block.
///
/// A token may keep a part, or return false in a mined transaction.
struct TransferAudit {
    let session: Session
    let plan: TransferPlan

    /// Base units that arrived, nil if unknown, and the warnings.
    func received(
        _ receipt: TransactionReceipt
    ) async -> (amount: UInt256?, warnings: [String]) {
        guard let token = plan.token else { return await coin(receipt) }
        let reported = eventAmount(receipt.logs, by: token)
        let increase = await balanceIncrease(receipt, hasEvents: reported != nil)
        let unit = plan.arriving
        var received = reported ?? .zero
        var warnings: [String] = []
        switch (reported, increase) {
        // Ether also pays for gas, and on some chains for more than the receipt shows.
        case (let reported?, let increase?) where increase < reported && unit.token != nil:
            received = increase
            warnings.append(
                "The contract's events report \(unit.text(reported)), but the recipient's balance "
                    + "grew by \(unit.text(increase)) in that block."
            )
        case (nil, let increase?):
            received = increase
            warnings.append(
                "The contract emitted no event for it; what arrived is taken from the recipient's "
                    + "balance before and after the block."
            )
        case (nil, nil):
            let words =
                "The contract emitted no event for it and the balances cannot be read, so it "
                + "is unknown whether anything arrived."
            return (nil, [words])
        case (_?, _): break
        }
        if received < plan.amount {
            warnings.append(
                "Of \(plan.paid.text(plan.amount)) only \(unit.text(received)) arrived"
                    + (received == .zero ? "." : ": the token kept the rest.")
            )
        }
        return (received, warnings)
    }

    /// The coin that arrived: all of it, or the transaction reverts; but code that the recipient runs
    /// may have sent it back.
    private func coin(
        _ receipt: TransactionReceipt
    ) async -> (amount: UInt256?, warnings: [String]) {
        guard plan.recipient != plan.account, await ranCode(receipt) else {
            return (plan.amount, [])
        }
        let movement = try? await CoinMovement(receipt, session)  // nil: unread
        guard let paid = movement?.paid else {
            return (
                nil,
                [
                    "The recipient runs code, and how much of it came back is unknown: compare the "
                        + "balances around block \(receipt.blockNumber)."
                ]
            )
        }
        let received = min(paid, plan.amount)
        guard received < plan.amount else { return (received, []) }
        let text = plan.arriving.text
        let words = "Of \(text(plan.amount)) only \(text(received)) stayed with the recipient"
        return (received, [words + ": its code sent the rest back."])
    }

    /// Whether the recipient ran code: some may have come since the plan.
    private func ranCode(_ receipt: TransactionReceipt) async -> Bool {
        // Each step of code takes gas beside the transaction's own.
        guard receipt.gasUsed != TransactionGas.payment else { return false }
        let code = try? await session.chain.read(  // nil: unread
            .code(plan.recipient, .number(receipt.blockNumber))
        )
        return code.map { !$0.isEmpty } ?? plan.runsCode
    }

    /// The sum of its events; nil without any.
    private func eventAmount(_ logs: [Log], by token: Token) -> UInt256? {
        let (topic, parties): (Bytes32, [Address]) =
            switch plan.kind {
            case .send: (ERC20.transferTopic, [plan.account, plan.recipient])
            case .wrap: (ERC20.depositTopic, [plan.account])
            case .unwrap: (ERC20.withdrawalTopic, [plan.account])
            }
        var sum: UInt256?
        for log in logs where log.address == token.address && log.topics.first == topic {
            // Old tokens index nothing: all of it is in the data.
            let words = log.topics.dropFirst().flatMap(\.bytes) + log.data
            guard words.count == 32 * (parties.count + 1),
                words.dropLast(32).elementsEqual(parties.flatMap(\.word.bytes)),
                let amount = UInt256(bigEndian: words.suffix(32))
            else { continue }
            sum = (sum ?? .zero).addingSaturating(amount)
        }
        return sum
    }

    /// The growth of the recipient's balance by this transaction; nil if unknown.
    private func balanceIncrease(_ receipt: TransactionReceipt, hasEvents: Bool) async -> UInt256? {
        guard let token = plan.arriving.token else {
            // Ether: another payment in the same block is not this one's.
            guard let movement = try? await CoinMovement(receipt, session) else {  // nil: unread
                return nil
            }
            return movement.received.map { min($0, plan.amount) }
        }
        guard plan.kind != .send || plan.recipient != plan.account else { return nil }
        return await TokenArrival(session: session, token: token.address, account: plan.recipient)
            .amount(in: receipt, maximum: plan.amount, hasEvents: hasEvents)
    }
}
