public import Ethereum

extension OrderHash {
    /// What a v1 maker signs: the EIP-191 hash of "\x19Ethereum Signed Message:\n32" and this hash.
    ///
    /// Source: https://eips.ethereum.org/EIPS/eip-191
    public var signedDigest: Bytes32 {
        var message: [UInt8] = []
        message.reserveCapacity(60)
        // EthereumMessage.hash writes the length anew each time; here it is always 32.
        prefix.withUTF8Buffer { message.append(contentsOf: $0) }
        word.append(to: &message)
        return Keccak256.hash(message)
    }
}

private let prefix: StaticString = "\u{19}Ethereum Signed Message:\n32"
