import Ethereum
import Testing

@testable import ZeroEx

@Suite("v1 events")
struct ExchangeLogV1Tests {
    private let zeroEx = ZeroExV1()
    private let contracts = ExchangeContracts(
        exchange: SampleOrder.address(0xE1),
        transferContract: SampleOrder.address(0xE2),
        feeToken: SampleOrder.address(0xE3)
    )

    private var logs: [ExchangeLogV1] {
        let hash = OrderHash(Bytes32(limbs: (1, 2, 3, 4)))
        let fill = FillEvent(
            orderHash: hash,
            maker: SampleOrder.address(1),
            taker: SampleOrder.address(2),
            feeRecipient: SampleOrder.address(3),
            makerToken: SampleOrder.address(4),
            takerToken: SampleOrder.address(5),
            makerAmount: 6,
            takerAmount: .max,
            makerFee: 8,
            takerFee: 9
        )
        let cancel = CancelEvent(
            orderHash: hash,
            maker: SampleOrder.address(1),
            makerToken: SampleOrder.address(5),
            takerToken: SampleOrder.address(6),
            makerAmount: 2,
            takerAmount: 3
        )
        return [
            .fill(fill),
            .cancel(
                .init(
                    event: cancel,
                    feeRecipient: SampleOrder.address(4)
                )
            ),
            .error(.insufficientFunds, hash),
        ]
    }

    @Test("topics are the hashes of the events' signatures")
    func topics() {
        let signatures: [(Bytes32, String)] = [
            (
                ExchangeLogV1.fillTopic,
                "LogFill(address,address,address,address,address,uint256,uint256,uint256,uint256,"
                    + "bytes32,bytes32)"
            ),
            (
                ExchangeLogV1.cancelTopic,
                "LogCancel(address,address,address,address,uint256,uint256,bytes32,bytes32)"
            ),
            (ExchangeLogV1.errorTopic, "LogError(uint8,bytes32)"),
        ]
        for (topic, signature) in signatures {
            #expect(Keccak256.hash(signature.utf8) == topic)
        }
    }

    @Test("events are read as they were written")
    func roundTrip() throws {
        for log in logs {
            let (topics, data) = log.encoded
            #expect(try ExchangeLogV1(topics: topics, data: data) == log)
        }
    }

    @Test("every truncation of data or topics, and every byte too many, throws")
    func truncations() throws {
        for log in logs {
            let (topics, data) = log.encoded
            for length in data.indices {
                #expect(throws: ExchangeError.self) {
                    try ExchangeLogV1(topics: topics, data: Array(data.prefix(length)))
                }
            }
            #expect(throws: ExchangeError.self) {
                try ExchangeLogV1(topics: topics, data: data + [0])
            }
            #expect(throws: ExchangeError.self) {
                try ExchangeLogV1(topics: topics + [.zero], data: data)
            }
            for length in topics.indices.dropFirst() {
                #expect(throws: ExchangeError.self) {
                    try ExchangeLogV1(topics: Array(topics.prefix(length)), data: data)
                }
            }
        }
        #expect(try ExchangeLogV1(topics: [], data: []) == nil)
        #expect(try ExchangeLogV1(topics: [.zero], data: [1, 2, 3]) == nil)
    }

    @Test("a flipped bit throws, or gives an event that encodes to just these bytes")
    func bitFlips() throws {
        for log in logs {
            let (topics, data) = log.encoded
            for bit in 0..<(8 * data.count) {
                var flipped = data
                flipped[bit / 8] ^= 1 << (bit % 8)
                guard let read = try? ExchangeLogV1(topics: topics, data: flipped) else { continue }
                #expect(read.encoded.data == flipped)
                #expect(read != log)
            }
            for (index, topic) in topics.enumerated().dropFirst() {
                for bit in 0..<256 {
                    var flipped = topics
                    flipped[index] = (UInt256(topic) ^ (UInt256(1) << bit)).word
                    guard let read = try? ExchangeLogV1(topics: flipped, data: data) else {
                        continue
                    }
                    #expect(read.encoded.topics == flipped)
                    #expect(read != log)
                }
            }
        }
    }

    @Test("a LogError with an id that the contract does not have is an error")
    func unknownErrorID() {
        let topics = [ExchangeLogV1.errorTopic, UInt256(4).word, .zero]
        #expect(throws: ExchangeError.unreadableAnswer("a LogError is malformed")) {
            try ExchangeLogV1(topics: topics, data: [])
        }
    }

    @Test("logs of other contracts and other events are passed over, broken ones of ours are not")
    func foreignLogs() throws {
        let (topics, data) = logs[0].encoded
        let foreign = Log(address: SampleOrder.address(0x99), topics: topics, data: data)
        let other = Log(address: contracts.exchange, topics: [.zero], data: [])
        let bare = Log(address: contracts.exchange, topics: [], data: [])
        let ours = Log(address: contracts.exchange, topics: topics, data: data)
        let events = try zeroEx.events(
            in: [foreign, other, bare, ours],
            exchange: contracts.exchange
        )
        #expect(events.count == 1)
        let broken = Log(address: contracts.exchange, topics: topics, data: [])
        #expect(throws: ExchangeError.unreadableAnswer("a LogFill is malformed")) {
            try zeroEx.events(in: [ours, broken], exchange: contracts.exchange)
        }
        #expect(
            ExchangeError.unreadableAnswer("a LogFill is malformed").description
                == "The exchange's answer cannot be read: a LogFill is malformed."
        )
    }
}
