import Ethereum
import EthereumWallet
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
        let world: WorldState
        let run: TransactionRunner.CallRun

        init(_ index: Int) throws {
            vectors = try #require(FillVectors.all)
            scenario = vectors.scenarios[index]
            let genesis = try vectors.genesis(scenario)
            try genesis.validate()
            world = WorldState(slots: genesis.slots, number: 0)
            let contracts = Contracts(genesis: genesis, recoverer: Secp256k1())
            run = try TransactionRunner(contracts: contracts).call(
                CallRequest(from: scenario.from, to: scenario.to, data: scenario.data),
                gas: 1_500_000,
                on: world.latest,
                in: BlockContext(
                    number: 1,
                    timestamp: scenario.timestamp,
                    baseFee: 0,
                    coinbase: .zero
                )
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
        switch replay.run.result {
        case .success(let returned):
            #expect(replay.scenario.succeeded)
            if let value = outcome["returnValue"]?.stringValue {
                #expect(UInt256(bigEndian: returned)?.description == value)
            } else {
                #expect(returned == [])
            }
        case .failure(.revert(let data)):
            #expect(replay.scenario.failure == "REVERT")
            #expect(data == [])
        case .failure:
            #expect(replay.scenario.failure == "INVALID (all gas consumed)")
            #expect(replay.run.gasUsed == 1_500_000)
        }
        let logs = outcome["logs"]?.arrayValue ?? []
        let emitted = replay.run.execution.logs
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
        var balances: [StorageKey: UInt256] = [:]
        var allowances: [StorageKey: UInt256] = [:]
        for item in try replay.vectors.amounts(outcome["balances"]) {
            balances[StorageKey(item.token, .balance(item.owner))] = item.amount
        }
        for item in try replay.vectors.amounts(outcome["allowancesToTokenTransferProxy"]) {
            let slot = Slot.allowance(owner: item.owner, spender: genesis.transferProxy)
            allowances[StorageKey(item.token, slot)] = item.amount
        }
        for token in replay.vectors.tokens.values {
            for owner in replay.vectors.accounts.values {
                let balance = StorageKey(token, .balance(owner))
                #expect(replay.run.execution.peek(balance) == balances[balance] ?? .zero)
                let slot = Slot.allowance(owner: owner, spender: genesis.transferProxy)
                let allowance = StorageKey(token, slot)
                #expect(replay.run.execution.peek(allowance) == allowances[allowance] ?? .zero)
            }
        }
        for order in outcome["orders"]?.arrayValue ?? [] {
            let hash = try Bytes32(hex: order["orderHash"]?.stringValue ?? "")
            let filled = replay.run.execution.peek(StorageKey(genesis.exchange, .filled(hash)))
            let cancelled = replay.run.execution.peek(
                StorageKey(genesis.exchange, .cancelled(hash))
            )
            #expect(filled.description == order["filled"]?.stringValue)
            #expect(cancelled.description == order["cancelled"]?.stringValue)
        }
    }

    @Test("the gas is within 2 % of the contracts'", arguments: indices)
    func gas(_ index: Int) throws {
        let replay = try Replay(index)
        let expected = replay.scenario.gasUsed
        let actual = replay.run.gasUsed
        let difference = max(actual, expected) - min(actual, expected)
        #expect(difference * 100 <= expected * 2, "\(actual) instead of \(expected)")
    }
}
