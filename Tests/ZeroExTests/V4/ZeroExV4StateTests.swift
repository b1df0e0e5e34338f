import Ethereum
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("v4 tells where orders stand, and what happened to them")
struct ZeroExV4StateTests {
    static let zeroEx = ZeroExV4(domain: SamplesV4.domain, signatureKind: .ethSign)
    static let contracts = contracts(SamplesV4.domain.exchange)

    private static func contracts(_ exchange: Address) -> ExchangeContracts {
        ExchangeContracts(exchange: exchange, transferContract: exchange, feeToken: nil)
    }

    static func order(salt: UInt64, maker: Address = SampleOrder.address(0xA1)) -> SignedOrderV4 {
        var terms = SamplesV4.limit
        terms.salt = UInt256(salt)
        terms.maker = maker
        return SignedOrderV4(
            terms: terms,
            domain: SamplesV4.domain,
            signature: SamplesV4.signature
        )
    }

    static func state(
        _ order: SignedOrderV4,
        _ status: OrderStatusV4,
        filled: UInt128 = 0,
        isSignatureValid: Bool = true
    ) -> OrderRelevantStateV4 {
        OrderRelevantStateV4(
            info: OrderInfoV4(orderHash: order.hash, status: status, filled: filled),
            fillable: 0,
            isSignatureValid: isSignatureValid
        )
    }

    static let zeros = OrderRelevantStateV4(
        info: OrderInfoV4(orderHash: OrderHash(.zero), status: .invalid, filled: 0),
        fillable: 0,
        isSignatureValid: false
    )

    @Test("a type of signature that a contract may not know never stands in the call")
    func unknownTypes() throws {
        let orders = (0...255).map { type in
            SignedOrderV4(
                terms: SamplesV4.limit,
                domain: SamplesV4.domain,
                signature: SignatureV4(
                    type: UInt8(type),
                    v: 27,
                    r: UInt256(1).word,
                    s: UInt256(2).word
                )
            )
        }
        let calls = Self.zeroEx.stateCalls(
            of: orders,
            contracts: Self.contracts,
            detail: .remaining
        )
        var types: [UInt8] = []
        for call in calls {
            guard
                case .limit(.batchRelevantStates(_, let signatures)) =
                    try ExchangeCallV4(data: call.data)
            else {
                Issue.record("another call")
                continue
            }
            types += signatures.map(\.type)
        }
        #expect(Array(types.prefix(4)) == [0, 1, 2, 3])
        #expect(types.dropFirst(4).allSatisfy { $0 == 0 })
        #expect(types.count == 256)
    }

