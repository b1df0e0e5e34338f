import Ethereum
import Testing

@testable import ZeroEx

@Suite("v4 events and answers")
struct ExchangeLogV4Tests {
    static var logs: [ExchangeLogV4] {
        let hash = OrderHash(Bytes32(limbs: (1, 2, 3, 4)))
        let fill = ExchangeLogV4.Fill(
            orderHash: hash,
            maker: SampleOrder.address(1),
            taker: SampleOrder.address(2),
            makerToken: SampleOrder.address(3),
            takerToken: SampleOrder.address(4),
            amounts: FillAmountsV4(taker: .max, maker: 6),
            pool: UInt256(7).word
        )
        let fees = ExchangeLogV4.Fees(
            recipient: SampleOrder.address(8),
            takerTokenFee: 9,
            protocolFee: .max
        )
        let pair = PairCancelV4(
            makerToken: SampleOrder.address(3),
            takerToken: SampleOrder.address(4),
            minValidSalt: .max
        )
        let maker = SampleOrder.address(1)
        return [
            .limitOrderFilled(fill, fees), .rfqOrderFilled(fill),
            .orderCancelled(hash, maker: maker), .pairCancelledLimitOrders(maker: maker, pair),
            .pairCancelledRfqOrders(maker: maker, pair),
            .rfqOrderOriginsAllowed(origin: maker, [.zero, maker], allowed: true),
            .rfqOrderOriginsAllowed(origin: maker, [], allowed: false),
            .orderSignerRegistered(maker: maker, signer: .zero, allowed: true),
        ]
    }

    @Test("topics are those of the contract")
    func topics() throws {
        let topics: [ExchangeLogV4.Kind: String] = [
            .limitOrderFilled: "ab614d2b738543c0ea21f56347cf696a3a0c42a7cbec3212a5ca22a4dcff2124",
            .rfqOrderFilled: "829fa99d94dc4636925b38632e625736a614c154d55006b7ab6bea979c210c32",
            .orderCancelled: "a6eb7cdc219e1518ced964e9a34e61d68a94e4f1569db3e84256ba981ba52753",
            .pairCancelledLimitOrders:
                "a91fe7ae62fce669df2c7f880f8c14d178531aae72515558e5c948e37c32a572",
            .pairCancelledRfqOrders:
                "fe7ffb1edfe79f4df716cb2dcad21cf2f31b104d816a7976ba1e6e4653c1efb1",
            .rfqOrderOriginsAllowed:
                "02dfead5eb769b298e82dd9650b31c40559a3d42701dbf53c931bc2682847c31",
            .orderSignerRegistered:
                "6ea9dbe8b2cc119348716a9220a0742ad62b7884ecb0ff4b32cd508121fd9379",
        ]
        for kind in ExchangeLogV4.Kind.allCases {
            #expect(kind.topic.hex == "0x" + (try #require(topics[kind])))
            #expect(ExchangeLogV4.Kind(topic: kind.topic) == kind)
        }
        #expect(ExchangeLogV4.Kind(topic: .zero) == nil)
    }

    @Test("every event is read as it was written")
    func roundTrip() throws {
        #expect(Set(Self.logs.map(\.kind)) == Set(ExchangeLogV4.Kind.allCases))
        for log in Self.logs {
            let (topics, data) = log.encoded
            #expect(try ExchangeLogV4(topics: topics, data: data) == log)
        }
    }

    @Test("another contract's events are passed over, malformed ones of ours are errors")
    func malformed() throws {
        #expect(try ExchangeLogV4(topics: [], data: []) == nil)
        #expect(try ExchangeLogV4(topics: [.zero], data: [1]) == nil)
        #expect(try ExchangeLogV4(topics: [ExchangeLogV1.fillTopic], data: []) == nil)
        for log in Self.logs {
            let (topics, data) = log.encoded
            for length in 0..<data.count {
                #expect(throws: ExchangeError.self) {
                    try ExchangeLogV4(topics: topics, data: Array(data.prefix(length)))
                }
            }
            #expect(throws: ExchangeError.self) {
                try ExchangeLogV4(topics: topics, data: data + [UInt8](repeating: 0, count: 32))
            }
            #expect(throws: ExchangeError.self) {
                try ExchangeLogV4(topics: topics + [.zero], data: data)
            }
        }
        let topic = ExchangeLogV4.Kind.orderCancelled.topic
        let error = #expect(throws: ExchangeError.self) {
            try ExchangeLogV4(topics: [topic], data: [UInt8](repeating: 0xFF, count: 64))
        }
        #expect(error == .unreadableAnswer("a OrderCancelled is malformed"))
    }

    @Test("answers are read as they were written; a list that is shorter than another is refused")
    func answers() throws {
        let info = OrderInfoV4(
            orderHash: OrderHash(UInt256(1).word),
            status: .cancelled,
            filled: .max
        )
        let state = OrderRelevantStateV4(info: info, fillable: 5, isSignatureValid: true)
        let fill = FillAmountsV4(taker: 1, maker: .max)
        let answers: [(ExchangeFunctionV4, ExchangeAnswerV4)] = [
            (.fillLimitOrder, .fill(fill)), (.fillRfqOrder, .fill(fill)),
            (.fillOrKillLimitOrder, .fillOrKill(.max)),
            (.batchFillLimitOrders, .batchFill([fill, fill])),
            (.batchFillRfqOrders, .batchFill([])),
            (.cancelLimitOrder, .nothing), (.batchCancelRfqOrders, .nothing),
            (.registerAllowedRfqOrigins, .nothing), (.getLimitOrderInfo, .info(info)),
            (.getRfqOrderRelevantState, .relevantState(state)),
            (.batchGetLimitOrderRelevantStates, .batchRelevantStates([state, state])),
            (.getLimitOrderHash, .hash(info.orderHash)),
            (.getProtocolFeeMultiplier, .protocolFeeMultiplier(.max)),
            (.isValidOrderSigner, .isValidOrderSigner(true)),
        ]
        for (function, answer) in answers {
            #expect(try ExchangeAnswerV4(answer.data, of: function) == answer)
        }
        for (function, data) in [
            (.getProtocolFeeMultiplier, (UInt256(1) << 32).bigEndianBytes),
            (.getProtocolFeeMultiplier, []), (.cancelLimitOrder, [0]),
            (.isValidOrderSigner, UInt256(2).bigEndianBytes),
            (.fillOrKillLimitOrder, (UInt256(1) << 128).bigEndianBytes),
            (
                .getLimitOrderInfo,
                Bytes32.zero.bytes + UInt256(5).bigEndianBytes + Bytes32.zero.bytes
            ),
        ] as [(ExchangeFunctionV4, [UInt8])] {
            #expect(
                throws: ExchangeError.unreadableAnswer(
                    "\(data.count) bytes returned by \(function.name)"
                )
            ) { try ExchangeAnswerV4(data, of: function) }
        }
        // Two lists, the second without elements.
        var writer = ContractDataWriter()
        writer.put(array: [UInt256(1).word])
        writer.put(array: [])
        #expect(throws: ExchangeError.self) {
            try ExchangeAnswerV4(writer.finished, of: .batchFillLimitOrders)
        }
        writer.put(array: [])
        #expect(throws: ExchangeError.self) {
            try ExchangeAnswerV4(writer.finished, of: .batchGetLimitOrderRelevantStates)
        }
    }

    @Test("the words for a status")
    func statusWords() {
        #expect(
            OrderStatusV4.allCases.map(\.words)
                == ["invalid", "fillable", "filled", "cancelled", "expired"]
        )
    }
}
