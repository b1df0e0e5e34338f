import DexSigning
import Ethereum
import ZeroEx

/// One transaction that takes allowances inside Permit2 away, whatever their tokens and spenders.
struct Permit2Lockdown {
    /// At least one, at most 250.
    let grants: [TokenGrant]
    let call: PlannedCall

    /// Some 8,000 gas each: far below what any chain allows one transaction.
    private static let maximum = 250

    /// The fewest lockdowns that take all of them away.
    static func all(of grants: [TokenGrant], by account: Address) -> [Permit2Lockdown] {
        stride(from: 0, to: grants.count, by: maximum).map { start in
            Self(Array(grants[start..<min(start + maximum, grants.count)]), by: account)
        }
    }

    private init(_ grants: [TokenGrant], by account: Address) {
        self.grants = grants
        call = PlannedCall(
            purpose: .resetAllowance,
            summary: Self.summary(grants),
            subject: "the lockdown of Permit2",
            request: CallRequest(
                from: account,
                to: ZeroExSwapContracts.permit2,
                data: Permit2Revocation.lockdown(grants.map(\.pair))
            )
        )
    }

    private static func summary(_ grants: [TokenGrant]) -> String {
        let permit2 = "Permit2 \(ZeroExSwapContracts.permit2.checksummed)"
        guard let first = grants.first, grants.count == 1 else {
            return "set \(grants.count) allowances inside \(permit2) to 0"
        }
        let spender = [first.name, first.spender.checksummed].compactMap(\.self)
            .joined(separator: " ")
        return "set the allowance of \(PlainText.name(first.token.symbol)) to \(spender) inside "
            + "\(permit2) to 0"
    }
}
