import Ethereum
import StrictJSON

/// The block named in a request.
enum BlockReference: Sendable {
    case tag(BlockTag)
    /// A fixed number of blocks behind the newest.
    case safe
    case hash(BlockHash)
}

extension RPCParameters {
    /// The block parameter: a tag, a number, or an object by EIP-1898; absent is latest.
    func block(_ index: Int) throws(NodeError) -> BlockReference {
        guard let value = optional(index) else { return .tag(.latest) }
        if case .object(let object) = value {
            if let hash = object["blockHash"] {
                return .hash(BlockHash(try Self.word(hash, "argument \(index)")))
            }
            if let number = object["blockNumber"] {
                return .tag(.number(try Self.quantity64(number, "argument \(index)")))
            }
            throw .invalidParameters(
                "invalid argument \(index): at least one of blockNumber or "
                    + "blockHash is needed"
            )
        }
        // A bare hash is allowed too, as geth accepts it and web3.py sends it.
        if let text = value.stringValue, text.utf8.count == 66 {
            return .hash(BlockHash(try Self.word(value, "argument \(index)")))
        }
        return try Self.block(value, "argument \(index)")
    }

    /// A block given by tag or number only, for methods about numbers.
    func block(named index: Int) throws(NodeError) -> BlockReference {
        try Self.block(try value(index), "argument \(index)")
    }

    /// A block by its tag or number.
    static func block(
        _ json: JSONValue,
        _ name: String
    ) throws(NodeError) -> BlockReference {
        switch json.stringValue {
        case "latest": .tag(.latest)
        case "pending": .tag(.pending)
        case "earliest": .tag(.earliest)
        case "finalized": .tag(.finalized)
        case "safe": .safe
        default: .tag(.number(try quantity64(json, name)))
        }
    }

    /// A log filter: its conditions, its range, and the single block that it may name instead.
    func filter(
        _ index: Int
    ) throws(NodeError) -> (filter: LogFilter, from: BlockReference, to: BlockReference) {
        guard case .object(let object) = try value(index) else {
            throw .invalidParameters("invalid argument \(index): an object is wanted")
        }
        let name = "argument \(index)"
        var filter = LogFilter(fromBlock: .latest, toBlock: .latest)
        var from = BlockReference.tag(.latest)
        var to = BlockReference.tag(.latest)
        var hash: BlockHash?
        for member in object.members where !member.value.isNull {
            switch member.key {
            case "fromBlock": from = try Self.block(member.value, name)
            case "toBlock": to = try Self.block(member.value, name)
            case "blockHash": hash = BlockHash(try Self.word(member.value, name))
            case "address":
                for item in member.value.arrayValue ?? [member.value] {
                    filter.addresses.append(try Self.address(item, name))
                }
            case "topics": filter.topics = try Self.topics(member.value, name)
            default: break
            }
        }
        if let hash {
            guard object["fromBlock"] == nil, object["toBlock"] == nil else {
                throw .invalidParameters(
                    "cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other"
                )
            }
            return (filter, .hash(hash), .hash(hash))
        }
        return (filter, from, to)
    }

    private static func topics(
        _ json: JSONValue,
        _ name: String
    ) throws(NodeError) -> [[Bytes32]] {
        guard case .array(let positions) = json else {
            throw .invalidParameters("invalid \(name): topics must be an array")
        }
        guard positions.count <= 4 else { throw .invalidParameters("exceed max topics") }
        var topics: [[Bytes32]] = []
        for position in positions {
            var choices: [Bytes32] = []
            if !position.isNull {
                for choice in position.arrayValue ?? [position] {
                    // A null among the choices accepts everything.
                    if choice.isNull {
                        choices = []
                        break
                    }
                    choices.append(try word(choice, name))
                }
            }
            topics.append(choices)
        }
        return topics
    }

    /// Percentiles such as 25 or 99.5, in thousandths of a percent.
    func percentiles(_ index: Int) throws(NodeError) -> [UInt64] {
        guard let value = optional(index) else { return [] }
        guard case .array(let items) = value, items.count <= 100 else {
            throw .invalidParameters("invalid argument \(index): at most 100 percentiles")
        }
        var percentiles: [UInt64] = []
        for item in items {
            guard let text = item.numberText,
                let amount = try? DecimalText.parse(text, decimals: 3),  // nil: too exact
                let number = amount.uint64
            else {
                throw .refused("invalid reward percentile: \(item.text.prefix(20))")
            }
            percentiles.append(number)
        }
        return percentiles
    }
}
