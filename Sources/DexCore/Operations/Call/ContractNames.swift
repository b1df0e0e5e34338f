import Ethereum
import ZeroEx

/// The names of contracts and accounts on a network, for a plan.
struct ContractNames: Sendable {
    let network: Network
    let tokens: TokenMap
    let known: KnownAddresses

    /// The name of an address; nil if it has none.
    func name(of address: Address) -> String? {
        if let name = known.name(of: address) { return name }
        if let token = tokens.known(address) { return PlainText.name(token.symbol) }
        if address == ZeroExSwapContracts.permit2 { return "Permit2" }
        if Self.holders.contains(address) { return "the AllowanceHolder" }
        if network.hasExchange, address == network.exchange { return "the exchange" }
        if let transfers = network.transferContract, address == transfers {
            return "the transfer contract"
        }
        return nil
    }

    /// Contracts that are not a token, and that this program knows.
    func isBundled(_ address: Address) -> Bool {
        address == ZeroExSwapContracts.permit2 || Self.holders.contains(address)
            || network.hasExchange && address == network.exchange
    }

    private static let holders = [
        ZeroExSwapContracts.allowanceHolder, ZeroExSwapContracts.shanghaiAllowanceHolder,
    ]
}
