import Ethereum

/// Call data that remembers where each of its fields lies.
///
/// It lays out words by hand, so that the rules are not tested by their own encoder.
struct MappedCallData {
    /// A selector, a word or some padding.
    struct Field {
        let name: String
        let range: Range<Int>
    }

    private(set) var bytes: [UInt8] = []
    private(set) var fields: [Field] = []

    mutating func put(_ name: String, _ content: some Sequence<UInt8>) {
        let start = bytes.count
        bytes.append(contentsOf: content)
        fields.append(Field(name: name, range: start..<bytes.count))
    }

    mutating func put(selector: UInt32, _ name: String) {
        put(name, withUnsafeBytes(of: selector.bigEndian) { Array($0) })
    }

    mutating func put(_ name: String, _ number: UInt256) {
        put(name, number.bigEndianBytes)
    }

    mutating func put(_ name: String, _ address: Address) {
        put(name, address.word.bytes)
    }

    /// Bytes whose words are fields of one name.
    mutating func put(words content: [UInt8], _ name: String) {
        for start in stride(from: 0, to: content.count, by: 32) {
            put(name, content[start..<min(start + 32, content.count)])
        }
    }

    /// The length, the bytes with their own fields, and zeros up to a whole word.
    mutating func put(_ name: String, bytes inner: MappedCallData) {
        put("\(name) length", UInt256(UInt64(inner.bytes.count)))
        let start = bytes.count
        bytes += inner.bytes
        fields += inner.fields.map { field in
            Field(
                name: field.name,
                range: start + field.range.lowerBound..<start + field.range.upperBound
            )
        }
        let padding = (32 - inner.bytes.count % 32) % 32
        if padding > 0 { put("\(name) padding", repeatElement(0, count: padding)) }
    }
}

extension MappedCallData {
    /// `exec` of the AllowanceHolder.
    static func exec(
        operator: Address,
        token: Address,
        amount: UInt256,
        target: Address,
        _ data: MappedCallData
    ) -> MappedCallData {
        var call = MappedCallData()
        call.put(selector: 0x2213_bc0b, "exec selector")
        call.put("exec.operator", `operator`)
        call.put("exec.token", token)
        call.put("exec.amount", amount)
        call.put("exec.target", target)
        call.put("exec.data offset", 0xa0)
        call.put("exec.data", bytes: data)
        return call
    }

    /// `execute` of a Settler, with actions in the usual encoding.
    static func execute(
        recipient: Address,
        buyToken: Address,
        minimum: UInt256,
        actions: [MappedCallData]
    ) -> MappedCallData {
        var call = head(recipient: recipient, buyToken: buyToken, minimum: minimum)
        call.put("actions count", UInt256(UInt64(actions.count)))
        var offset = 32 * actions.count
        for action in actions {
            call.put("actions offsets", UInt256(UInt64(offset)))
            offset += 32 + (action.bytes.count + 31) / 32 * 32
        }
        for action in actions { call.put("actions", bytes: action) }
        return call
    }

    /// `execute` as quotes for Permit2 have it: the first action lies last, has no true length and
    /// ends with the offset of a signature that is still to come.
    static func executeWithoutSignature(
        recipient: Address,
        buyToken: Address,
        minimum: UInt256,
        transfer: [UInt8],
        then second: MappedCallData
    ) -> MappedCallData {
        var call = head(recipient: recipient, buyToken: buyToken, minimum: minimum)
        call.put("actions count", 2)
        let length = (second.bytes.count + 31) / 32 * 32
        call.put("actions offsets", UInt256(UInt64(64 + 32 + length)))
        call.put("actions offsets", 64)
        call.put("actions", bytes: second)
        call.put("actions length", 0xffff)
        call.put("actions", transfer.prefix(4))
        call.put(words: Array(transfer.dropFirst(4)), "actions")
        return call
    }

    private static func head(
        recipient: Address,
        buyToken: Address,
        minimum: UInt256
    ) -> MappedCallData {
        var call = MappedCallData()
        call.put(selector: 0x1fff_991f, "execute selector")
        call.put("execute.recipient", recipient)
        call.put("execute.buyToken", buyToken)
        call.put("execute.minAmountOut", minimum)
        call.put("execute.actions offset", 0xa0)
        call.put("execute.zidAndAffiliate", 0x1234)
        return call
    }

    /// An action whose contents the rules leave alone.
    static func action(_ signature: String, _ values: [ABIValue]) throws -> MappedCallData {
        let content = try ABIFunction(signature).encode(values)
        var action = MappedCallData()
        action.put("actions", content.prefix(4))
        action.put(words: Array(content.dropFirst(4)), "actions")
        return action
    }

    /// The action that enforces a minimum of its own.
    static func directPool(
        recipient: Address,
        token: Address,
        amount: UInt256,
        path: [UInt8],
        minimum: UInt256
    ) -> MappedCallData {
        var action = MappedCallData()
        action.put(selector: 0x3036_d6a6, "VIP selector")
        action.put("VIP.recipient", recipient)
        action.put("VIP.permitted.token", token)
        action.put("VIP.permitted.amount", amount)
        action.put("VIP.nonce", 7)
        action.put("VIP.deadline", 1_800_000_300)
        action.put("VIP.path offset", 0x100)
        action.put("VIP.sig offset", UInt256(UInt64(0x120 + (path.count + 31) / 32 * 32)))
        action.put("VIP.amountOutMin", minimum)
        var content = MappedCallData()
        content.put("VIP.path start", path.prefix(20))
        content.put("VIP.path pool", path.dropFirst(20).dropLast(20))
        content.put("VIP.path end", path.suffix(20))
        action.put("VIP.path", bytes: content)
        action.put("VIP.sig", bytes: MappedCallData())
        return action
    }
}
