import DexSandbox
import Ethereum
import StrictJSON
import ZeroEx

@testable import DexNetwork

extension FuzzTarget {
    /// The simulated chain's JSON-RPC: every request gets the one answer that JSON-RPC demands, our
    /// own client reads what it serves, and nothing that only reads makes a block.
    static let sandboxServer = FuzzTarget(
        concurrent: "sandbox-server",
        maximumLength: 4_096,
        slowness: 20,
        seeds: SandboxServerTarget.seeds
    ) { input in
        let chain = try ServerFixture().chain
        for body in input.split(separator: 0, maxSplits: 20, omittingEmptySubsequences: false) {
            try await SandboxServerTarget.check(Array(body), chain)
        }
    }
}

private enum SandboxServerTarget {
    static func check(_ body: [UInt8], _ chain: SandboxChain) async throws {
        // A thousand blocks for each request of a batch are slow, and teach nothing.
        let text = String(decoding: body, as: UTF8.self)
        guard !text.contains("blocks") || text.split(separator: "evm_mine").count < 3 else {
            return
        }
        let before = await chain.latestBlock.number
        let answer = await chain.answer(body: body)
        let after = await chain.latestBlock.number
        try require(after >= before, "the chain got shorter")
        let requests = try? JSONParser.parse(body)
        if !text.contains("evm_") && !text.contains("\\u") && !text.contains("eth_sendRaw") {
            try requireEqual(after, before, "a request that reads made a block")
        }
        guard let requests else {
            try requireEqual(try JSONParser.parse(answer)["error"]?["code"], -32700, "no JSON")
            return
        }
        let list = requests.arrayValue ?? [requests]
        guard !list.isEmpty, list.count <= 1_000 else {
            try requireEqual(try JSONParser.parse(answer)["error"]?["code"], -32600, "a bad batch")
            return
        }
        let expected = list.filter { !isNotification($0) }
        guard !expected.isEmpty else {
            try require(answer.isEmpty, "a notification is answered")
            return
        }
        try requirePlainJSON(answer)
        let json = try JSONParser.parse(answer)
        try requireEqual(json.arrayValue != nil, requests.arrayValue != nil, "a batch or not")
        let answers = json.arrayValue ?? [json]
        try requireEqual(answers.count, expected.count, "as many answers as requests")
        for (request, answer) in zip(expected, answers) { try check(answer, to: request) }
    }

    /// A request of JSON-RPC 2.0 without an id.
    private static func isNotification(_ request: JSONValue) -> Bool {
        request.objectValue != nil && request["id"] == nil && request["jsonrpc"] == "2.0"
            && request["method"]?.stringValue != nil
    }

    private static func check(_ answer: JSONValue, to request: JSONValue) throws {
        try requireEqual(answer["jsonrpc"], "2.0", "the version of JSON-RPC")
        switch request["id"] {
        case .string?, .number?: try requireSame(answer["id"], request["id"], "a request's id")
        default: try requireEqual(answer["id"], .null, "the id of a request without one")
        }
        if let error = answer["error"] {
            try require(answer["result"] == nil, "an error and a result")
            try require(
                error["code"]?.numberText.flatMap { Int($0) } != nil
                    && error["message"]?.stringValue?.isEmpty == false,
                "an error without a code or a message"
            )
            return
        }
        guard let result = answer["result"] else { throw Violation("neither error nor result") }
        guard let read = read(request) else { return }
        _ = try ChainAnswer(result, to: read)
    }

