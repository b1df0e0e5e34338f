import Ethereum
import StrictJSON
import Uniswap

/// A made-up day of one busy pool on Base, as a node tells it in JSON.
struct PoolDay {
    static let logs = 20_000
    static let blocks: UInt64 = 43_200
    static let first: UInt64 = 20_000_000
    static let chainID: UInt64 = 8_453
    static let weth = "0x4200000000000000000000000000000000000006"
    static let usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
    private static let factory = "0x33128a8fc17869897dce68ed026d694621f6fdfd"
    private static let quarterKilobyte = String(repeating: "0", count: 512)

    /// Logs with their blocks, ascending.
    private let logs: [(block: UInt64, json: String)]
    private let pool: Address
    /// Seconds since 1970 of the first block; one comes every two seconds.
    private let start: UInt64

    /// - Parameters:
    ///   - now: seconds since 1970, of the latest block.
    ///   - tellsTimes: each log has its block's time.
    init(now: UInt64, tellsTimes: Bool) throws {
        let tokens = (try Address(lenient: Self.weth), try Address(lenient: Self.usdc))
        guard let id = PoolID(tokens.0, tokens.1, .v3(fee: 500)) else { throw NoPool() }
        let pool = id.address(of: try Address(lenient: Self.factory))
        self.pool = pool
        let start = now - 2 * Self.blocks
        self.start = start
        let party = tokens.0.word.hex
        let even = UInt256(1) << 96
        var logs: [(block: UInt64, json: String)] = []
        for index in 0..<UInt64(Self.logs) {
            let block = Self.first + index * (Self.blocks - 100) / UInt64(Self.logs)
            let (bought, sold) = (UInt256(1_000_000 + index), UInt256(3_000_000 + index))
            let data = [0 &- bought, sold, even + UInt256(index), UInt256(7), .zero]
                .map { $0.word.hex.dropFirst(2) }.joined()
            let time = tellsTimes ? "\"blockTimestamp\":\"\(hex(Self.time(block, start)))\"," : ""
            logs.append(
                (
                    block,
                    """
                    {"address":"\(pool.lowercaseHex)","topics":["\(PoolEvent.Topic.swapV3.hex)",\
                    "\(party)","\(party)"],"data":"0x\(data)","blockNumber":"\(hex(block))",\
                    "blockHash":"\(Self.hash(block))",\(time)"transactionHash":\
                    "\(Self.hash(index << 32))","logIndex":"\(hex(index % 7))",\
                    "transactionIndex":"0x1","removed":false}
                    """
                )
            )
        }
        self.logs = logs
    }

    private struct NoPool: Error {}

    private static func hash(_ number: UInt64) -> String { UInt256(number + 1).word.hex }

    private static func time(_ block: UInt64, _ start: UInt64) -> UInt64 {
        block < first ? start - 2 * (first - block) : start + 2 * (block - first)
    }

    // MARK: Answers

    /// The answer to a request or to a batch of them, and how many logs are in it.
    func answer(_ body: [UInt8]) throws -> (json: String, logs: Int) {
        let json = try JSONParser.parse(body)
        guard let batch = json.arrayValue else { return one(json) }
        let answers = batch.map(one)
        return (
            "[\(answers.map(\.json).joined(separator: ","))]", answers.reduce(0) { $0 + $1.logs }
        )
    }

    private func one(_ request: JSONValue) -> (json: String, logs: Int) {
        let id = request["id"]?.numberText ?? "null"
        let parameters = request["params"]?.arrayValue ?? []
        var count = 0
        let result: String
        switch request["method"]?.stringValue {
        case "eth_chainId": result = "\"\(hex(Self.chainID))\""
        case "eth_blockNumber": result = "\"\(hex(Self.first + Self.blocks))\""
        case "eth_getBlockByNumber": result = block(parameters.first?.stringValue ?? "")
        case "eth_call": result = "\"\(called(parameters.first ?? .null))\""
        case "eth_getLogs":
            let found = found(parameters.first ?? .null)
            count = found.count
            result = "[\(found.joined(separator: ","))]"
        default:
            return (
                "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"error\":{\"code\":-32601,\"message\":\"no\"}}",
                0
            )
        }
        return ("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":\(result)}", count)
    }

    private func number(_ text: String) -> UInt64? {
        text == "latest" ? Self.first + Self.blocks : UInt64(text.dropFirst(2), radix: 16)
    }

    private func block(_ tag: String) -> String {
        guard let number = number(tag), number > 0, number <= Self.first + Self.blocks
        else { return "null" }
        return """
            {"number":"\(hex(number))","hash":"\(Self.hash(number))","parentHash":\
            "\(Self.hash(number - 1))","timestamp":"\(hex(Self.time(number, start)))","gasLimit":"0x3938700",\
            "gasUsed":"0x1c9c380","baseFeePerGas":"0x4c4b40","logsBloom":"0x\(Self.quarterKilobyte)",\
            "transactions":[],"size":"0x400"}
            """
    }

    private func called(_ call: JSONValue) -> String {
        let data = call["data"]?.stringValue ?? call["input"]?.stringValue ?? ""
        let to = call["to"]?.stringValue?.lowercased()
        let isDecimals = data.hasPrefix("0x313ce567")
        let answer: UInt256
        if isDecimals {
            answer = to == Self.usdc ? 6 : 18
        } else {
            // getPool of the fee 0.05 %.
            answer = to == Self.factory && data.hasSuffix("1f4") ? UInt256(pool.word) : .zero
        }
        return answer.word.hex
    }

    private func found(_ filter: JSONValue) -> [String] {
        let addresses =
            filter["address"]?.arrayValue?.compactMap(\.stringValue)
            ?? [filter["address"]?.stringValue].compactMap(\.self)
        guard addresses.contains(where: { $0.lowercased() == pool.lowercaseHex }),
            let from = filter["fromBlock"]?.stringValue.flatMap(number),
            let to = filter["toBlock"]?.stringValue.flatMap(number)
        else { return [] }
        return logs.filter { (from...max(from, to)).contains($0.block) }.map(\.json)
    }
}

private func hex(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }
