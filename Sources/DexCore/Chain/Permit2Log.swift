import DexSigning
import Ethereum
import ZeroEx

/// An event of Permit2 about an allowance inside it.
struct Permit2Log: Hashable {
    let owner: Address
    let pair: TokenSpender

    static let approvalTopic = Keccak256.hash(
        "Approval(address,address,address,uint160,uint48)".utf8
    )
    static let permitTopic = Keccak256.hash(
        "Permit(address,address,address,uint160,uint48,uint48)".utf8
    )
    /// Its token and spender are data.
    static let lockdownTopic = Keccak256.hash("Lockdown(address,address,address)".utf8)

    /// nil for any other event, and for one of another contract, which anyone can write.
    init?(_ log: Log) {
        guard log.address == ZeroExSwapContracts.permit2, log.topics.count >= 2,
            let owner = Address(ifWord: log.topics[1])
        else { return nil }
        let words: [Bytes32?]
        switch (log.topics[0], log.topics.count, log.data.count) {
        case (Self.approvalTopic, 4, 64), (Self.permitTopic, 4, 96):
            words = [log.topics[2], log.topics[3]]
        case (Self.lockdownTopic, 2, 64):
            words = [Bytes32(bytes: log.data[..<32]), Bytes32(bytes: log.data[32...])]
        default: return nil
        }
        let addresses = words.compactMap { $0.flatMap { Address(ifWord: $0) } }
        guard addresses.count == 2 else { return nil }
        self.owner = owner
        pair = TokenSpender(token: addresses[0], spender: addresses[1])
    }
}
