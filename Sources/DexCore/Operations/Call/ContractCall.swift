package import Ethereum

/// A call of any contract, as the user wrote it and as it was understood.
package struct ContractCall: Hashable, Sendable {
    package let address: Address
    /// Where the contract is a token of the map.
    package let token: Token?
    /// The function's canonical signature: `transfer(address,uint256)`.
    package let function: String
    package let arguments: [ContractValue]
    /// Selector and encoded arguments.
    package let data: [UInt8]
}
