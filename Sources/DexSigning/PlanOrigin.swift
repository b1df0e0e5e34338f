import Ethereum

/// The plan of `dex mcp` for which something is signed.
///
/// It only narrows: what an agent asks for has to keep the limits of `[mcp]` in policy.toml besides
/// all other rules.
package struct PlanOrigin: Hashable, Sendable {
    /// The plan's number; 16 hexadecimal digits in the audit log.
    package let plan: UInt64
    /// A person said yes to it (`dex approve`): the limits of `[mcp]` do not hold.
    package let isApproved: Bool

    package init(plan: UInt64, isApproved: Bool) {
        self.plan = plan
        self.isApproved = isApproved
    }

    /// Its name in the audit log and in questions to an agent: `mcp` or `approve`.
    var word: String { isApproved ? "approve" : Self.mcp }

    static let mcp = "mcp"

    init?(word: String?, plan: UInt64?) {
        guard let plan, word == Self.mcp || word == "approve" else { return nil }
        self.init(plan: plan, isApproved: word != Self.mcp)
    }

    /// 16 hexadecimal digits.
    static func text(_ plan: UInt64) -> String { Hex.digits(plan) }

    /// nil for anything but 16 hexadecimal digits.
    static func plan(_ text: String) -> UInt64? {
        text.utf8.count == 16
            ? UInt64(text, radix: 16).flatMap { Self.text($0) == text ? $0 : nil }
            : nil
    }
}
