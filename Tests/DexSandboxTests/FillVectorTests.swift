import EVM
import Ethereum
import StrictJSON
import Testing

@testable import DexSandbox

/// Every scenario of the vectors, run as the transaction that it was.
@Suite("The 62 scenarios executed on the genuine contracts")
struct FillVectorTests {
    /// A scenario's transaction on the state that it begins with.
    struct Replay {
        let vectors: FillVectors
        let scenario: FillVectors.Scenario
        let stage: ContractStage
        let run: Execution.Outcome

        init(_ index: Int) throws {
            vectors = try #require(FillVectors.all)
            scenario = vectors.scenarios[index]
            stage = try ContractStage(
                vectors.genesis(scenario),
                timestamp: scenario.timestamp
            )
            run = try stage.run(
                from: scenario.from,
                to: scenario.to,
                scenario.data,
                gas: 1_500_000
            )
        }
    }

    static let indices = Array(0..<62)

    @Test("there are 62 scenarios")
    func count() throws {
        #expect(try #require(FillVectors.all).scenarios.count == 62)
    }

    @Test("status, failure style, return value and logs are the contracts'", arguments: indices)
    func outcome(_ index: Int) throws {
        let replay = try Replay(index)
        let outcome = replay.scenario.outcome
        let returned = replay.run.output
        switch replay.run.ending {
        case .succeeded:
            #expect(replay.scenario.succeeded)
            if let value = outcome["returnValue"]?.stringValue {
                #expect(UInt256(bigEndian: returned)?.description == value)
            } else {
                #expect(returned == [])
            }
        case .reverted:
            #expect(replay.scenario.failure == "REVERT")
            #expect(returned == [])
        case .failed:
            #expect(replay.scenario.failure == "INVALID (all gas consumed)")
            #expect(replay.run.gasUsed == 1_500_000)
        }
        let logs = outcome["logs"]?.arrayValue ?? []
        let emitted = replay.run.logs
        #expect(emitted.count == logs.count)
        for (log, expected) in zip(emitted, logs) {
            #expect(log.address.lowercaseHex == expected["address"]?.stringValue)
            #expect(
                log.topics.map(\.hex) == expected["topics"]?.arrayValue?.map { $0.stringValue }
            )
            #expect(Hex.encode(log.data) == expected["data"]?.stringValue)
        }
    }

    @Test("balances, allowances, filled and cancelled are the contracts'", arguments: indices)
    func state(_ index: Int) throws {
        let replay = try Replay(index)
        let outcome = replay.scenario.outcome
        let genesis = try replay.vectors.genesis(replay.scenario)
        let balances = try replay.vectors.amounts(outcome["balances"])
        let allowances = try replay.vectors.amounts(outcome["allowancesToTokenTransferProxy"])
        for token in replay.vectors.tokens.values {
            for owner in replay.vectors.accounts.values {
                let balance = balances.first { ($0.token, $0.owner) == (token, owner) }
                #expect(replay.stage.balance(token, owner) == balance?.amount ?? .zero)
                let slot = TokenLayout.allowance(owner: owner, spender: genesis.transferProxy)
                let allowance = allowances.first { ($0.token, $0.owner) == (token, owner) }
                #expect(replay.stage.value(token, slot) == allowance?.amount ?? .zero)
            }
        }
        let exchange = ContractCode.named(.exchange)
        for order in outcome["orders"]?.arrayValue ?? [] {
            let hash = try Bytes32(hex: order["orderHash"]?.stringValue ?? "")
            func amount(_ mapping: String) -> UInt256 {
                replay.stage.value(genesis.exchange, exchange.slot(mapping, hash))
            }
            let (filled, cancelled) = (amount("filled"), amount("cancelled"))
            #expect(filled.description == order["filled"]?.stringValue)
            #expect(cancelled.description == order["cancelled"]?.stringValue)
        }
    }

    @Test("the gas is within 4 % of the contracts', where there is an order", arguments: indices)
    func gas(_ index: Int) throws {
        let replay = try Replay(index)
        let expected = replay.scenario.gasUsed
        let actual = replay.run.gasUsed
        let difference = max(actual, expected) - min(actual, expected)
        // Without orders a call only reads its arguments.
        let share: UInt64 = expected < 40_000 ? 9 : 4
        #expect(difference * 100 <= expected * share, "\(actual) instead of \(expected)")
    }
}
