import DexSandbox
import DexTestSupport
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@Suite("Hostile input")
struct HostileInputTests {
    @Test("10,000 bit flips of valid call data get an answer or an error, never a trap")
    func bitFlips() async throws {
        let test = try TestChain()
        var generator = SeededGenerator(seed: 42)
        let orders = try test.makers.prefix(3).map {
            try test.order(
                by: $0,
                fees: OrderFees(
                    recipient: TestChain.feeRecipient,
                    makerFee: ether,
                    takerFee: ether
                )
            )
        }
        let terms = ExchangeCallV1.Orders(orders.map(\.terms))
        let signatures = ExchangeCallV1.Signatures(orders.map(\.signature))
        let amounts = orders.map { _ in ether }
        let first = orders[0]
        let addresses = OrderAddressesV1(first.terms)
        let values = OrderValuesV1(first.terms)
        let calls: [[UInt8]] = [
            TestChain.fill(first, ether),
            ExchangeCallV1.fillOrdersUpTo(terms, fill: 9 * ether, shouldThrow: false, signatures)
                .data,
            ExchangeCallV1.batchFillOrders(terms, fills: amounts, shouldThrow: true, signatures)
                .data,
            ExchangeCallV1.batchFillOrKillOrders(terms, fills: amounts, signatures).data,
            ExchangeCallV1.cancelOrder(addresses, values, cancel: ether).data,
            ExchangeCallV1.batchCancelOrders(terms, cancels: amounts).data,
            ExchangeCallV1.isRoundingError(numerator: 3, denominator: 1_000, target: 2_000).data,
            ERC20.transfer(to: test.bob.address, amount: ether),
        ]
        var failures = 0
        for round in 0..<10_000 {
            let index = round % calls.count
            var data = calls[index]
            for _ in 0...(generator.next() % 3) {
                let bit = Int(generator.next() % UInt64(data.count * 8))
                data[bit / 8] ^= 1 << UInt8(bit % 8)
            }
            if generator.next() % 10 == 0 {
                data.removeLast(Int(generator.next() % UInt64(data.count)))
            }
            let request = CallRequest(
                from: round % 2 == 0 ? test.alice.address : first.maker,
                to: index == calls.count - 1 ? TestChain.dai : TestChain.exchange,
                data: data
            )
            let results = try await test.client.read([.call(request, .latest)])
            if case .failure = results[0] { failures += 1 }
        }
        // Most flips break a signature, but not all: both ways were taken.
        #expect((1_000..<9_990).contains(failures), "\(failures)")
        #expect(try await test.client.read(.blockNumber) == 0)
    }

    @Test("call data that claims enormous arrays and offsets fails, quickly")
    func enormous() async throws {
        let test = try TestChain()
        let words: [UInt256] = [0, 32, 1 << 32, 1 << 63, 1 << 64, .max, UInt256(UInt64.max)]
        for selector in [0x3633_49be, 0xb7b2_c7d6, 0x4f15_0787, 0xbaa0_181d] as [UInt32] {
            for offset in words {
                for length in words {
                    var data = withUnsafeBytes(of: selector.bigEndian) { Array($0) }
                    for _ in 0..<7 { offset.word.append(to: &data) }
                    for _ in 0..<7 { length.word.append(to: &data) }
                    let request = CallRequest(to: TestChain.exchange, data: data)
                    let results = try await test.client.read([.call(request, .latest)])
                    #expect(results.count == 1)
                }
            }
        }
    }

    @Test("a pointer to an array near 2^256 wraps around, as EVM additions do")
    func wrapping() async throws {
        let test = try TestChain()
        // batchCancelOrders: addresses, values, amounts, all empty but for where they point to.
        func outcome(_ pointer: UInt256) async throws -> Result<ChainAnswer, ChainError> {
            var data: [UInt8] = [0xBA, 0xA0, 0x18, 0x1D]
            for word in [96, 96, pointer, 0] { word.word.append(to: &data) }
            let request = CallRequest(to: TestChain.exchange, data: data)
            return try await test.client.read([.call(request, .latest)])[0]
        }
        // 2^256 - 4 and the 4 bytes of the selector are 0: the selector is the length.
        let around: [UInt256] = [.max - 3, .max - 2, .max]
        for pointer in around {
            guard case .failure(let error) = try await outcome(pointer) else {
                Issue.record("\(pointer) is taken for an empty array")
                continue
            }
            #expect("\(error)".contains("invalid opcode: INVALID"), "\(error)")
        }
        // Beyond the end, but not around it, there are zeros.
        let beyond: [UInt256] = [.max - 4, .max - 35, 1 << 255, 1 << 64, 96]
        for pointer in beyond {
            #expect((try? await outcome(pointer).get()) != nil, "\(pointer)")
        }
    }

