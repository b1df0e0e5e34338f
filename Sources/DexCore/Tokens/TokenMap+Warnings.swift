package import Ethereum
import StrictJSON

extension TokenMap {
    /// Warnings about a token, in whole sentences: ambiguous symbol, replaced contract and others.
    package func warnings(for token: Token) -> [String] {
        var warnings: [String] = []
        if let listed = listed(token.address) {
            warnings += self.warnings(for: listed)
        } else {
            warnings.append(
                "\(token.address.checksummed) is in no token list; its symbol and decimals are "
                    + "what its contract says."
            )
            let imitated = lookAlikes(token.symbol)
            if let first = imitated.first {
                warnings.append(
                    "It is NOT the listed \(PlainText.name(first.token.symbol)) "
                        + "(\(first.token.address.checksummed))."
                )
            }
        }
        if let spoof = spoofWarning(at: token.address, symbol: token.symbol) {
            warnings.append(spoof)
        }
        if token.decimals == nil {
            warnings.append(
                "The decimals of \(PlainText.name(token.symbol)) are unknown: its amounts are in base units."
            )
        }
        return warnings
    }

    /// The warning about a contract that is known to imitate a listed one; nil for any other.
    ///
    /// - Parameter symbol: the contract's, for a contract of an unknown one.
    func spoofWarning(at address: Address, symbol: String) -> String? {
        guard let spoof = spoofs.value(at: address) else { return nil }
        let imitated = (spoof["imitates"]?.arrayValue ?? []).compactMap(\.stringValue)
        return "\(address.checksummed) is known to pass itself off as "
            + "\(PlainText.name(spoof["symbol"]?.stringValue ?? symbol)) (\(imitated.joined(separator: ", "))), "
            + "or to be an old contract of it."
    }

    private func warnings(for listed: ListedToken) -> [String] {
        let token = listed.token
        var warnings: [String] = []
        let others = alike(token.symbol).filter { $0.token.address != token.address }
        if !others.isEmpty {
            warnings.append(
                "\(others.count == 1 ? "Another token" : "\(others.count) other tokens") on chain "
                    + "\(chainID) can be taken for \(PlainText.name(token.symbol)): check the address "
                    + "\(token.address.checksummed)."
            )
        }
        if listed.flags.contains(.superseded) {
            warnings.append(
                listed.replacedBy.map {
                    "\(PlainText.name(token.symbol)) at \(token.address.checksummed) was replaced by "
                        + "\($0.checksummed)."
                }
                    ?? "\(PlainText.name(token.symbol)) at \(token.address.checksummed) was replaced or is out of use."
            )
        }
        if listed.flags.contains(.nonTransferable) {
            warnings.append(
                "\(PlainText.name(token.symbol)) is locked or destroyed: transfers are expected to fail."
            )
        }
        if listed.flags.contains(.spam) {
            warnings.append("\(PlainText.name(token.symbol)) is marked as spam by others.")
        }
        if listed.flags.contains(.singleSource) {
            warnings.append(
                "What is known of \(PlainText.name(token.symbol)) comes from one source only."
            )
        }
        if listed.flags.contains(.disputedDecimals) {
            warnings.append(
                "Sources disagree about the decimals of \(PlainText.name(token.symbol)); "
                    + "\(TokenMap.text(token.decimals)) is what most say."
            )
        }
        if let contradiction = contradictions[token.address] { warnings.append(contradiction) }
        if listed.isUsers {
            warnings.append("\(PlainText.name(token.symbol)) is from your own token list.")
        }
        return warnings
    }
}
