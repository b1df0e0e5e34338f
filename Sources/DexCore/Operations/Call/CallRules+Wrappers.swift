import Ethereum

/// Functions that carry other calls: what they do is inside.
extension CallRules {
    static let wrappers: [Line] = [
        // The contract calls itself for the sender.
        ("multicall(bytes[] data)", { selfCalls(&$0, $1, 0) }),
        ("multicall(uint256 deadline,bytes[] data)", { selfCalls(&$0, $1, 1) }),
        ("multicall(bytes32 previousBlockhash,bytes[] data)", { selfCalls(&$0, $1, 1) }),
        ("batch(bytes[] calls,bool revertOnFail)", { selfCalls(&$0, $1, 0) }),
        // Multicall3 and its elders.
        ("aggregate((address target,bytes callData)[] calls)", { calls(&$0, $1, 0, .pair) }),
        (
            "blockAndAggregate((address target,bytes callData)[] calls)",
            { calls(&$0, $1, 0, .pair) }
        ),
        (
            "tryAggregate(bool requireSuccess,(address target,bytes callData)[] calls)",
            { calls(&$0, $1, 1, .pair) }
        ),
        (
            "tryBlockAndAggregate(bool requireSuccess,(address target,bytes callData)[] calls)",
            { calls(&$0, $1, 1, .pair) }
        ),
        (
            "aggregate3((address target,bool allowFailure,bytes callData)[] calls)",
            { calls(&$0, $1, 0, .flagged) }
        ),
        (
            "aggregate3Value((address target,bool allowFailure,uint256 value,bytes callData)[] "
                + "calls)", { calls(&$0, $1, 0, .flaggedValue) }
        ),
        // Accounts that are contracts.
        ("execute(address target,uint256 value,bytes data)", { oneCall(&$0, $1, 0, 1, 2) }),
        ("executeCall(address target,uint256 value,bytes data)", { oneCall(&$0, $1, 0, 1, 2) }),
        // DSProxy's: the target's code runs as the proxy.
        (
            "execute(address target,bytes data)",
            { decoder, call in
                decoder.delegate(call, to: call.address(0))
                return oneCall(&decoder, call, 0, nil, 1)
            }
        ),
        ("exec(address target,uint256 value,bytes data)", { oneCall(&$0, $1, 0, 1, 2) }),
        ("invoke(address target,uint256 value,bytes data)", { oneCall(&$0, $1, 0, 1, 2) }),
        ("forward(address target,uint256 value,bytes data)", { oneCall(&$0, $1, 0, 1, 2) }),
        ("functionCall(address target,bytes data)", { oneCall(&$0, $1, 0, nil, 1) }),
        (
            "execute(address target,uint256 value,bytes data,uint8 operation)",
            { oneCall(&$0, $1, 0, 1, 2, operation: 3) }
        ),
        (
            "execTransactionFromModule(address to,uint256 value,bytes data,uint8 operation)",
            { oneCall(&$0, $1, 0, 1, 2, operation: 3) }
        ),
        (
            "execTransactionFromModuleReturnData(address to,uint256 value,bytes data,"
                + "uint8 operation)", { oneCall(&$0, $1, 0, 1, 2, operation: 3) }
        ),
        (
            "execTransaction(address to,uint256 value,bytes data,uint8 operation,"
                + "uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,"
                + "address refundReceiver,bytes signatures)",
            { oneCall(&$0, $1, 0, 1, 2, operation: 3) }
        ),
        ("executeBatch(address[] targets,bytes[] data)", { lists(&$0, $1, 0, nil, 1) }),
        (
            "executeBatch(address[] targets,uint256[] values,bytes[] data)",
            { lists(&$0, $1, 0, 1, 2) }
        ),
        (
            "executeBatch((address target,uint256 value,bytes data)[] calls)",
            { calls(&$0, $1, 0, .value) }
        ),
        (
            "execute((address target,uint256 value,bytes data)[] calls)",
            { calls(&$0, $1, 0, .value) }
        ),
        ("execute(bytes32 mode,bytes executionData)", modeCalls),
        ("multiSend(bytes transactions)", packedCalls),
        ("execute(bytes commands,bytes[] inputs)", { commands(&$0, $1) }),
        ("execute(bytes commands,bytes[] inputs,uint256 deadline)", { commands(&$0, $1) }),
        // 0x's AllowanceHolder: the operator takes the token within this transaction.
        (
            "exec(address operator,address token,uint256 amount,address target,bytes data)",
            { decoder, call in
                decoder.note(
                    call,
                    token: call.address(1),
                    .lend(call.number(2), owner: call.sender, operator: call.address(0))
                )
                guard let start = call.words.target(128), let data = call.words.content(start)
                else { return false }
                return decoder.inside(
                    call,
                    1,
                    data,
                    of: call.address(3),
                    by: call.contract ?? call.sender
                )
            }
        ),
    ]

    /// How one call of a list is laid out: the positions of its value and of its data.
    private enum Layout {
        case pair
        case flagged
        case flaggedValue
        case value

        /// Words of the head: the target is first.
        var valueWord: Int? {
            switch self {
            case .pair, .flagged: nil
            case .flaggedValue: 2
            case .value: 1
            }
        }

        var dataWord: Int {
            switch self {
            case .pair: 1
            case .flagged, .value: 2
            case .flaggedValue: 3
            }
        }
    }