    @Test("the books of the vectors are asked for, and read, as the contract has them")
    func vectors() throws {
        let domain = ExchangeDomainV4(
            chainID: try #require(try Vectors.calldataV4.number("chainId").uint64),
            exchange: try Vectors.calldataV4.address("exchangeProxy")
        )
        let zeroEx = ZeroExV4(domain: domain, signatureKind: .eip712)
        var books = 0
        var statuses: [OrderStatus] = []
        for vector in try Vectors.calldataV4.array("calls") {
            let data = try vector.bytes("calldata")
            guard
                case .limit(.batchRelevantStates(let terms, let signatures)) =
                    try ExchangeCallV4(data: data), !terms.isEmpty
            else { continue }
            books += 1
            let orders = zip(terms, signatures).map { terms, signature in
                SignedOrderV4(terms: terms, domain: domain, signature: signature)
            }
            for detail in [StateDetail.remaining, .full] {
                let calls = zeroEx.stateCalls(
                    of: orders,
                    contracts: Self.contracts(domain.exchange),
                    detail: detail
                )
                #expect(calls == [CallRequest(to: domain.exchange, data: data)])
            }
            let answer = try #require(vector["returns"]).bytes("data")
            let states = try zeroEx.states(of: orders, answers: [answer], detail: .full)
            #expect(states.allSatisfy { $0.cancelled == 0 })
            #expect(
                zip(orders, states).allSatisfy { $0.takerAmount == $1.filled + $1.remaining }
            )
            statuses += states.map(\.status)
        }
        #expect(books == 2)
        #expect(statuses == [.open, .open, .expired, .open])
    }

    @Test("a status is a state: a cancel takes the rest, and what is expired is not cancelled")
    func statuses() throws {
        let order = Self.order(salt: 1)
        func read(_ state: OrderRelevantStateV4) throws -> OrderState? {
            let answer = ExchangeAnswerV4.batchRelevantStates([state]).data
            return try Self.zeroEx.states(of: [order], answers: [answer], detail: .full).first
        }
        #expect(
            try read(Self.state(order, .fillable, filled: 100))
                == OrderState(filled: 100, cancelled: 0, remaining: 2_900, status: .open)
        )
        #expect(
            try read(Self.state(order, .filled, filled: 3_000))
                == OrderState(filled: 3_000, cancelled: 0, remaining: 0, status: .filled)
        )
        #expect(
            try read(Self.state(order, .cancelled, filled: 100))
                == OrderState(filled: 100, cancelled: 2_900, remaining: 0, status: .cancelled)
        )
        #expect(
            try read(Self.state(order, .expired, filled: 100))
                == OrderState(filled: 100, cancelled: 0, remaining: 2_900, status: .expired)
        )
        // Zeros are no unfilled order, and neither is what somebody else signed.
        for (state, rejection) in [
            // A call that failed, of a signature that can be read: by the maker token.
            (Self.zeros, .failingToken(order.makerToken)),
            (Self.state(order, .fillable, isSignatureValid: false), .badSignature),
            (Self.state(order, .invalid), .badSignature),
        ] as [(OrderRelevantStateV4, OrderRejection)] {
            #expect(try read(state)?.status == .rejected(rejection))
            #expect(try read(state)?.remaining == 0)
        }
    }

    @Test("a contract that knows an order by another hash is not the one of the chain")
    func otherHash() throws {
        let order = Self.order(salt: 1)
        let answer = ExchangeAnswerV4.batchRelevantStates([
            Self.state(Self.order(salt: 2), .fillable)
        ])
        #expect(throws: ExchangeError.self) {
            try Self.zeroEx.states(of: [order], answers: [answer.data], detail: .full)
        }
    }

    @Test("a large book is read by few calls of bounded size, each order in its place")
    func chunks() throws {
        let orders = (1...1_000).map { Self.order(salt: $0) }
        let calls = Self.zeroEx.stateCalls(
            of: orders,
            contracts: Self.contracts,
            detail: .remaining
        )
        #expect(calls.count == 4)
        #expect(calls.allSatisfy { $0.data.count <= 128 * 1_024 })
        let answers = try calls.map { call -> [UInt8] in
            guard
                case .limit(.batchRelevantStates(let terms, _)) =
                    try ExchangeCallV4(data: call.data)
            else { return [] }
            let states = terms.map { terms in
                Self.state(
                    Self.order(salt: terms.salt.uint64 ?? 0),
                    .fillable,
                    filled: terms.salt.uint128 ?? 0
                )
            }
            return ExchangeAnswerV4.batchRelevantStates(states).data
        }
        let states = try Self.zeroEx.states(of: orders, answers: answers, detail: .full)
        #expect(states.map(\.filled) == orders.map(\.salt))
        #expect(
            Self.zeroEx.stateCalls(of: [], contracts: Self.contracts, detail: .full).isEmpty
        )
        #expect(try Self.zeroEx.states(of: [], answers: [], detail: .full).isEmpty)
        var wrong = answers
        wrong.swapAt(0, 3)
        let hostile: [[[UInt8]]] = [
            [], Array(answers.dropLast()), answers + [[]], wrong,
            answers.dropLast() + [[]],
            answers.dropLast() + [Array((answers.last ?? []).dropLast(32))],
        ]
        for answers in hostile {
            #expect(throws: ExchangeError.self) {
                try Self.zeroEx.states(of: orders, answers: answers, detail: .full)
            }
        }
    }

    private static func log(_ event: ExchangeLogV4, of address: Address? = nil) -> Log {
        let (topics, data) = event.encoded
        return Log(
            address: address ?? SamplesV4.domain.exchange,
            topics: topics,
            data: data
        )
    }

    @Test("fills, cancels and cancels of a pair are told; what moved nothing is no fill")
    func events() throws {
        let order = Self.order(salt: 1)
        let terms = order.terms
        func fill(_ taker: UInt128, _ maker: UInt128) -> ExchangeLogV4 {
            .limitOrderFilled(
                ExchangeLogV4.Fill(
                    orderHash: order.hash,
                    maker: terms.maker,
                    taker: SampleOrder.address(9),
                    makerToken: terms.makerToken,
                    takerToken: terms.takerToken,
                    amounts: FillAmountsV4(taker: taker, maker: maker),
                    pool: .zero
                ),
                ExchangeLogV4.Fees(
                    recipient: terms.feeRecipient,
                    takerTokenFee: 3,
                    protocolFee: 77
                )
            )
        }
        let pair = PairCancelV4(
            makerToken: terms.makerToken,
            takerToken: terms.takerToken,
            minValidSalt: 2
        )
        let reported = PairCancel(
            maker: terms.maker,
            makerToken: terms.makerToken,
            takerToken: terms.takerToken,
            minimumSalt: 2
        )
        let events = try Self.zeroEx.events(
            in: [
                Self.log(fill(300, 100)), Self.log(fill(0, 0)),
                Self.log(fill(5, 5), of: SampleOrder.address(1)),
                Self.log(.orderCancelled(order.hash, maker: terms.maker)),
                Self.log(.pairCancelledLimitOrders(maker: terms.maker, pair)),
                Self.log(.pairCancelledRfqOrders(maker: terms.maker, pair)),
                Log(address: SamplesV4.domain.exchange, topics: [.zero], data: []),
            ],
            exchange: SamplesV4.domain.exchange
        )
        #expect(
            events == [
                .filled(
                    FillEvent(
                        orderHash: order.hash,
                        maker: terms.maker,
                        taker: SampleOrder.address(9),
                        feeRecipient: terms.feeRecipient,
                        makerToken: terms.makerToken,
                        takerToken: terms.takerToken,
                        makerAmount: 100,
                        takerAmount: 300,
                        makerFee: 0,
                        takerFee: 3,
                        protocolFee: 77
                    )
                ),
                .skipped(order.hash, .nothingMoved),
                .cancelSeen(order.hash, maker: terms.maker),
                .pairCancelled(reported),
            ]
        )
        #expect(events.map(\.maker) == [terms.maker, nil, terms.maker, terms.maker])
        #expect(events[0].concerns(SampleOrder.address(9)))
        #expect(!events[0].concerns(terms.feeRecipient) && !events[1].concerns(terms.maker))
        #expect(reported.covers(order) && !reported.covers(Self.order(salt: 2)))
        #expect(!reported.covers(Self.order(salt: 1, maker: SampleOrder.address(0xB1))))
    }

    @Test("an event of the exchange that cannot be read is an error")
    func malformed() {
        var log = Self.log(.orderCancelled(OrderHash(.zero), maker: .zero))
        log = Log(address: log.address, topics: log.topics, data: Array(log.data.dropLast()))
        #expect(throws: ExchangeError.self) {
            try Self.zeroEx.events(in: [log], exchange: SamplesV4.domain.exchange)
        }
    }

    @Test("every event of the vectors' orders passes the filter, whoever is asked for")
    func filter() throws {
        let filter = Self.zeroEx.eventFilter(
            maker: SampleOrder.address(1),
            from: .number(1),
            to: .number(9),
            exchange: SamplesV4.domain.exchange
        )
        #expect(!Self.zeroEx.findsMakersInLogs)
        #expect(filter.addresses == [SamplesV4.domain.exchange])
        #expect(filter.topics.count == 1)
        var passed = 0
        for vector in try Vectors.calldataV4.array("calls") {
            for log in vector["logs"]?.arrayValue ?? [] {
                let topic = try Bytes32(hex: try log.array("topics").first?.stringValue ?? "")
                #expect(filter.topics[0].contains(topic))
                passed += 1
            }
        }
        #expect(passed == 13)
    }
}
