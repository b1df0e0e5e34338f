import Testing

@testable import DexNetwork
@testable import Ethereum

@Suite("logs and fee histories, read strictly")
struct LogDecodingTests: DecodingSuite {
    private func log(_ address: String, _ topics: [String], removed: Bool = false) -> String {
        let topics = topics.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"address":"\#(address)","topics":[\#(topics)],"data":"0x","removed":\#(removed)}"#
    }

    @Test("logs that the filter lets through, without removed ones")
    func logs() throws {
        let filter = LogFilter(
            fromBlock: .earliest,
            toBlock: .latest,
            addresses: [try Address(lenient: Self.address)],
            topics: [[], [try Bytes32(hex: Self.other), try Bytes32(hex: Self.hash)]]
        )
        let good = log(Self.address, [Self.hash, Self.hash])
        let removed = log(Self.address, [Self.hash, Self.hash], removed: true)
        let found = try Read.logs(filter).unwrap(answer(.logs(filter), "[\(good),\(removed)]"))
        #expect(found.count == 1)
        #expect(try answer(.logs(filter), "[]") == .logs([]))
        for bad in [
            log("0x" + String(repeating: "22", count: 20), [Self.hash, Self.hash]),
            log(Self.address, [Self.hash]),
            log(Self.address, [Self.hash, "0x" + String(repeating: "00", count: 32)]),
        ] {
            #expect(
                try nonsense(.logs(filter), "[\(bad)]") == "there is a log that was not asked for"
            )
        }
        let five = log(Self.address, [String](repeating: Self.hash, count: 5))
        #expect(try nonsense(.logs(filter), "[\(five)]") == "the log has more than 4 topics")
        #expect(try nonsense(.logs(filter), "{}") == "the list of logs is not a list")
    }

    @Test("logs of numbered blocks, and those that name no block")
    func logsOfRange() throws {
        let filter = LogFilter(fromBlock: .number(3), toBlock: .number(5))
        func logs(_ number: String) -> String {
            #"[{"address":"\#(Self.address)","topics":[],"data":"0x","blockNumber":\#(number)}]"#
        }
        for number in [#""0x3""#, #""0x5""#, "null"] {
            #expect(try Read.logs(filter).unwrap(answer(.logs(filter), logs(number))).count == 1)
        }
        for number in [#""0x2""#, #""0x6""#] {
            #expect(
                try nonsense(.logs(filter), logs(number)) == "there is a log that was not asked for"
            )
        }
    }

    @Test("of one block's logs, all name this block")
    func logsOfBlock() throws {
        let filter = LogFilter(block: BlockHash(try Bytes32(hex: Self.hash)))
        func log(_ block: String) -> String {
            #"[{"address":"\#(Self.address)","topics":[],"data":"0x","blockHash":\#(block)}]"#
        }
        let found = try Read.logs(filter).unwrap(answer(.logs(filter), log("\"\(Self.hash)\"")))
        #expect(found.map(\.blockHash) == [filter.blockHash])
        for block in ["\"\(Self.other)\"", "null"] {
            #expect(
                try nonsense(.logs(filter), log(block)) == "there is a log that was not asked for"
            )
        }
    }

    @Test("fees of past blocks, with and without tips")
    func feeHistory() throws {
        let read = Read.feeHistory(blocks: 2, percentiles: [20])
        let history = try read.unwrap(
            answer(
                read.question,
                """
                {"oldestBlock":"0x1","baseFeePerGas":["0x1","0x2","0x3"],"gasUsedRatio":[0.5,0.1],
                "reward":[["0x4"],["0x5"]]}
                """
            )
        )
        #expect(history.oldestBlock == 1)
        #expect(history.baseFeePerGas == [Wei(1), Wei(2), Wei(3)])
        #expect(history.rewards == [[Wei(4)], [Wei(5)]])
        let bare = try read.unwrap(
            answer(read.question, #"{"oldestBlock":"0x1","reward":null}"#)
        )
        #expect(bare == FeeHistory(oldestBlock: 1, baseFeePerGas: [], rewards: []))
    }

    @Test(
        "a row of tips that is empty, null, short or long keeps its place and counts for nothing",
        arguments: [
            "[]", "null", "[null]", #"["0x1","0x2"]"#, "7", #"["x"]"#, "{}",
        ]
    )
    func rowsWithoutTips(row: String) throws {
        let read = Read.feeHistory(blocks: 2, percentiles: [20])
        let json = #"{"oldestBlock":"0x1","baseFeePerGas":["0x1"],"reward":[\#(row),["0x5"]]}"#
        let history = try read.unwrap(answer(read.question, json))
        #expect(history.rewards == [[], [Wei(5)]])
        #expect(history.baseFeePerGas == [Wei(1)])
    }

    @Test("base fees with a hole are none", arguments: ["null", "7", #""x""#])
    func baseFeesWithHoles(fee: String) throws {
        let read = Read.feeHistory(blocks: 2, percentiles: [20])
        let json = #"{"oldestBlock":"0x1","baseFeePerGas":["0x1",\#(fee),"0x3"],"reward":null}"#
        let history = try read.unwrap(answer(read.question, json))
        #expect(history == FeeHistory(oldestBlock: 1, baseFeePerGas: [], rewards: []))
    }

    @Test(
        "fees for more blocks than asked for are nonsense",
        arguments: [
            (
                #"{"oldestBlock":"0x1","baseFeePerGas":["0x1","0x1","0x1","0x1"]}"#,
                "the fee history has more blocks than were asked for"
            ),
            (
                #"{"oldestBlock":"0x1","reward":[["0x1"],["0x1"],["0x1"]]}"#,
                "the fee history has more blocks than were asked for"
            ),
            (#"{"baseFeePerGas":[]}"#, "the fee history has no oldestBlock"),
            ("null", "the fee history is not an object"),
        ]
    )
    func badFees(json: String, reason: String) throws {
        #expect(try nonsense(.feeHistory(blocks: 2, percentiles: [20]), json) == reason)
    }
}
