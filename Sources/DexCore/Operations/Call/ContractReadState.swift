package import Ethereum

/// What `dex call` shows.
package struct ContractReadState: Sendable {
    package let call: ContractCall
    /// Who asked, as the contract saw it; nil is the zero address.
    package let caller: Address?
    package let block: UInt64
    /// What the contract returned.
    package let returned: [UInt8]
    /// The same by the signature's result types; nil where it names none.
    package let values: [ContractValue]?
}