    /// Call data in a list; each is called by the contract itself, for the same sender.
    private static func selfCalls(
        _ decoder: inout CallDecoder,
        _ call: CallDecoder.Frame,
        _ argument: Int
    ) -> Bool {
        guard let contract = call.contract, let start = call.words.target(32 * argument),
            let list = call.words.elements(start, width: 32)
        else { return false }
        var isRead = true
        for (index, position) in list.positions.enumerated() {
            guard let target = call.words.target(position, from: list.base),
                let data = call.words.content(target)
            else {
                isRead = false
                continue
            }
            _ = decoder.inside(call, index + 1, data, of: contract, by: call.sender)
        }
        return isRead
    }

    /// Targets with their data in a list of tuples.
    private static func calls(
        _ decoder: inout CallDecoder,
        _ call: CallDecoder.Frame,
        _ argument: Int,
        _ layout: Layout
    ) -> Bool {
        guard let start = call.words.target(32 * argument) else { return false }
        return calls(&decoder, call, call.words, at: start, layout)
    }

    private static func calls(
        _ decoder: inout CallDecoder,
        _ call: CallDecoder.Frame,
        _ words: CallWords,
        at start: Int,
        _ layout: Layout
    ) -> Bool {
        guard let list = words.elements(start, width: 32) else { return false }
        var isRead = true
        for (index, position) in list.positions.enumerated() {
            guard let tuple = words.target(position, from: list.base),
                let target = words.target(tuple + 32 * layout.dataWord, from: tuple),
                let data = words.content(target)
            else {
                isRead = false
                continue
            }
            _ = decoder.inside(
                call,
                index + 1,
                data,
                of: words.address(tuple),
                by: call.contract ?? call.sender,
                value: layout.valueWord.map { words.number(tuple + 32 * $0) } ?? .zero
            )
        }
        return isRead
    }

    /// One target with its data.
    ///
    /// - Parameter operation: Safe's: anything but 0 runs the target's code as the wrapper.
    private static func oneCall(
        _ decoder: inout CallDecoder,
        _ call: CallDecoder.Frame,
        _ target: Int,
        _ value: Int?,
        _ data: Int,
        operation: Int? = nil
    ) -> Bool {
        if let operation, call.number(operation) != .zero {
            decoder.delegate(call, to: call.address(target))
        }
        guard let start = call.words.target(32 * data), let content = call.words.content(start)
        else { return false }
        return decoder.inside(
            call,
            1,
            content,
            of: call.address(target),
            by: call.contract ?? call.sender,
            value: value.map { call.number($0) } ?? .zero
        )
    }

    /// Lists of targets, values and data.
    private static func lists(
        _ decoder: inout CallDecoder,
        _ call: CallDecoder.Frame,
        _ targets: Int,
        _ values: Int?,
        _ data: Int
    ) -> Bool {
        let words = call.words
        guard let targetStart = words.target(32 * targets),
            let found = words.elements(targetStart, width: 32),
            let dataStart = words.target(32 * data),
            let parts = words.elements(dataStart, width: 32),
            found.positions.count == parts.positions.count
        else { return false }
        var amounts: [Int] = []
        if let values {
            guard let start = words.target(32 * values), let list = words.elements(start, width: 32)
            else { return false }
            amounts = list.positions
        }
        var isRead = true
        for (index, position) in parts.positions.enumerated() {
            guard let target = words.target(position, from: parts.base),
                let content = words.content(target)
            else {
                isRead = false
                continue
            }
            _ = decoder.inside(
                call,
                index + 1,
                content,
                of: words.address(found.positions[index]),
                by: call.contract ?? call.sender,
                value: index < amounts.count ? words.number(amounts[index]) : .zero
            )
        }
        return isRead
    }

    /// EIP-7821 and ERC-7579: the first byte of the mode says whether the data are a list, or a
    /// target whose code runs as the account, and what it is given.
    private static let modeCalls: Read = { decoder, call in
        guard let start = call.words.target(32), let content = call.words.content(start) else {
            return false
        }
        let words = CallWords(bytes: content)
        let kind = call.words.word(0).bytes.first
        if kind == 0xFF {
            guard let target = Address(bytes: content.prefix(20)) else { return false }
            decoder.delegate(call, to: target)
            return true
        }
        if kind == 0 {
            // A packed target, value and data.
            guard content.count >= 52, let target = Address(bytes: content.prefix(20)) else {
                return false
            }
            return decoder.inside(
                call,
                1,
                content.dropFirst(52),
                of: target,
                by: call.contract ?? call.sender,
                value: words.number(20)
            )
        }
        guard let list = words.target(0) else { return false }
        return calls(&decoder, call, words, at: list, .value)
    }

    /// Safe's MultiSend: operation, target, value, length and data, packed one after another.
    private static let packedCalls: Read = { decoder, call in
        guard let start = call.words.target(0), let content = call.words.content(start) else {
            return false
        }
        let words = CallWords(bytes: content)
        var position = 0
        var index = 1
        while position < content.count {
            guard let length = words.number(position + 53).uint64,
                length <= UInt64(content.count), position + 85 + Int(length) <= content.count,
                let target = Address(bytes: content.dropFirst(position + 1).prefix(20))
            else { return false }
            if content[content.startIndex + position] != 0 { decoder.delegate(call, to: target) }
            _ = decoder.inside(
                call,
                index,
                content.dropFirst(position + 85).prefix(Int(length)),
                of: target,
                by: call.contract ?? call.sender,
                value: words.number(position + 21)
            )
            position += 85 + Int(length)
            index += 1
        }
        return true
    }
}
