import Ethereum
import ZeroEx

extension Policy.Refusal {
    /// The rule of chains, which no file sets: typed data names its chain, or none.
    static let chainRule = "chain"
}

extension Policy {
    /// Checks that typed data is not for another chain, whatever the rules are.
    static func check(
        _ data: TypedData,
        _ request: SigningRequest
    ) throws(Refusal) {
        let scope = request.scope
        guard let chainID = data.domain.chainID, chainID != UInt256(scope.chainID) else { return }
        throw Refusal(
            rule: Refusal.chainRule,
            reason: "this is for chain \(chainID), and \(scope.network) is chain \(scope.chainID)"
        )
    }

    /// Whether the rule `typed_data` allows typed data that no other rule can read.
    ///
    /// Never for an exchange, for the contracts of a swap venue or for a token that a rule names:
    /// what is unread there may be an order, an allowance or a transfer.
    ///
    /// - Throws: `Refusal` if the rule is set and does not list the contract.
    func admitsUnread(
        _ request: SigningRequest,
        _ effects: SigningEffects,
        _ rules: inout [String]
    ) throws(Refusal) -> Bool {
        guard case .typedData(let data) = request.content, !effects.isUnderstood, let typedData
        else { return false }
        rules.append("typed_data")
        guard let contract = data.domain.verifyingContract, typedData.contains(contract) else {
            throw Refusal(
                rule: "typed_data",
                reason: "what it allows cannot be determined, and "
                    + (data.domain.verifyingContract.map {
                        "its contract \($0.checksummed) is not in the list"
                    } ?? "its domain names no contract")
            )
        }
        let scope = request.scope
        let movesTokens =
            contract == scope.exchange || Self.actsForAnyone.contains(contract)
            || scope.transferContracts.contains(contract) || names(contract, scope)
        return !movesTokens
    }

    /// A rule or the network names the contract as a token.
    private func names(_ contract: Address, _ scope: SigningScope) -> Bool {
        let asset = Asset.token(contract)
        return perTrade[asset] != nil || perDay[asset] != nil || tokens?.contains(asset) == true
            || tokenNames[contract] != nil || contract == scope.weth || contract == scope.feeToken
    }
}
