import DexSigning
import Ethereum

/// The command that signs one transaction of a plan alone.
struct OwnCommand {
    /// What it does: `approve 0x… for 0x…`.
    let summary: String
    let words: String
}

extension PlannedSignature {
    /// nil if it is no approval: nothing else precedes a transaction of a plan.
    func ownCommand(_ session: Session) -> OwnCommand? {
        guard case .transaction(let transaction) = content, let token = transaction.to,
            transaction.data.starts(with: ERC20.approve(spender: .zero, amount: .zero).prefix(4)),
            transaction.data.count == 68,
            let spender = Address(bytes: transaction.data[16..<36]),
            let amount = UInt256(bigEndian: transaction.data.suffix(32))
        else { return nil }
        let flags = "--no-send --out FILE"
        let known = session.tokens.known(token)
        let name = known.map { PlainText.name($0.symbol) } ?? token.checksummed
        let summary = "the approval of \(name) for \(spender.checksummed)"
        // `dex allowance set` approves the exchange's own transfer contract and no other.
        let isVenue = session.network.swapContracts.contains(spender)
        guard !isVenue, let decimals = known?.decimals else {
            return OwnCommand(
                summary: summary,
                words: "dex transact \(token.checksummed) \"approve(address,uint256)\" "
                    + "\(spender.checksummed) \(amount) \(flags)"
            )
        }
        let text =
            amount == .max ? "unlimited" : DecimalText.format(amount, decimals: decimals)
        return OwnCommand(
            summary: summary,
            words: amount == .zero
                ? "dex allowance revoke \(token.checksummed) \(flags)"
                : "dex allowance set \(token.checksummed) \(text) \(flags)"
        )
    }
}
