import Ethereum

/// A call of the AllowanceHolder: `exec(operator, token, amount, target, data)`.
///
/// In this transaction `operator` may move at most `amount` of the sender's `token`; `target` is
/// called with `data` and the value. Words are unchecked.
struct HolderCall {
    static let selector: UInt32 = 0x2213_bc0b

    let `operator`: Bytes32
    let token: Bytes32
    let amount: UInt256
    let target: Bytes32
    let data: ArraySlice<UInt8>

    /// Reads the arguments of call data in the one encoding that every encoder writes.
    init(_ callData: [UInt8]) throws(MalformedContractData) {
        var reader = ContractDataReader(callData.dropFirst(4), headWords: 5)
        `operator` = try reader.word()
        token = try reader.word()
        amount = try reader.number()
        target = try reader.word()
        data = try reader.bytes()
        try reader.finish()
    }
}

/// The start of Settler's `execute((recipient, buyToken, minAmountOut), actions, zid)`.
///
/// After all actions Settler sends what it holds of `buyToken`, at least `minimum`, to `recipient`,
/// or reverts. Words are unchecked, and actions are left alone: in quotes for Permit2 they are not
/// in the usual encoding.
struct SettlerCall {
    static let selector: UInt32 = 0x1fff_991f
    private static let headSize = 5 * 32

    let recipient: Bytes32
    let buyToken: Bytes32
    let minimum: UInt256
    private let arguments: ArraySlice<UInt8>

    /// Reads the head of call data with a selector; the offset of the actions leads behind it.
    init(_ callData: ArraySlice<UInt8>) throws(MalformedContractData) {
        arguments = callData.dropFirst(4)
        var reader = ContractDataReader(arguments)
        recipient = try reader.word()
        buyToken = try reader.word()
        minimum = try reader.number()
        guard let offset = try reader.number().uint64, offset >= UInt64(Self.headSize),
            offset <= UInt64(max(0, arguments.count - 32))
        else { throw MalformedContractData() }
        _ = try reader.word()
    }

    /// The action of a call in the usual encoding that has exactly one.
    func onlyAction() throws(MalformedContractData) -> ArraySlice<UInt8> {
        var head = ContractDataReader(arguments)
        let words = try head.words(6)
        guard UInt256(words[3]) == UInt256(UInt64(Self.headSize)), UInt256(words[5]) == 1 else {
            throw MalformedContractData()
        }
        var list = ContractDataReader(arguments.dropFirst(Self.headSize + 32), headWords: 1)
        let action = try list.bytes()
        try list.finish()
        return action
    }
}

/// Settler's action `UNISWAPV3_VIP`: pays pools directly and enforces a minimum of its own.
struct DirectPoolAction {
    static let selector: UInt32 = 0x3036_d6a6
    /// A token, the pool's fork, fee and price limit.
    private static let hopSize = 44
    private static let addressSize = 20

    let recipient: Bytes32
    let token: Bytes32
    /// The most that is sold.
    let amount: UInt256
    /// The last token of the path.
    let bought: Bytes32
    let minimum: UInt256

    /// Reads an action with its selector in the one encoding that every encoder writes.
    init(_ action: ArraySlice<UInt8>) throws(MalformedContractData) {
        guard Array(action.prefix(4)).selector == Self.selector else {
            throw MalformedContractData()
        }
        var reader = ContractDataReader(action.dropFirst(4), headWords: 8)
        recipient = try reader.word()
        token = try reader.word()
        amount = try reader.number()
        _ = try reader.words(2)  // nonce, deadline
        let path = try reader.bytes()
        _ = try reader.bytes()  // signature
        minimum = try reader.number()
        try reader.finish()
        guard path.count >= Self.hopSize + Self.addressSize,
            path.count % Self.hopSize == Self.addressSize,
            let first = Address(bytes: path.prefix(Self.addressSize)),
            let last = Address(bytes: path.suffix(Self.addressSize)), first.word == token
        else { throw MalformedContractData() }
        bought = last.word
    }
}
