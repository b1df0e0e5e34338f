package import Ethereum
import ZeroEx

/// Payments of the last 24 hours, and amounts that others may still take, by audit log lines.
///
/// policy.toml and unlocked keys share this count:
///
/// - A transaction's payment counts for 24 hours from its signature; of transactions with one nonce
///   only the largest, since only one can be mined.
/// - An order's payment counts until 24 hours after it expires: it can be filled until then. So does
///   a permit's until 24 hours after its deadline; the transaction that uses it adds nothing.
/// - Where a limit names ether, the most that a transaction's gas may cost counts like its payment.
/// - An allowance for a third party counts until it is known to be revoked. Each approval adds to
///   the earlier ones, which may have been drawn before it was mined. A signed revocation returns
///   nothing; a mined one returns the undrawn amount, and 24 hours later the rest. One that ends by
///   itself, in Permit2, counts until 24 hours after its end.
///
/// A transaction is taken to be mined when it is signed.
package struct SpendingLedger: Sendable {
    private let lines: [AuditLine]
    private let since: UInt64
    private let returned: ReturnedAllowances

    /// - Parameters:
    ///   - lines: those since then, and older ones that may still count.
    ///   - since: 24 hours ago, in seconds since 1970.
    package init(_ lines: [AuditLine], since: UInt64) {
        let failed = Set(lines.filter { $0.event == .failed }.map(\.id))
        self.lines = lines.filter { !failed.contains($0.id) }
        self.since = since
        returned = ReturnedAllowances(self.lines, since: since)
    }

    package static let empty = SpendingLedger([], since: 0)

    /// The counted amounts on a chain, in base units.
    ///
    /// - Parameters:
    ///   - feeToken: the token for fees of an order that another network signed.
    ///   - trusted: spenders whose allowances do not count; what others may take by a signed message
    ///     counts whoever they are.
    ///   - countsGas: the most that gas may cost counts as ether.
    ///   - slot: of replaced transactions, which do not count.
    package func spent(
        on chainID: UInt64,
        feeToken: Address?,
        trusted: Set<Address>,
        countsGas: Bool = false,
        besides slot: String? = nil
    ) -> [Asset: UInt256] {
        var slots: [String: [Asset: UInt256]] = [:]
        for line in lines {
            guard let spending = line.spending, spending.reaches(chainID),
                slot == nil || spending.slot != slot
            else { continue }
            var taken = spending.taken(on: chainID, since: since, feeToken: feeToken)
            let approvals = returned.approvals(of: line.id, spending)
                .filter { spending.time > since || $0.mayBeUsed(after: since) }
            taken.merge(SigningEffects.drawable(approvals, trusted: trusted)) {
                $0.addingSaturating($1)
            }
            if countsGas, spending.time > since, spending.gas > .zero {
                taken[.ether] = (taken[.ether] ?? .zero).addingSaturating(spending.gas)
            }
            slots[spending.slot ?? line.id, default: [:]].merge(taken) { max($0, $1) }
        }
        return slots.values.reduce(into: [:]) { sum, taken in
            sum.merge(taken) { $0.addingSaturating($1) }
        }
    }
}

/// The payments that an authorized line of the log allows.
struct Spending {
    /// Seconds since 1970.
    let time: UInt64
    /// nil for an order that is valid on every chain.
    let chainID: UInt64?
    /// The chain of the network that signed it.
    let home: UInt64
    /// nil if the line does not name it properly.
    let account: Address?
    /// Of a transaction.
    let nonce: UInt64?
    /// Of a transaction: only one with this account and nonce can ever be mined.
    let slot: String?
    /// The called function; nil without a call.
    let function: String?
    let paid: [Asset: UInt256]
    let approvals: [SigningEffects.Approval]
    /// Of an order, a permit, and an order or a transfer as typed data: when it can no longer be
    /// used, in seconds since 1970.
    let expiry: UInt256?
    /// Of an order: base units of the fee in the exchange's own token.
    let fee: UInt256
    /// Of a transaction: the most wei that its gas may cost.
    let gas: UInt256

    func reaches(_ chainID: UInt64) -> Bool {
        self.chainID == nil || self.chainID == chainID
    }

    /// The counted amounts on one of its chains, without allowances.
    func taken(
        on chainID: UInt64,
        since: UInt64,
        feeToken: Address?
    ) -> [Asset: UInt256] {
        var taken: [Asset: UInt256] = [:]
        if time > since || expiry.map({ $0 > UInt256(since) }) == true {
            taken = paid
            // The fee token differs on another chain.
            if chainID != home, fee > .zero, let feeToken {
                let asset = Asset.token(feeToken)
                taken[asset] = (taken[asset] ?? .zero).addingSaturating(fee)
            }
        }
        return taken
    }
}

extension SigningEffects.Approval {
    /// - Parameter time: seconds since 1970.
    func mayBeUsed(after time: UInt64) -> Bool {
        expires.map { $0 > UInt256(time) } ?? true
    }
}

extension SigningEffects {
    /// The amounts that others could draw, in base units: of allowances the untrusted spenders, of
    /// a signed message anyone.
    static func drawable(
        _ approvals: [Approval],
        trusted: Set<Address>
    ) -> [Asset: UInt256] {
        approvals.reduce(into: [:]) { sum, approval in
            let isTrusted = approval.kind == .allowance && trusted.contains(approval.spender)
            guard approval.amount > .zero, !isTrusted else { return }
            let asset = Asset.token(approval.token)
            sum[asset] = (sum[asset] ?? .zero).addingSaturating(approval.amount)
        }
    }
}
