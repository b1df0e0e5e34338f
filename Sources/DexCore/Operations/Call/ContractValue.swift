package import Ethereum

/// An argument or result.
package struct ContractValue: Hashable, Sendable {
    /// The name in the signature, if any; text from the user.
    package let name: String?
    /// Its canonical name: `uint256`.
    package let type: String
    package let value: ABIValue
}
