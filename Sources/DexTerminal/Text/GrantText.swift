import DexCore
import Ethereum

/// The words of an allowance to any spender.
enum GrantText {
    static func amount(_ grant: TokenGrant) -> String {
        grant.allowance.map { amount($0, grant) } ?? UnknownText.word
    }

    /// Base units of an allowance, in the same token.
    static func amount(_ raw: UInt256, _ grant: TokenGrant) -> String {
        isUnlimited(raw, grant) ? "unlimited" : NumberText.allowance(raw, grant.token)
    }

    /// An unlimited one is never reduced; inside Permit2 it has only 160 bits.
    private static func isUnlimited(_ raw: UInt256, _ grant: TokenGrant) -> Bool {
        grant.permit2 == nil ? NumberText.isUnlimited(raw) : raw >= Permit2Terms.unlimited
    }

    /// `bob 0x0000…` or the address alone; `…, by Permit2` for an allowance inside it.
    static func spender(_ grant: TokenGrant) -> String {
        [
            grant.name.map { TerminalText.clean($0) }, grant.spender.checksummed,
            grant.permit2 == nil ? nil : "by Permit2",
        ].compactMap(\.self).joined(separator: " ")
    }

    /// Without the symbol, which stands in a column of its own.
    static func cell(_ grant: TokenGrant) -> Table.Cell {
        guard let raw = grant.allowance else { return .init(UnknownText.word, .yellow) }
        return isUnlimited(raw, grant)
            ? .init("unlimited", .yellow) : .init(NumberText.bareAllowance(raw, grant.token))
    }

    /// The day in UTC on which an allowance inside Permit2 ends; on its last day how long it lasts.
    static func end(_ terms: Permit2Terms, _ screen: Screen) -> Table.Cell {
        guard let end = terms.expiration else { return .init(UnknownText.word, .yellow) }
        if end < screen.now.addingReportingOverflow(86_400).partialValue {
            return .init(TimeText.remaining(until: UInt256(end), now: screen.now))
        }
        let text = TimeText.utc(UInt256(end))
        return text == "never" ? .init(text, .yellow) : .init(String(text.prefix(10)))
    }

    /// Sentences about the allowances inside Permit2 that cannot be used now, and about those of
    /// which that is unknown.
    static func usability(_ grants: [TokenGrant]) -> [String] {
        func names(_ isUsable: Bool?) -> String? {
            var names: [String] = []
            for grant in grants where grant.permit2.map({ $0.isUsable == isUsable }) ?? false {
                let name = PlainText.name(grant.token.symbol)
                if !names.contains(name) { names.append(name) }
            }
            return names.isEmpty ? nil : names.joined(separator: ", ")
        }
        return [
            names(false).map {
                "Of \($0) the token itself lets Permit2 move nothing: what is allowed here cannot be "
                    + "used now, and can be once Permit2 is approved again."
            },
            names(nil).map {
                "Whether what is allowed here of \($0) can be used now is unknown: the token does "
                    + "not say what Permit2 may move."
            },
        ].compactMap(\.self)
    }
}
