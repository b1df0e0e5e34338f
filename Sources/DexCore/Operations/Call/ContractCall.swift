package import Ethereum

/// A contract call, as the user wrote it and in decoded form.
package struct ContractCall: Hashable, Sendable {
    package let address: Address
    /// The contract's token in the map, if any.
    package let token: Token?
    /// The function's canonical signature: `transfer(address,uint256)`.
    package let function: String
    package let arguments: [ContractValue]
    /// Selector and encoded arguments.
    package let data: [UInt8]

    /// The function without its arguments: `transfer`.
    package var name: String { String(function.prefix { $0 != "(" }) }
}
