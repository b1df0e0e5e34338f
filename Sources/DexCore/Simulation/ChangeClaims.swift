import DexSigning
import Ethereum
import ZeroEx

/// What a transaction's events claim about an account: where to look for changes.
///
/// An event is the word of the contract that logs it, and any contract can log any event. It only names
/// what is asked of the contracts themselves.
struct ChangeClaims {
    /// Tokens with an event about the account.
    private(set) var tokens: Set<Address> = []
    private(set) var allowances: Set<TokenSpender> = []
    private(set) var permit2: Set<TokenSpender> = []
    private(set) var operators: Set<OperatorKey> = []
    private(set) var items: Set<ItemKey> = []
    /// Items that somebody may move.
    private(set) var approvals: Set<ItemKey> = []
    /// They name more items than are compared: what happens to the others is not known.
    private(set) var isCut = false

    struct OperatorKey: Hashable {
        let collection: Address
        let `operator`: Address
    }

    struct ItemKey: Hashable {
        let collection: Address
        let id: UInt256
        /// A collection of ERC-1155, where several own parts of an item.
        let isShared: Bool
    }

    private static let approvalForAll = topic("ApprovalForAll(address,address,bool)")
    private static let transferSingle = topic(
        "TransferSingle(address,address,address,uint256,uint256)"
    )
    private static let transferBatch = topic(
        "TransferBatch(address,address,address,uint256[],uint256[])"
    )
    /// Of one transaction.
    static let maximumItems = 256

    private static func topic(_ event: String) -> Bytes32 { Keccak256.hash(event.utf8) }

    init(_ logs: [Log], about account: Address) {
        for log in logs { add(log, account.word) }
    }

    private mutating func add(_ log: Log, _ account: Bytes32) {
        guard let topic = log.topics.first, log.topics.dropFirst().contains(account) else { return }
        switch (topic, log.topics.count) {
        case (ERC20.transferTopic, 4):
            insert(
                ItemKey(collection: log.address, id: UInt256(log.topics[3]), isShared: false),
                into: \.items
            )
        case (ERC20.approvalTopic, 4) where log.topics[1] == account:
            insert(
                ItemKey(collection: log.address, id: UInt256(log.topics[3]), isShared: false),
                into: \.approvals
            )
        case (ERC20.transferTopic, _), (ERC20.depositTopic, _), (ERC20.withdrawalTopic, _):
            tokens.insert(log.address)
        case (ERC20.approvalTopic, 3) where log.topics[1] == account:
            guard let spender = Address(ifWord: log.topics[2]) else { return }
            allowances.insert(TokenSpender(token: log.address, spender: spender))
        case (Self.approvalForAll, 3) where log.topics[1] == account:
            guard let spender = Address(ifWord: log.topics[2]) else { return }
            operators.insert(OperatorKey(collection: log.address, operator: spender))
        case (Self.transferSingle, 4):
            guard let id = log.data.count == 64 ? UInt256(bigEndian: log.data[..<32]) : nil else {
                return
            }
            insert(ItemKey(collection: log.address, id: id, isShared: true), into: \.items)
        case (Self.transferBatch, 4):
            for id in Self.ids(log.data) {
                insert(ItemKey(collection: log.address, id: id, isShared: true), into: \.items)
            }
        default:
            guard let permit = Permit2Log(log), permit.owner.word == account else { return }
            permit2.insert(permit.pair)
        }
    }

    private mutating func insert(
        _ item: ItemKey,
        into items: WritableKeyPath<ChangeClaims, Set<ItemKey>>
    ) {
        guard !self[keyPath: items].contains(item) else { return }
        guard self[keyPath: items].count < Self.maximumItems else {
            isCut = true
            return
        }
        self[keyPath: items].insert(item)
    }

    /// The first of two lists of numbers in call encoding; empty for other data.
    private static func ids(_ data: [UInt8]) -> [UInt256] {
        guard data.count >= 96, let start = UInt256(bigEndian: data[..<32])?.uint64,
            start <= UInt64(data.count - 32)
        else { return [] }
        let begin = Int(start) + 32
        guard let count = UInt256(bigEndian: data[(begin - 32)..<begin])?.uint64,
            count <= UInt64((data.count - begin) / 32)
        else { return [] }
        // One more than are compared, so that it is seen that there are more.
        return (0..<min(Int(count), maximumItems + 1)).compactMap { index in
            UInt256(bigEndian: data[(begin + 32 * index)..<(begin + 32 * index + 32)])
        }
    }
}
