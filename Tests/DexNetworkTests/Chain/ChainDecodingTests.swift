import StrictJSON
import Testing

@testable import DexNetwork
@testable import Ethereum

@Suite("what nodes answer, read strictly")
struct ChainDecodingTests: DecodingSuite {
    private static let max256 = "0x" + String(repeating: "f", count: 64)

    private func transactionHash() throws -> TransactionHash {
        try TransactionHash(hex: Self.hash)
    }

    @Test("numbers, amounts and bytes")
    func scalars() throws {
        let here = BlockTag.latest
        #expect(try answer(.chainID, #""0x539""#) == .number(1337))
        #expect(
            try answer(.blockNumber, #""0x7fffffffffffffff""#) == .number(UInt64(Int64.max))
        )
        #expect(try answer(.transactionCount(.zero, here), #""0x0""#) == .number(0))
        let call = CallRequest(to: .zero, data: [])
        #expect(try answer(.estimateGas(call), #""0x005208""#) == .number(21_000))
        #expect(try answer(.balance(.zero, here), "\"\(Self.max256)\"") == .wei(Wei(.max)))
        #expect(try answer(.gasPrice, #""0x3b9aca00""#) == .wei(Wei(1_000_000_000)))
        #expect(try answer(.maxPriorityFeePerGas, #""0x1""#) == .wei(Wei(1)))
        #expect(try answer(.call(call, here), #""0x""#) == .bytes([]))
        #expect(try answer(.code(.zero, here), #""0x60FF""#) == .bytes([0x60, 0xFF]))
    }

    @Test("a block with its transactions: who pays whom, and the call data if the node returns it")
    func fullBlock() throws {
        let header =
            #""number":"0x5","hash":"\#(Self.hash)","parentHash":"\#(Self.hash)","#
            + #""timestamp":"0x1","gasLimit":"0x1","gasUsed":"0x0""#
        let sender = "0x" + String(repeating: "11", count: 20)
        let payment =
            #"{"hash":"\#(Self.hash)","from":"\#(sender)","to":null,"value":"0x7","#
            + #""type":"0x7e","sourceHash":"anything"}"#
        let read = ChainRead.fullBlock(.number(5))
        guard
            case .fullBlock(let block?) = try answer(
                read,
                #"{\#(header),"transactions":[\#(payment)]}"#
            )
        else {
            Issue.record("no block was read")
            return
        }
        #expect(block.block.number == 5)
        #expect(
            block.transactions == [
                BlockTransaction(
                    hash: try transactionHash(),
                    from: try Address(lenient: sender),
                    to: nil,
                    value: Wei(7),
                    data: nil
                )
            ]
        )
        let call = payment.replacing(#""value""#, with: #""input":"0xa9059cbb","value""#)
        guard
            case .fullBlock(let called?) = try answer(
                read,
                #"{\#(header),"transactions":[\#(call)]}"#
            )
        else {
            Issue.record("no block was read")
            return
        }
        #expect(called.transactions.first?.data == [0xA9, 0x05, 0x9C, 0xBB])
        let odd = payment.replacing(#""value""#, with: #""input":"0xa","value""#)
        #expect(try nonsense(read, #"{\#(header),"transactions":[\#(odd)]}"#) != nil)
        #expect(try answer(read, "null") == .fullBlock(nil))
        // Only the hashes, none at all, one twice, another block.
        for list in [#"["\#(Self.hash)"]"#, "null", "[\(payment),\(payment)]", "[{}]"] {
            #expect(try nonsense(read, #"{\#(header),"transactions":\#(list)}"#) != nil, "\(list)")
        }
        #expect(try nonsense(read, "{\(header)}") != nil)
        let other = ChainRead.fullBlock(.number(6))
        #expect(try nonsense(other, #"{\#(header),"transactions":[]}"#) != nil)
    }

    @Test(
        "what is no number of 256 bits is nonsense",
        arguments: [
            #""0x1ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff""#,
            #""0x""#, #""12""#, "12", "null", "true", "[]", #""""#, #""0xg""#, #""-0x1""#,
            #""0x-1""#,
            #"" 0x1""#, "1e3",
        ]
    )
    func badAmounts(json: String) throws {
        #expect(
            try nonsense(.gasPrice, json)
                == "the gas price is not a number of at most 256 bits in hexadecimal"
        )
        #expect(try nonsense(.chainID, json) != nil)
    }

