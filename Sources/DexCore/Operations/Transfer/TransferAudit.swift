import Ethereum
import ZeroEx

/// Determines what a transfer moved: by events, or by balances around its block without them.
///
/// A token may keep a part, or return false in a mined transaction.
struct TransferAudit {
    let session: Session
    let plan: TransferPlan

    /// Base units that arrived, nil if unknown, and the warnings.
    ///
    /// - Parameter cost: of the gas; nil if unknown.
    func received(
        _ receipt: TransactionReceipt,
        cost: Wei?
    ) async -> (amount: UInt256?, warnings: [String]) {
        // Ether arrives, or the transaction reverts.
        guard let token = plan.paid.token ?? plan.arriving.token else { return (plan.amount, []) }
        let told = told(receipt.logs, by: token)
        let grown = await growth(receipt, cost: cost)
        let unit = plan.arriving
        var received = told ?? .zero
        var warnings: [String] = []
        switch (told, grown) {
        // Ether also pays for gas, and on some chains for more than the receipt shows.
        case (let told?, let grown?) where grown < told && unit != .ether:
            // Not a failure: the recipient may have spent it in the same block.
            warnings.append(
                "The contract's events report \(unit.text(told)), but the recipient's balance "
                    + "grew by \(unit.text(grown)) in that block."
            )
        case (nil, let grown?):
            // Other transfers may be in the same block.
            received = min(grown, plan.amount)
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

    /// The sum of its events; nil without any.
    private func told(_ logs: [Log], by token: Token) -> UInt256? {
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

    /// The growth of the recipient's balance in the block; nil if unknown.
    private func growth(_ receipt: TransactionReceipt, cost: Wei?) async -> UInt256? {
        guard plan.kind != .send || plan.recipient != plan.account, receipt.blockNumber > 0 else {
            return nil
        }
        let blocks = [receipt.blockNumber - 1, receipt.blockNumber].map { BlockTag.number($0) }
        var batch = ReadBatch()
        let amounts: [JointRead<UInt256?>] = blocks.map { block in
            guard let token = plan.arriving.token else {
                let ether = batch.add(.balance(plan.recipient, block))
                return JointRead { answers throws(DexError) in try answers.value(ether).rawValue }
            }
            let call = CallRequest(to: token.address, data: ERC20.balanceOf(plan.recipient))
            let balance = batch.add(.call(call, block))
            return JointRead { answers throws(DexError) in try answers.word(balance) }
        }
        guard let answers = try? await batch.send(to: session.chain),  // nil: unread
            let before = try? answers.value(amounts[0]),  // nil: unread
            var after = try? answers.value(amounts[1])  // nil: unread
        else { return nil }
        if plan.arriving == .ether {
            guard let cost else { return nil }
            after = Wei(after).adding(cost)?.rawValue ?? .max
        }
        let (growth, isLess) = after.subtractingReportingOverflow(before)
        return isLess ? .zero : growth
    }
}