    /// The question that our client would have asked with the same method.
    private static func read(_ request: JSONValue) -> ChainRead? {
        let call = CallRequest(to: .zero, data: [])
        let parameters = request["params"]?.arrayValue ?? []
        switch request["method"]?.stringValue {
        case "eth_chainId": return .chainID
        case "eth_blockNumber": return .blockNumber
        case "eth_gasPrice": return .gasPrice
        case "eth_maxPriorityFeePerGas": return .maxPriorityFeePerGas
        case "eth_getBalance": return .balance(.zero, .latest)
        case "eth_getTransactionCount": return .transactionCount(.zero, .latest)
        case "eth_getCode": return .code(.zero, .latest)
        case "eth_call": return .call(call, .latest)
        case "eth_estimateGas": return .estimateGas(call)
        case "eth_createAccessList": return .accessList(call)
        case "eth_getBlockByNumber", "eth_getBlockByHash": return .block(.latest)
        case "eth_getLogs", "eth_getFilterLogs":
            return .logs(LogFilter(fromBlock: .earliest, toBlock: .latest))
        case "eth_feeHistory":
            let percentiles = parameters.count > 2 ? parameters[2].arrayValue ?? [] : []
            return .feeHistory(
                blocks: 1_024,
                percentiles: Array(repeating: 50, count: percentiles.count)
            )
        default: return nil
        }
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let order = try SampleOrders.signed(salt: 1)
        let fill = ExchangeCallV1.fillOrder(
            OrderAddressesV1(order.terms),
            OrderValuesV1(order.terms),
            fill: 100,
            shouldThrow: false,
            SignatureFieldsV1(order.signature)
        ).data
        let signed = try TransactionTarget.sign(
            Transaction(
                chainID: 1337,
                nonce: 0,
                fee: .dynamic(maxFeePerGas: Wei(1 << 40), maxPriorityFeePerGas: Wei(1)),
                gasLimit: 400_000,
                to: SampleOrders.exchange,
                data: fill
            )
        )
        let owner = "\"\(signed.sender.lowercaseHex)\""
        let call =
            "{\"from\":\(owner),\"to\":\"\(SampleOrders.exchange.lowercaseHex)\","
            + "\"data\":\"\(Hex.encode(fill))\"}"
        let token = SampleOrders.zrx.lowercaseHex
        func request(_ method: String, _ parameters: String) -> String {
            #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":[\#(parameters)]}"#
        }
        let send = request("eth_sendRawTransaction", "\"\(Hex.encode(signed.raw))\"")
        let filter = "{\"fromBlock\":\"0x0\",\"address\":[\"\(token)\"],\"topics\":[[],null]}"
        let hash = "\"\(signed.hash.hex)\""
        let scripts: [[String]] = [
            [request("eth_chainId", "")], [request("eth_getBalance", "\(owner),\"latest\"")],
            [request("eth_call", "\(call),\"0x0\"")], [request("eth_estimateGas", call)],
            [request("eth_createAccessList", call)], [request("evm_mine", "{\"blocks\":3}")],
            [request("eth_feeHistory", "\"0x5\",\"latest\",[1,50,99.5]")],
            [request("eth_newFilter", filter), send, request("eth_getFilterChanges", "\"0x1\"")],
            [
                send, request("eth_getTransactionReceipt", hash),
                request("eth_getTransactionByHash", hash), request("eth_getLogs", filter),
                request("eth_getBlockByNumber", "\"latest\",true"),
                request("eth_getBlockReceipts", "\"0x1\""), request("eth_gasPrice", ""),
            ],
            [
                request("eth_newBlockFilter", ""), request("evm_setAutomine", "false"), send,
                request("eth_newPendingTransactionFilter", ""),
                request("evm_increaseTime", "3600"), request("evm_mine", ""),
                request("eth_getFilterChanges", "\"0x2\""),
                request("eth_uninstallFilter", "\"0x1\""),
            ],
            [
                "[\(request("eth_blockNumber", "")),{\"jsonrpc\":\"2.0\",\"method\":\"x\"},7,"
                    + request("eth_getCode", "\"\(token)\",{\"blockNumber\":\"0x0\"}") + "]"
            ],
            try swaps(of: signed.sender).map { to, data in
                request(
                    "eth_call",
                    "{\"from\":\(owner),\"to\":\"\(to.lowercaseHex)\","
                        + "\"data\":\"\(Hex.encode(data))\"},\"latest\""
                )
            },
            ["[]", "{}", "", "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"eth_syncing\"}"],
        ]
        return scripts.map { Array($0.map { Array($0.utf8) }.joined(separator: [0])) }
    }

    /// Calls of the swap venue: a sale through the AllowanceHolder, and its registry.
    private static func swaps(of taker: Address) throws -> [(Address, [UInt8])] {
        let swap = ServerFixture.swap
        let settler = GenesisSwap.currentSettler
        let token = SampleOrders.zrx
        let fetch = try ABIFunction(
            "TRANSFER_FROM(address,((address,uint256),uint256,uint256),bytes)"
        ).encode([
            .address(settler),
            .tuple([.tuple([.address(token), .uint(1_000_000)]), .uint(0), .uint(.max)]),
            .bytes([]),
        ])
        let sell = ERC20.call(
            "STAND_IN_SELL(address,address,address)",
            GenesisSwap.pool(1).word,
            token.word,
            settler.word
        )
        let execute = try ABIFunction("execute((address,address,uint256),bytes[],bytes32)")
            .encode([
                .tuple([.address(taker), .address(SampleOrders.weth), .uint(1)]),
                .array([.bytes(fetch), .bytes(sell)]),
                .fixedBytes(Array(repeating: 0, count: 32)),
            ])
        let exec = try ABIFunction("exec(address,address,uint256,address,bytes)").encode([
            .address(settler), .address(token), .uint(1_000_000), .address(settler),
            .bytes(execute),
        ])
        return [
            (swap.allowanceHolder, exec),
            (swap.registry, ERC20.call("ownerOf(uint256)", UInt256(2).word)),
        ]
    }
}
