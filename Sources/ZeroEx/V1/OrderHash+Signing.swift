public import Ethereum

extension OrderHash {
    /// What a v1 maker signs: the EIP-191 hash of "\x19Ethereum Signed Message:\n32" and this hash.
    ///
    /// Source: https://eips.ethereum.org/EIPS/eip-191
    public var signedDigest: Bytes32 {
        EthereumMessage.hash(word)
    }
}
