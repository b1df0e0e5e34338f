import DexSandbox
import DexTestSupport
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@Suite("The exchange beyond the scenarios")
struct ExchangeTests {
    private func call(
        _ test: TestChain,
        _ call: ExchangeCallV1,
        to: Address = TestChain.exchange
    ) async throws -> [UInt8] {
        try await test.client.call(
            CallRequest(from: test.alice.address, to: to, data: call.data)
        )
    }

    @Test("the views answer what the client's protocol code expects")
    func views() async throws {
        let test = try TestChain()
        let order = try test.order(by: test.makers[0])
        let addresses = OrderAddressesV1(order.terms)
        let values = OrderValuesV1(order.terms)
        #expect(try await call(test, .getOrderHash(addresses, values)) == order.hash.word.bytes)
        let signature = SignatureFieldsV1(order.signature)
        let valid = ExchangeCallV1.isValidSignature(
            signer: order.maker,
            hash: order.hash.word,
            signature
        )
        #expect(try await call(test, valid) == UInt256(1).bigEndianBytes)
        let other = ExchangeCallV1.isValidSignature(
            signer: test.bob.address,
            hash: order.hash.word,
            signature
        )
        #expect(try await call(test, other) == UInt256(0).bigEndianBytes)
        #expect(try await call(test, .zrxTokenContract) == TestChain.zrx.word.bytes)
        #expect(try await call(test, .tokenTransferProxyContract) == TestChain.proxy.word.bytes)
        #expect(try await call(test, .externalQueryGasLimit) == UInt256(4_999).bigEndianBytes)
        #expect(
            try ABI.decode(try await call(test, .version), as: [.string]) == [.string("1.0.0")]
        )
        let authorized = try await call(
            test,
            .authorized(TestChain.exchange),
            to: TestChain.proxy
        )
        #expect(authorized == UInt256(1).bigEndianBytes)
        let stranger = try await call(test, .authorized(TestChain.dai), to: TestChain.proxy)
        #expect(stranger == UInt256(0).bigEndianBytes)
        let all = try await call(test, .getAuthorizedAddresses, to: TestChain.proxy)
        #expect(
            try ABI.decode(all, as: [.array(.address)]) == [.array([.address(TestChain.exchange)])]
        )
    }

    @Test("a client's contract and readiness checks pass against this chain")
    func readiness() async throws {
        let test = try TestChain()
        let protocolV1 = ZeroExV1()
        var answers: [[UInt8]] = []
        for request in protocolV1.contractCalls(exchange: TestChain.exchange) {
            answers.append(try await test.client.call(request))
        }
        let contracts = try protocolV1.contracts(exchange: TestChain.exchange, answers: answers)
        #expect(contracts.transferContract == TestChain.proxy)
        #expect(contracts.feeToken == TestChain.zrx)
        var ready: [[UInt8]] = []
        for request in protocolV1.readinessCalls(contracts) {
            ready.append(try await test.client.call(request))
        }
        try protocolV1.checkReadiness(contracts, answers: ready)
    }

    @Test("the contract's arithmetic and the client's agree, where it fails too")
    func arithmetic() async throws {
        let test = try TestChain()
        var generator = SeededGenerator(seed: 1)
        let edges: [UInt256] = [0, 1, 2, 999, 1_000_000, ether, .max, .max - 1, 1 << 128]
        for round in 0..<300 {
            func next() -> UInt256 {
                if generator.next() % 3 == 0 {
                    return edges[Int(generator.next() % UInt64(edges.count))]
                }
                let bits = generator.next() % 256
                return UInt256(
                    w0: generator.next(),
                    w1: generator.next(),
                    w2: generator.next(),
                    w3: generator.next()
                ) >> UInt256(bits)
            }
            let (n, d, t) = (next(), next(), next())
            let partial = try? await call(
                test,
                .getPartialAmount(numerator: n, denominator: d, target: t)
            )
            let expected = FillMathV1.partialAmount(numerator: n, denominator: d, target: t)
            #expect(partial.flatMap { UInt256(bigEndian: $0) } == expected, "round \(round)")
        }
    }

    @Test("garbage selectors and ether burn all gas, as the build of 2017 does")
    func invalid() async throws {
        let test = try TestChain()
        for data in [[], [1], [0xde, 0xad, 0xbe, 0xef]] as [[UInt8]] {
            let receipt = try await test.send(
                from: test.alice,
                to: TestChain.exchange,
                data: data,
                gas: 123_456
            )
            #expect(!receipt.succeeded)
            #expect(receipt.gasUsed == 123_456)
        }
        let order = try test.order(by: test.makers[0])
        let paid = try await test.send(
            from: test.alice,
            to: TestChain.exchange,
            data: TestChain.fill(order, ether),
            value: 1,
            gas: 400_000
        )
        #expect(!paid.succeeded)
        #expect(paid.gasUsed == 400_000)
        #expect(try await test.etherBalance(TestChain.exchange) == 0)
    }

    @Test("an overflow and arrays that are too short burn all gas")
    func overflow() async throws {
        let test = try TestChain()
        let huge = try test.order(by: test.makers[0], makerAmount: .max, takerAmount: .max)
        let overflow = try await test.send(
            from: test.alice,
            to: TestChain.exchange,
            data: TestChain.fill(huge, 1 << 200),
            gas: 300_000
        )
        #expect(!overflow.succeeded)
        #expect(overflow.gasUsed == 300_000)
        let order = try test.order(by: test.makers[0])
        let short = ExchangeCallV1.batchFillOrders(
            ExchangeCallV1.Orders([order.terms, order.terms]),
            fills: [1],
            shouldThrow: false,
            ExchangeCallV1.Signatures([order.signature, order.signature])
        )
        let receipt = try await test.send(
            from: test.alice,
            to: TestChain.exchange,
            data: short.data,
            gas: 500_000
        )
        #expect(!receipt.succeeded)
        #expect(receipt.gasUsed == 500_000)
    }

    @Test("an array longer than the gas could copy burns all gas, whichever of them it is")
    func endlessArrays() async throws {
        let test = try TestChain()
        let order = try test.order(by: test.makers[0])
        let call = ExchangeCallV1.batchFillOrders(
            ExchangeCallV1.Orders([order.terms]),
            fills: [ether],
            shouldThrow: false,
            ExchangeCallV1.Signatures([order.signature])
        )
        for argument in [0, 1, 2, 4, 5, 6] {
            var data = call.data
            let word = data[(4 + 32 * argument)..<(36 + 32 * argument)]
            let pointer = Int(try #require(UInt256(bigEndian: word)?.uint64))
            // The sixth byte of the length from behind: 2^40 and more elements.
            data[4 + pointer + 32 - 6] = 1
            let receipt = try await test.send(
                from: test.alice,
                to: TestChain.exchange,
                data: data,
                gas: 500_000
            )
            #expect(!receipt.succeeded, "argument \(argument)")
            #expect(receipt.gasUsed == 500_000, "argument \(argument)")
        }
    }

    @Test("a batch that fails at its last order leaves nothing of the earlier ones")
    func rollback() async throws {
        let test = try TestChain()
        let good = try test.makers.prefix(3).map { try test.order(by: $0) }
        var bad = try test.order(by: test.makers[3])
        bad = SignedOrderV1(terms: bad.terms, signature: good[0].signature)
        let orders = good + [bad]
        let call = ExchangeCallV1.batchFillOrders(
            ExchangeCallV1.Orders(orders.map(\.terms)),
            fills: orders.map { _ in ether },
            shouldThrow: false,
            ExchangeCallV1.Signatures(orders.map(\.signature))
        )
        let receipt = try await test.send(
            from: test.alice,
            to: TestChain.exchange,
            data: call.data,
            gas: 1_000_000
        )
        #expect(!receipt.succeeded)
        #expect(receipt.logs.isEmpty)
        #expect(receipt.gasUsed < 1_000_000)
        for order in orders {
            let filled = try await self.call(test, .filled(order.hash))
            #expect(UInt256(bigEndian: filled) == 0)
            #expect(try await test.balance(TestChain.dai, order.maker) == 1_000 * ether)
        }
        #expect(try await test.balance(TestChain.weth, test.alice.address) == 1_000 * ether)
    }

    @Test("a proxy that somebody calls directly moves nothing")
    func directProxy() async throws {
        let test = try TestChain()
        let receipt = try await test.send(
            from: test.alice,
            to: TestChain.proxy,
            data: ERC20.call(
                "transferFrom(address,address,address,uint256)",
                TestChain.dai.word,
                test.makers[0].address.word,
                test.alice.address.word,
                ether.word
            )
        )
        #expect(!receipt.succeeded)
        #expect(try await test.balance(TestChain.dai, test.makers[0].address) == 1_000 * ether)
    }

    @Test("random trades conserve every token and, with what is burnt, all ether")
    func conservation() async throws {
        let test = try TestChain()
        var generator = SeededGenerator(seed: 7)
        let tokens = [TestChain.zrx, TestChain.weth, TestChain.dai, TestChain.usdt]
        let owners = [test.alice, test.bob] + test.makers
        var burnt: UInt256 = 0
        var fills = 0
        for round in 0..<120 {
            let maker = test.makers[Int(generator.next() % 10)]
            let pair = (
                tokens[Int(generator.next() % 4)],
                tokens[Int(generator.next() % 4)]
            )
            let order = try test.order(
                by: maker,
                sells: pair.0,
                for: pair.1,
                makerAmount: ether * UInt256(generator.next() % 400 + 1),
                takerAmount: ether * UInt256(generator.next() % 400 + 1),
                salt: UInt256(UInt64(round)),
                fees: generator.next() % 2 == 0
                    ? .none
                    : OrderFees(
                        recipient: TestChain.feeRecipient,
                        makerFee: ether,
                        takerFee: ether
                    )
            )
            let taker = generator.next() % 2 == 0 ? test.alice : test.bob
            let receipt = try await test.send(
                from: taker,
                to: TestChain.exchange,
                data: TestChain.fill(
                    order,
                    ether * UInt256(generator.next() % 400 + 1),
                    throwing: generator.next() % 2 == 0
                )
            )
            fills += receipt.logs.count > 1 ? 1 : 0
            let block = try #require(try await test.client.read(.block(.latest)))
            burnt += try #require(block.baseFeePerGas).rawValue * UInt256(receipt.gasUsed)
        }
        #expect(fills > 20)
        for token in tokens {
            var sum: UInt256 = 0
            for owner in owners.map(\.address) + [TestChain.feeRecipient] {
                sum += try await test.balance(token, owner)
            }
            #expect(sum == 12_000 * ether + 1)
        }
        var sum = burnt
        for owner in owners.map(\.address) + [TestChain.coinbase, TestChain.weth] {
            sum += try await test.etherBalance(owner)
        }
        #expect(sum == 1_200 * ether + 12_000 * ether + 1)
    }
}
