@testable import EthereumWallet

extension ExtendedKey {
    /// All that derivation depends on is the same.
    borrowing func isSame(as other: borrowing ExtendedKey) -> Bool {
        depth == other.depth && number == other.number && key.isEqual(to: other.key)
            && chainCode.isEqual(to: other.chainCode)
    }
}
