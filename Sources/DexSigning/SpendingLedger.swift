package import Ethereum
import ZeroEx

/// What may have left the accounts in the last 24 hours, and what others may still take, from the
/// lines of an audit log: the one count behind policy.toml and an unlocked key.
///
/// - What a transaction pays counts for 24 hours from its signature; of transactions with one
///   nonce, of which only one can be mined, the largest.
/// - What an order gives counts until 24 hours after it expires: it can be filled until then.
/// - What an allowance lets a third party draw counts until it is known to be revoked. Each approval
///   counts on top of those before it, which may have been drawn before it was mined. A revocation
///   that was signed gives nothing back; one that was seen mined gives back what was not drawn, and
///   24 hours later the rest.
///
/// A transaction is taken to be mined when it is signed.
package struct SpendingLedger: Sendable {
    private let lines: [AuditLine]
    private let since: UInt64
    private let returned: ReturnedAllowances

    /// - Parameters:
    ///   - lines: those since then, and older ones of what may still be taken.
    ///   - since: 24 hours ago, in seconds since 1970.
    package init(_ lines: [AuditLine], since: UInt64) {
        let failed = Set(lines.filter { $0.event == .failed }.map(\.id))
        self.lines = lines.filter { !failed.contains($0.id) }
        self.since = since
        returned = ReturnedAllowances(self.lines, since: since)
    }

    /// Nothing was signed.
    package static let empty = SpendingLedger([], since: 0)

    /// What counts on a chain now, in base units.
    ///
    /// - Parameters:
    ///   - feeToken: the token for fees of an order that another network signed.
    ///   - trusted: spenders that may have allowances of any size, which do not count.
    ///   - slot: of transactions that are not counted, since another one replaces them.
    package func spent(
        on chainID: UInt64,
        feeToken: Address?,
        trusted: Set<Address>,
        besides slot: String? = nil
    ) -> [Asset: UInt256] {
        var slots: [String: [Asset: UInt256]] = [:]
        for line in lines {
            guard let spending = line.spending, spending.reaches(chainID),
                slot == nil || spending.slot != slot
            else { continue }
            var taken = spending.taken(on: chainID, since: since, feeToken: feeToken)
            let approvals = returned.approvals(of: line.id, spending)
            taken.merge(SigningEffects.drawable(approvals, trusted: trusted)) {
                SigningEffects.sum($0, $1)
            }
            slots[spending.slot ?? line.id, default: [:]].merge(taken) { max($0, $1) }
        }
        return slots.values.reduce(into: [:]) { sum, taken in
            sum.merge(taken) { SigningEffects.sum($0, $1) }
        }
    }
}

/// What an authorized line of the log lets leave the account.
struct Spending {
    /// Seconds since 1970.
    let time: UInt64
    /// nil for an order that holds on every chain.
    let chainID: UInt64?
    /// The chain of the network that it was signed for.
    let home: UInt64
    /// nil where the line does not name it properly.
    let account: Address?
    /// Of a transaction.
    let nonce: UInt64?
    /// Of a transaction: only one with this account and nonce can ever be mined.
    let slot: String?
    /// The function that is called; nil where none is.
    let function: String?
    let paid: [Asset: UInt256]
    let approvals: [SigningEffects.Approval]
    /// Of an order: when it can no longer be filled, in seconds since 1970.
    let expiry: UInt256?
    /// Of an order: base units of the fee in the exchange's own token.
    let fee: UInt256

    func reaches(_ chainID: UInt64) -> Bool {
        self.chainID == nil || self.chainID == chainID
    }

    /// What of it counts on one of its chains, allowances left aside.
    func taken(
        on chainID: UInt64,
        since: UInt64,
        feeToken: Address?
    ) -> [Asset: UInt256] {
        var taken: [Asset: UInt256] = [:]
        if time > since || expiry.map({ $0 > UInt256(since) }) == true {
            taken = paid
            // The token of fees is another one elsewhere.
            if chainID != home, fee > .zero, let feeToken {
                taken[.token(feeToken), default: .zero] = SigningEffects.sum(
                    taken[.token(feeToken)] ?? .zero,
                    fee
                )
            }
        }
        return taken
    }
}

extension SigningEffects {
    /// What spenders who are not trusted could draw of allowances, in base units.
    static func drawable(
        _ approvals: [Approval],
        trusted: Set<Address>
    ) -> [Asset: UInt256] {
        approvals.reduce(into: [:]) { sum, approval in
            guard approval.amount > .zero, !trusted.contains(approval.spender) else { return }
            let asset = Asset.token(approval.token)
            sum[asset] = Self.sum(sum[asset] ?? .zero, approval.amount)
        }
    }
}
