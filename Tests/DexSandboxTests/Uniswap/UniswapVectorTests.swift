import EVM
import Ethereum
import StrictJSON
import Testing
import Uniswap

@testable import DexSandbox

/// Every scenario of the vectors, run as the transaction that it was.
@Suite("The swaps executed on Uniswap's genuine contracts")
struct UniswapVectorTests {
    private static let vectors = UniswapVectors.all

    private func vectors() throws -> UniswapVectors { try #require(Self.vectors) }

    /// What differs between a scenario and the sandbox; empty if nothing does.
    private func differences(
        _ vectors: UniswapVectors,
        _ scenario: UniswapVectors.Scenario
    ) throws -> [String] {
        let run = try vectors.run(
            scenario,
            to: scenario.to,
            scenario.data,
            value: scenario.value
        )
        let output = Hex.encode(run.outcome.output)
        let isHalt = scenario.result["halt"]?.stringValue != nil
        switch run.outcome.ending {
        case .succeeded:
            guard scenario.succeeded else { return ["succeeded"] }
            var wrong: [String] = []
            if output != scenario.result["output"]?.stringValue { wrong.append("output \(output)") }
            wrong += logs(run.outcome, scenario)
            wrong += try state(run.stage, vectors, scenario)
            return wrong
        case .reverted:
            let expected = scenario.result["revertData"]?.stringValue
            return !isHalt && output == expected ? [] : ["reverted \(output)"]
        case .failed: return isHalt ? [] : ["\(run.outcome.failure)"]
        }
    }

    private func logs(
        _ outcome: Execution.Outcome,
        _ scenario: UniswapVectors.Scenario
    ) -> [String] {
        let expected = (scenario.result["logs"]?.arrayValue ?? []).map { log in
            [log["address"]?.stringValue ?? ""]
                + (log["topics"]?.arrayValue ?? []).compactMap(\.stringValue)
                + [log["data"]?.stringValue ?? ""]
        }
        let found = outcome.logs.map { log in
            var topics = log.topics
            // The fee of a transfer goes to the token here; that of the vectors burns it.
            if topics.count == 3, topics[2] == log.address.word { topics[2] = .zero }
            return [log.address.lowercaseHex] + topics.map(\.hex) + [Hex.encode(log.data)]
        }
        return found == expected ? [] : ["logs \(found)"]
    }

    /// The pools, what the router has left, and the sender's ether, after a swap.
    private func state(
        _ stage: ContractStage,
        _ vectors: UniswapVectors,
        _ scenario: UniswapVectors.Scenario
    ) throws -> [String] {
        var wrong: [String] = []
        for (pool, after) in zip(scenario.pools, scenario.result["after"]?.arrayValue ?? []) {
            let address = try UniswapVectors.address(pool["address"])
            if let price = after["sqrtPriceX96"]?.stringValue {
                let slot0 = try stage.words(address, ERC20.call("slot0()"))
                let liquidity = try stage.words(address, ERC20.call("liquidity()"))
                let tick = slot0.count == 7 ? Int64(bitPattern: slot0[1].w0) : 0
                if slot0.first?.description != price || slot0.last != 1
                    || "\(tick)" != after["tick"]?.numberText
                    || liquidity.first?.description != after["liquidity"]?.stringValue
                {
                    wrong.append("pool \(slot0) \(liquidity)")
                }
            } else {
                let pair = try stage.words(address, ERC20.call("getReserves()"))
                if pair.first?.description != after["reserve0"]?.stringValue
                    || pair.dropFirst().first?.description != after["reserve1"]?.stringValue
                {
                    wrong.append("pair \(pair)")
                }
            }
        }
        let router = GenesisUniswap.deployment(chainID: 1).router
        for (symbol, token) in vectors.tokens {
            let left = stage.balance(token, router)
            let expected = scenario.result["left"]?[symbol]?.stringValue ?? "0"
            if left.description != expected { wrong.append("left \(left) \(symbol)") }
        }
        let ether = stage.value(router, .ether)
        if ether.description != scenario.result["leftNative"]?.stringValue {
            wrong.append("left \(ether) wei")
        }
        return wrong
    }

    @Test("amounts, reverts, logs, pools and what is left are the contracts'")
    func scenarios() throws {
        let vectors = try vectors()
        for scenario in vectors.scenarios {
            let wrong = try differences(vectors, scenario)
            #expect(wrong == [], "\(scenario.name)")
        }
        #expect(vectors.scenarios.count == 297)
    }

    @Test("quotes are QuoterV2's: amounts, prices after, and refusals")
    func quotes() throws {
        let vectors = try vectors()
        let quoter = GenesisUniswap.deployment(chainID: 1).quoter
        var answered = 0
        for scenario in vectors.scenarios {
            for leg in scenario.legs {
                guard let quote = leg["quote"], let data = quote["data"]?.stringValue else {
                    continue
                }
                let run = try vectors.run(scenario, to: quoter, try Hex.decode(data))
                guard quote["ok"] == true else {
                    let expected = try Hex.decode(quote["revertData"]?.stringValue ?? "")
                    #expect(run.outcome.revert == expected, "\(scenario.name)")
                    continue
                }
                guard let output = run.outcome.answer else {
                    Issue.record("\(scenario.name): \(run.outcome.ending)")
                    continue
                }
                answered += 1
                let expected = try Hex.decode(quote["output"]?.stringValue ?? "")
                let prices = (quote["sqrtPriceX96After"]?.arrayValue ?? []).compactMap(
                    \.stringValue
                )
                // Of a path the arrays follow: the prices begin after four words and a length.
                let start = expected.count == 128 ? 32 : 160
                #expect(output.count == expected.count)
                #expect(output.prefix(32) == expected.prefix(32), "\(scenario.name)")
                for (index, price) in prices.enumerated() {
                    let word = output.dropFirst(start + 32 * index).prefix(32)
                    #expect(UInt256(bigEndian: word)?.description == price, "\(scenario.name)")
                }
            }
        }
        #expect(answered > 200)
    }

    @Test("the gas is within 25 % of the contracts'")
    func gas() throws {
        let vectors = try vectors()
        for scenario in vectors.scenarios where scenario.succeeded {
            let run = try vectors.run(
                scenario,
                to: scenario.to,
                scenario.data,
                value: scenario.value
            )
            // Single ones differ most: whether a token is received for the first time, and whether
            // the pool took a fee before, is not the same; and the token with a fee is another one.
            let share = 100 * run.outcome.gasUsed / max(number(scenario.result["gasUsed"]), 1)
            #expect((75...125).contains(share), "\(scenario.name): \(run.outcome.gasUsed)")
        }
    }
}
