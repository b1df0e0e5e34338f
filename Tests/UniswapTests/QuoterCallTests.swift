import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@testable import Uniswap

@Suite("Calls of the quoter, against the genuine contract's")
struct QuoterCallTests {
    /// A leg of the executed scenarios that the quoter was asked for without a price limit.
    struct Question {
        let name: String
        let path: PoolPath
        let amount: PoolAmount
        let quote: JSONValue
        let pools: [JSONValue]

        var isOK: Bool { quote["ok"]?.boolValue == true }
        var call: QuoterCall? { QuoterCall(path, amount) }

        init?(_ name: String, _ leg: JSONValue) throws {
            guard leg["limit"] == nil, let quote = leg["quote"], quote["data"] != nil else {
                return nil
            }
            let tokens = try leg.list("tokens").map { try Address(lenient: $0.stringValue ?? "") }
            let kinds = try leg.list("fees").map { fee in
                PoolKind.v3(fee: try #require(fee.numberText.flatMap { UInt32($0) }))
            }
            self.name = name
            pools = try leg.list("pools")
            self.quote = quote
            path = try #require(PoolPath(tokens, kinds))
            let number = try leg.integer("amount")
            amount = try leg.string("exact") == "in" ? .exactIn(number) : .exactOut(number)
        }
    }

    /// The prices that the formulas give, which the file names by pool, in the trade's order.
    private func pricesAfter(_ question: Question) throws -> [UInt256] {
        let local = try question.quote.list("local")
        return try question.pools.map { pool in
            try #require(local.first { $0["pool"] == pool }).integer("sqrtPriceX96After")
        }
    }

    private func questions() throws -> [Question] {
        try ContractVectors.swaps.list("scenarios").flatMap { scenario in
            try scenario.list("legs").compactMap { leg in
                try Question(try scenario.string("name"), leg)
            }
        }
    }

    @Test("every quote of the scenarios has the genuine bytes and is read in the trade's order")
    func vectors() throws {
        var quotes = 0
        var dry = 0
        var nothing = 0
        for question in try questions() {
            guard let call = question.call else {
                #expect(
                    RouterRevert(try question.quote.hexBytes("revertData")) == .reason(.zeroAmount)
                )
                continue
            }
            #expect(call.data == (try question.quote.hexBytes("data")), "\(question.name)")
            guard question.isOK else { continue }
            let prices = try pricesAfter(question)
            let output = try question.quote.hexBytes("output")
            do throws(QuoterFault) {
                let quote = try call.decode(output)
                #expect(quote.sqrtPricesAfter == prices, "\(question.name)")
                #expect(quote.amount.description == question.quote["amount"]?.stringValue)
                #expect(String(quote.gas) == question.quote["gasEstimate"]?.stringValue)
                quotes += 1
            } catch .dry {
                #expect(prices.contains { isBound($0) }, "\(question.name)")
                dry += 1
            } catch .nothing {
                #expect(question.quote["amount"]?.stringValue == "0", "\(question.name)")
                nothing += 1
            }
        }
        #expect(quotes == 221 && dry == 9 && nothing == 1)
    }

    private func isBound(_ price: UInt256) -> Bool {
        price == 4_295_128_740
            || price == 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341
    }

    @Test("v2 pairs and the amount 0 are no question")
    func noQuestion() throws {
        let weth = try ContractVectors.token("WETH")
        let usdc = try ContractVectors.token("USDC")
        let pair = try #require(PoolPath([weth, usdc], [.v2]))
        let pool = try #require(PoolPath([weth, usdc], [.v3(fee: 500)]))
        #expect(QuoterCall(pair, .exactIn(1)) == nil)
        #expect(QuoterCall(pool, .exactIn(0)) == nil)
        #expect(QuoterCall(pool, .exactOut(0)) == nil)
    }

    @Test("an empty answer is no pool; cut, longer or changed answers are none, and never trap")
    func hostile() throws {
        var random = SeededGenerator(seed: 7)
        for question in try questions().filter(\.isOK).prefix(60) {
            let call = try #require(question.call)
            let output = try question.quote.hexBytes("output")
            #expect(throws: QuoterFault.noPool) { try call.decode([]) }
            for count in 1..<output.count {
                #expect(throws: QuoterFault.malformed) {
                    try call.decode(Array(output.prefix(count)))
                }
            }
            #expect(throws: QuoterFault.malformed) { try call.decode(output + [0]) }
            let words: [UInt256] = [0, 1, 31, 1 << 255, .max, 1 << 160, 1 << 64, 1 << 63]
            for start in stride(from: 0, to: output.count, by: 32) {
                for word in words + [UInt256(bigEndian: random.bytes(32)) ?? 0] {
                    let answer =
                        output.prefix(start) + word.bigEndianBytes
                        + output.dropFirst(start + 32)
                    guard let quote = try? call.decode(Array(answer)) else { continue }
                    #expect(quote.amount != 0)
                    #expect(quote.sqrtPricesAfter.count == question.path.pools.count)
                }
            }
        }
    }

    @Test("an answer for one pool is none for two, nor the other way round")
    func shapes() throws {
        let all = try questions().filter(\.isOK)
        let single = try #require(all.first { $0.path.pools.count == 1 })
        let double = try #require(all.first { $0.path.pools.count == 2 })
        let singleAnswer = try single.quote.hexBytes("output")
        let doubleAnswer = try double.quote.hexBytes("output")
        #expect(throws: QuoterFault.malformed) { try double.call?.decode(singleAnswer) }
        #expect(throws: QuoterFault.malformed) { try single.call?.decode(doubleAnswer) }
    }

    @Test("a price at a bound is a pool that ran dry, outside it is no answer")
    func bounds() throws {
        let question = try #require(try questions().first { $0.isOK && $0.path.pools.count == 1 })
        let call = try #require(question.call)
        let output = try question.quote.hexBytes("output")
        let top: UInt256 = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341
        let faults: [(UInt256, QuoterFault)] = [
            (4_295_128_740, .dry), (top, .dry), (4_295_128_739, .malformed), (top + 1, .malformed),
            (0, .malformed),
        ]
        for (price, fault) in faults {
            let answer = output.prefix(32) + price.bigEndianBytes + output.dropFirst(64)
            #expect(throws: fault) { try call.decode(Array(answer)) }
        }
        for price in [4_295_128_741, top - 1] {
            let answer = output.prefix(32) + price.bigEndianBytes + output.dropFirst(64)
            #expect(try call.decode(Array(answer)).sqrtPricesAfter == [price])
        }
        let nothing = Array(repeating: 0, count: 32) + output.dropFirst(32)
        #expect(throws: QuoterFault.nothing) { try call.decode(Array(nothing)) }
    }

    @Test("the faults are sentences")
    func sentences() {
        let faults: [QuoterFault] = [.noPool, .dry, .nothing, .malformed]
        #expect(Set(faults.map(\.description)).count == 4)
    }
}