    @Test("mutated JSON requests of every method get JSON back, never a trap")
    func mutatedRequests() async throws {
        let test = try TestChain()
        try await test.send(from: test.alice, to: test.bob.address, value: 1)
        var generator = SeededGenerator(seed: 3)
        let address = #""0x0000000000000000000000000000000000000001""#
        let word = "\"0x" + String(repeating: "ab", count: 32) + "\""
        let call = #"{"to":\#(address),"data":"0x70a08231","gas":"0xffffff","value":"0x1"}"#
        let filter = #"{"fromBlock":"0x0","topics":[null,[\#(word)]],"address":\#(address)}"#
        let arguments = [
            "", address, #"\#(address),"latest""#, call, #"\#(call),"0x0""#, filter, word,
            #""0x1",false"#, #""0x5","latest",[1,50,99.5]"#, #"\#(word),true"#, "true", "60",
            #"{"blocks":1}"#, #""0x02f8""#, "null,null,null", "[],{},[[[]]]", "1e999,-0.0",
        ]
        let methods = [
            "eth_call", "eth_getBalance", "eth_getTransactionCount", "eth_getCode",
            "eth_getBlockByNumber", "eth_getBlockByHash", "eth_estimateGas", "eth_feeHistory",
            "eth_getLogs", "eth_newFilter", "eth_getFilterChanges", "eth_getFilterLogs",
            "eth_uninstallFilter", "eth_sendRawTransaction", "eth_getTransactionByHash",
            "eth_getTransactionReceipt", "eth_getBlockReceipts", "eth_createAccessList",
            "evm_setAutomine", "evm_increaseTime", "eth_getStorageAt", "evm_snapshot", "evm_revert",
            "evm_setNextBlockTimestamp", "hardhat_setNextBlockBaseFeePerGas",
            "eth_getBlockTransactionCountByNumber",
        ]
        for method in methods {
            for argument in arguments {
                let text =
                    #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":[\#(argument)]}"#
                for round in 0..<12 {
                    var body = Array(text.utf8)
                    if round > 0 {
                        let position = Int(generator.next() % UInt64(body.count))
                        switch generator.next() % 3 {
                        case 0: body[position] = UInt8(truncatingIfNeeded: generator.next())
                        case 1: body.remove(at: position)
                        default: body.insert(body[position], at: position)
                        }
                    }
                    let answer = await test.chain.answer(body: body)
                    // A lost id makes it a notification, which gets no answer.
                    if !answer.isEmpty {
                        let json = try JSONParser.parse(answer)
                        #expect(json["error"] != nil || json["result"] != nil)
                    }
                }
            }
        }
    }

    @Test("enormous numbers of gas, value and time do no harm")
    func numbers() async throws {
        let test = try TestChain()
        for gas in [0, 1, 20_999, 21_000, UInt64.max] {
            let request = CallRequest(
                to: TestChain.exchange,
                data: ExchangeCallV1.zrxTokenContract.data,
                gas: gas
            )
            _ = try await test.client.read([.call(request, .latest), .estimateGas(request)])
        }
        let rich = CallRequest(
            from: test.alice.address,
            to: TestChain.weth,
            data: [],
            value: Wei(.max)
        )
        let error = await chainError { _ = try await test.client.call(rich) }
        guard case .unaffordable(-32000, let message) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.hasPrefix("err: insufficient funds for transfer: address 0x"))
        try await test.chain.increaseTime(by: .max)
        try await test.chain.increaseTime(by: .max)
        let first = try await test.chain.mine().timestamp
        #expect(try await test.chain.mine().timestamp == first + 1)
    }
}
