/// What access to the state costs, in units of gas, by revision.
///
/// Source: EIP-2929 (cold access), EIP-2200 and EIP-3529 (storage), EIP-150 and EIP-161 (calls);
/// Amsterdam's, with gas for state (EIP-8037), are those of Sepolia since October 2026.
public struct StateGas: Hashable, Sendable {
    /// An account that the transaction has not named before.
    public let coldAccount: UInt64
    /// A word that the transaction has not named before.
    public let coldSlot: UInt64
    /// Writing a word that was zero.
    public let newWord: UInt64
    /// Writing another word for the first time.
    public let changedWord: UInt64
    /// What comes back for a word that becomes zero.
    public let clearRefund: UInt64
    /// A call with ether.
    public let callValue: UInt64
    /// More where ether goes to an account that is empty.
    public let newAccount: UInt64

    public init(_ revision: Revision) {
        let isAmsterdam = revision >= .amsterdam
        coldAccount = isAmsterdam ? 3_000 : 2_600
        coldSlot = 2_100
        newWord = isAmsterdam ? 10_000 + 97_920 : 20_000
        changedWord = isAmsterdam ? 10_000 : 2_900
        clearRefund = isAmsterdam ? 11_616 : 4_800
        callValue = isAmsterdam ? 11_300 : 9_000
        newAccount = isAmsterdam ? 183_600 : 25_000
    }
}