    @Test("what needs more than 64 bits does not pass for a chain id, a nonce or gas")
    func tooLong() throws {
        #expect(
            try nonsense(.chainID, #""0x10000000000000000""#)
                == "the chain id does not fit into 64 bits"
        )
        #expect(
            try nonsense(.transactionCount(.zero, .latest), "\"\(Self.max256)\"")
                == "the transaction count does not fit into 64 bits"
        )
    }

    @Test("numbers that no chain reaches are nonsense: blocks, transactions, seconds, gas used")
    func beyondAnyChain() throws {
        let huge = #""0xffffffffffffffff""#
        for (read, name) in [
            (ChainRead.blockNumber, "the block number"),
            (.transactionCount(.zero, .latest), "the transaction count"),
        ] {
            #expect(try nonsense(read, huge) == "\(name) does not fit into 63 bits")
            #expect(try nonsense(read, #""0x8000000000000000""#) != nil)
        }
        for name in ["number", "timestamp", "gasUsed"] {
            let json = try block { $0[name] = .string("0xffffffffffffffff") }
            #expect(
                try nonsense(.block(.latest), json)
                    == "the block's \(name) does not fit into 63 bits"
            )
        }
        let full = try block { $0["gasUsed"] = .string("0x1c9c381") }
        #expect(
            try nonsense(.block(.latest), full) == "block 16 uses more gas than its limit"
        )
    }

    @Test(
        "what is no bytes is nonsense",
        arguments: [#""0x1""#, #""60""#, #""0xzz""#, "null", "7", "{}"]
    )
    func badBytes(json: String) throws {
        #expect(
            try nonsense(.call(CallRequest(to: .zero, data: []), .latest), json)
                == "the result of the call is not bytes in hexadecimal"
        )
    }

    // MARK: Blocks

    private func block(_ change: (inout JSONObject) -> Void = { _ in }) throws -> String {
        let json = try JSONParser.parse(
            text: """
                {"number":"0x10","hash":"\(Self.hash)","parentHash":"\(Self.other)",
                "timestamp":"0x65540f00","baseFeePerGas":"0x7","gasLimit":"0x1c9c380",
                "gasUsed":"0x5208","transactions":[],"uncles":[]}
                """
        )
        guard case .object(var object) = json else { return "" }
        change(&object)
        return JSONValue.object(object).text
    }

    @Test("a block that is asked for by its hash has this hash")
    func blockByHash() throws {
        let json = try block { _ in }
        guard case .block(let found?) = try answer(.block(.latest), json) else {
            Issue.record("no block was read")
            return
        }
        #expect(try answer(.block(.hash(found.hash)), json) == .block(found))
        #expect(try answer(.block(.hash(found.hash)), "null") == .block(nil))
        let other = BlockHash(Bytes32.zero)
        #expect(
            try nonsense(.block(.hash(other)), json)
                == "it is block \(found.hash), but block \(other) was asked for"
        )
    }

    @Test("a block with what is read of it; none is nil")
    func block() throws {
        let expected = Block(
            number: 16,
            hash: BlockHash(try Bytes32(hex: Self.hash)),
            parentHash: BlockHash(try Bytes32(hex: Self.other)),
            timestamp: 0x6554_0F00,
            baseFeePerGas: Wei(7),
            gasLimit: 30_000_000,
            gasUsed: 21_000
        )
        #expect(try answer(.block(.latest), block()) == .block(expected))
        #expect(try answer(.block(.number(16)), block()) == .block(expected))
        #expect(try answer(.block(.number(16)), "null") == .block(nil))
        let old = try Read.block(.latest).unwrap(
            answer(.block(.latest), block { $0["baseFeePerGas"] = nil })
        )
        #expect(old != nil)
        #expect(old?.baseFeePerGas == nil)
    }

    @Test("another block than the one asked for is nonsense")
    func otherBlock() throws {
        #expect(
            try nonsense(.block(.number(17)), block())
                == "it is block 16, but block 17 was asked for"
        )
    }

    @Test(
        "a block that lacks something or has it wrong is nonsense",
        arguments: ["number", "hash", "parentHash", "timestamp", "gasLimit", "gasUsed"]
    )
    func badBlock(member: String) throws {
        #expect(
            try nonsense(.block(.latest), block { $0[member] = nil })
                == "the block has no \(member)"
        )
        #expect(
            try nonsense(.block(.latest), block { $0[member] = .null })
                == "the block has no \(member)"
        )
        for value in ["0x", "0xzz", "\u{1B}[2J", Self.max256 + "f"] {
            #expect(try nonsense(.block(.latest), block { $0[member] = .string(value) }) != nil)
        }
        #expect(try nonsense(.block(.latest), block { $0[member] = 7 }) != nil)
        #expect(try nonsense(.block(.latest), "[]") == "the block is not an object")
    }

    // MARK: Receipts and transactions

    private func receipt(_ change: (inout JSONObject) -> Void = { _ in }) throws -> String {
        let json = try JSONParser.parse(
            text: """
                {"transactionHash":"\(Self.hash)","blockNumber":"0x2","blockHash":"\(Self.other)",
                "from":"\(Self.address)","to":null,"status":"0x1","gasUsed":"0x5208",
                "effectiveGasPrice":"0x9","contractAddress":"\(Self.address)","logs":[
                {"address":"\(Self.address)","topics":["\(Self.other)"],"data":"0x01",
                "blockNumber":"0x2","blockHash":"\(Self.other)","transactionHash":"\(Self.hash)",
                "logIndex":"0x3","removed":false}]}
                """
        )
        guard case .object(var object) = json else { return "" }
        change(&object)
        return JSONValue.object(object).text
    }

    @Test("a receipt with its logs; none is nil")
    func receipt() throws {
        let read = ChainRead.receipt(try transactionHash())
        let unwrap = Read.receipt(try transactionHash()).unwrap
        let receipt = try #require(try unwrap(answer(read, receipt())))
        #expect(receipt.transactionHash == (try transactionHash()))
        #expect(receipt.succeeded)
        #expect(receipt.to == nil)
        #expect(receipt.gasUsed == 21_000)
        #expect(receipt.effectiveGasPrice == Wei(9))
        #expect(receipt.logs.count == 1)
        #expect(receipt.logs[0].topics == [try Bytes32(hex: Self.other)])
        #expect(receipt.logs[0].data == [1])
        #expect(receipt.logs[0].logIndex == 3)
        let failed = try unwrap(answer(read, self.receipt { $0["status"] = "0x0" }))
        #expect(failed?.succeeded == false)
        #expect(try answer(read, "null") == .receipt(nil))
    }

    @Test("what a rollup took beside gas is the data fee and the operator fee of its fork")
    func rollupReceipt() throws {
        func fee(_ members: [String: String]) throws -> Wei? {
            let read = ChainRead.receipt(try transactionHash())
            let json = try receipt { object in
                for (name, value) in members { object[name] = .string(value) }
            }
            let unwrap = Read.receipt(try transactionHash()).unwrap
            let receipt = try #require(try unwrap(answer(read, json)))
            let gas = Wei(9).multiplied(by: 21_000)
            #expect(
                receipt.networkFee(hasRollupFee: false)
                    == gas?.adding(receipt.rollupFee ?? .zero)
            )
            #expect(
                (receipt.networkFee(hasRollupFee: true) == nil) == (receipt.rollupFee == nil)
            )
            return receipt.rollupFee
        }
        #expect(try fee([:]) == nil)
        #expect(try fee(["l1Fee": "0x64"]) == Wei(100))
        // 21,000 x 2,000,000 / 10^6 + 7
        let isthmus = [
            "l1Fee": "0x64", "operatorFeeScalar": "0x1e8480", "operatorFeeConstant": "0x7",
        ]
        #expect(try fee(isthmus) == Wei(42_107))
        // 21,000 x 3 x 100 + 7; the footprint is no payment.
        let jovian = [
            "l1Fee": "0x64", "operatorFeeScalar": "0x3", "operatorFeeConstant": "0x7",
            "daFootprintGasScalar": "0x190", "blobGasUsed": "0xffffff",
        ]
        #expect(try fee(jovian) == Wei(6_300_107))
        #expect(throws: ChainError.self) {
            try fee([
                "l1Fee": "0x1", "daFootprintGasScalar": "0x1",
                "operatorFeeScalar": "0x" + String(repeating: "f", count: 64),
            ])
        }
        #expect(throws: ChainError.self) { try fee(["l1Fee": "x"]) }
    }

    @Test("the receipt of another transaction is never taken for ours")
    func otherReceipt() throws {
        let read = ChainRead.receipt(try transactionHash())
        #expect(
            try nonsense(read, receipt { $0["transactionHash"] = .string(Self.other) })
                == "it is the receipt of another transaction than the one asked for"
        )
        #expect(
            try nonsense(
                read,
                receipt { receipt in
                    guard case .array(var logs)? = receipt["logs"], case .object(var log) = logs[0]
                    else { return }
                    log["transactionHash"] = .string(Self.other)
                    logs[0] = .object(log)
                    receipt["logs"] = .array(logs)
                }
            ) == "the receipt has a log of another transaction"
        )
    }

    @Test("a receipt without a clear status is nonsense")
    func badStatus() throws {
        let read = ChainRead.receipt(try transactionHash())
        #expect(
            try nonsense(read, receipt { $0["status"] = "0x2" })
                == "the receipt's status is neither 0 nor 1"
        )
        #expect(
            try nonsense(read, receipt { $0["status"] = nil }) == "the receipt has no status"
        )
        #expect(try nonsense(read, receipt { $0["status"] = true }) != nil)
        for member in ["blockNumber", "blockHash", "from", "gasUsed", "logs"] {
            #expect(
                try nonsense(read, receipt { $0[member] = nil }) == "the receipt has no \(member)"
            )
        }
        #expect(
            try nonsense(read, receipt { $0["logs"] = 1 }) == "the receipt's logs is not a list"
        )
    }

    @Test("a transaction, pending or mined")
    func transaction() throws {
        let read = ChainRead.transaction(try transactionHash())
        let pending = """
            {"hash":"\(Self.hash)","from":"\(Self.address)","to":"\(Self.address)","nonce":"0x5",
            "value":"0xde0b6b3a7640000","gas":"0x5208","input":"0xa9059cbb","blockNumber":null,
            "blockHash":null}
            """
        let unwrap = Read.transaction(try transactionHash()).unwrap
        let transaction = try #require(try unwrap(answer(read, pending)))
        #expect(transaction.nonce == 5)
        #expect(transaction.value == Wei(1_000_000_000_000_000_000))
        #expect(transaction.data == [0xA9, 0x05, 0x9C, 0xBB])
        #expect(transaction.blockNumber == nil)
        #expect(try answer(read, "null") == .transaction(nil))
        #expect(
            try nonsense(.transaction(try TransactionHash(hex: Self.other)), pending)
                == "it is another transaction than the one that was asked for"
        )
    }
}
