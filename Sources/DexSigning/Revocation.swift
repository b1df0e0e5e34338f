package import Ethereum
import StrictJSON

/// An allowance that was revoked on chain, and the amount that can no longer be drawn.
///
/// The reader of the chain reports it, not the signer: see `AllowanceReturn` in DexCore.
package struct Revocation: Hashable, Sendable {
    package let account: Address
    package let chainID: UInt64
    /// Of the revoking transaction; later allowances are not affected.
    package let nonce: UInt64
    package let token: Address
    package let spender: Address
    /// Base units of the last allowance that were never drawn.
    package let unused: UInt256

    package init(
        account: Address,
        chainID: UInt64,
        nonce: UInt64,
        token: Address,
        spender: Address,
        unused: UInt256
    ) {
        self.account = account
        self.chainID = chainID
        self.nonce = nonce
        self.token = token
        self.spender = spender
        self.unused = unused
    }

    /// The spender of a full revocation, `approve(spender, 0)`; nil for any other call.
    package static func spender(of data: [UInt8]) -> Address? {
        guard case .approve(let spender, .zero) = TokenCall(data: data) else { return nil }
        return spender
    }

    // MARK: In the log

    init?(_ json: JSONValue) {
        func number(_ key: String) -> UInt64? { json[key]?.numberText.flatMap { UInt64($0) } }
        guard let account = AgentCodec.address(json["account"]), let chainID = number("chainId"),
            let nonce = number("nonce"), let token = AgentCodec.address(json["token"]),
            let spender = AgentCodec.address(json["spender"]),
            let unused = AgentCodec.number(json["unused"])
        else { return nil }
        self.init(
            account: account,
            chainID: chainID,
            nonce: nonce,
            token: token,
            spender: spender,
            unused: unused
        )
    }

    /// The members of its line, in their order.
    var members: [(String, JSONValue)] {
        [
            ("account", .string(account.checksummed)),
            ("chainId", .number(String(chainID))),
            ("nonce", .number(String(nonce))),
            ("token", .string(token.checksummed)),
            ("spender", .string(spender.checksummed)),
            ("unused", .string(unused.description)),
        ]
    }
}

/// The allowances of a log that still count after revocations.
///
/// Draws happened before the revocation was mined, so they count for 24 hours more. The unused
/// amount is part of the last allowance, since each approval replaces the one before.
struct ReturnedAllowances {
    /// The counted rest of a line's allowance, in base units, by the line's id.
    private var left: [String: UInt256] = [:]

    /// - Parameters:
    ///   - lines: signatures without failed ones.
    ///   - since: 24 hours ago, in seconds since 1970.
    init(_ lines: [AuditLine], since: UInt64) {
        let returns = lines.compactMap { line in line.revocation.map { ($0, line.time) } }
            .sorted { $0.0.nonce < $1.0.nonce }
        guard !returns.isEmpty else { return }
        var open = lines.compactMap(Grant.init)
        for (revocation, time) in returns {
            let ended = open.filter { $0.isEnded(by: revocation) }
            open.removeAll { $0.isEnded(by: revocation) && !$0.isPermit }
            let last = ended.map(\.nonce).max()
            // After an increase it is unknown whether the earlier amount was drawn.
            let isSet = ended.allSatisfy { $0.nonce != last || $0.isSet }
            for grant in ended where !grant.isPermit {
                let amount = grant.approval.amount
                if time <= since {
                    left[grant.id] = .zero
                } else if grant.nonce == last, isSet {
                    left[grant.id] =
                        amount > revocation.unused
                        ? amount.subtractingReportingOverflow(revocation.unused).partialValue
                        : .zero
                }
            }
        }
    }

    /// A line's allowances as spenders may still draw them, or could in the last 24 hours.
    func approvals(of id: String, _ spending: Spending) -> [SigningEffects.Approval] {
        guard let left = left[id] else { return spending.approvals }
        return spending.approvals.map { approval in
            SigningEffects.Approval(
                token: approval.token,
                spender: approval.spender,
                amount: min(approval.amount, left),
                expires: approval.expires,
                kind: approval.kind
            )
        }
    }

    /// An allowance that a transaction gives.
    private struct Grant {
        let id: String
        let account: Address
        let chainID: UInt64
        let nonce: UInt64
        let approval: SigningEffects.Approval
        /// It replaces the earlier allowance.
        let isSet: Bool
        /// If its transaction failed, any account may execute it later.
        let isPermit: Bool

        init?(_ line: AuditLine) {
            guard let spending = line.spending, let account = spending.account,
                let nonce = spending.nonce, let chainID = spending.chainID,
                spending.approvals.count == 1, let approval = spending.approvals.first
            else { return nil }
            id = line.id
            self.account = account
            self.chainID = chainID
            self.nonce = nonce
            self.approval = approval
            isSet = spending.function == TokenCall.approveName
            isPermit = spending.function == TokenCall.permitName
        }

        func isEnded(by revocation: Revocation) -> Bool {
            account == revocation.account && chainID == revocation.chainID
                && nonce < revocation.nonce && approval.token == revocation.token
                && approval.spender == revocation.spender
        }
    }
}
