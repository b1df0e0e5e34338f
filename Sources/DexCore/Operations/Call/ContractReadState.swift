package import Ethereum

/// The answer of a contract to `dex call`.
package struct ContractReadState: Sendable {
    package let call: ContractCall
    /// The sender that the contract saw; nil is the zero address.
    package let caller: Address?
    package let block: UInt64
    /// The contract's result.
    package let returned: [UInt8]
    /// The values by the signature's result types; nil if it has none.
    package let values: [ContractValue]?
}
