import EVM
import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

/// How many round trips a run takes, and what it says where the state is not to be had.
@Suite("A run on this machine asks for what it reads, and never guesses")
struct SimulationReadsTests {
    private typealias Stage = SimulationStage

    private static let act = Assembler.take(5) + " " + Assembler.log(5, to: Stage.other)

    @Test("a plan of ours takes no round trip beside those that it takes anyway")
    func ownPlan() async throws {
        let stage = SimulationStage(Assembler.token(Self.act))
        let report = try await stage.planned(Stage.bounds(leaves: 5))
        #expect(report.changes?.tokens.first?.balance.falls == 5)
        #expect(stage.chain.trips == 1)
    }

    @Test("without access lists a plan of ours is not run, and says so")
    func noAccessLists() async throws {
        let stage = SimulationStage(Assembler.token(Self.act))
        stage.chain.set { $0.givesAccessLists = false }
        guard let reason = try await stage.planned(nil).reason else {
            Issue.record("it ran")
            return
        }
        #expect(reason.contains("eth_createAccessList"))
        #expect(stage.chain.trips == 0)
    }

    @Test("a call of others is run without access lists, too, in three round trips at most")
    func foreignCall() async throws {
        let stage = SimulationStage(Assembler.token(Self.act))
        #expect(try await stage.explore().changes != nil)
        #expect(stage.chain.trips == 1, "all that it reads is listed")
        let unlisted = SimulationStage(Assembler.token(Self.act))
        unlisted.chain.set { $0.givesAccessLists = false }
        #expect(try await unlisted.explore().changes?.tokens.first?.balance.falls == 5)
        #expect(unlisted.chain.trips <= TransactionSimulator.maximumTrips)
    }

    @Test("the hash of an earlier block is fetched, and the run goes on with it")
    func earlierBlock() async throws {
        // Of block 95, which the test's node numbers so: 5 of the token leave where it is right.
        let act = "0x5f BLOCKHASH 0x5f EQ :right JUMPI STOP @right " + Assembler.take(5)
        let stage = SimulationStage(Assembler.token(act))
        #expect(try await stage.explore().changes?.tokens.first?.balance.falls == 5)
        #expect(stage.chain.trips <= TransactionSimulator.maximumTrips)
    }

    @Test("what leads from word to word further than is asked for is not run")
    func chainOfWords() async throws {
        // Each word is the number of the next slot.
        let hops = Array(repeating: "SLOAD", count: 8).joined(separator: " ")
        let stage = SimulationStage(Assembler.token("0x09 \(hops) POP"))
        stage.chain.set { state in
            state.givesAccessLists = false
            for slot: UInt64 in 9..<20 {
                state.accounts[Stage.token]?.words[UInt256(slot)] = UInt256(slot + 1)
            }
        }
        guard let reason = try await stage.explore().reason else {
            Issue.record("it ran")
            return
        }
        #expect(reason.contains("reads more"))
        #expect(stage.chain.trips == TransactionSimulator.maximumTrips)
        stage.chain.set { $0.givesAccessLists = true }
        #expect(try await stage.explore().changes != nil, "a list has them all")
    }

    @Test("a node that does not give the state says nothing about the call")
    func noState() async throws {
        let stage = SimulationStage(Assembler.token(Self.act))
        stage.chain.set { $0.givesState = false }
        for report in [try await stage.explore(), try await stage.planned(nil)] {
            guard let reason = report.reason else {
                Issue.record("it ran")
                continue
            }
            #expect(reason.contains("does not give the state"))
        }
    }

    @Test("parts of two blocks are no difference: it is run again at one of them")
    func betweenBlocks() async throws {
        let stage = SimulationStage(Assembler.token(Assembler.give(5)))
        // At the newest block the token is paused: 7 at slot 0 would say so, were it read.
        let paused = Assembler.token("0x08 SLOAD :give JUMPI STOP @give \(Assembler.give(5))")
        stage.chain.set { state in
            state.accounts[Stage.token]?.code = paused
            state.accounts[Stage.token]?.words[8] = 1
            state.newer[Stage.token] = [8: 0]
        }
        let report = try await stage.planned(Stage.bounds(arrives: 5))
        #expect(report.changes?.tokens.first?.balance.rises == 5)
        #expect(stage.chain.trips == 2)
    }

    @Test(
        "what this machine cannot run is said, and is no failure",
        arguments: [
            ("0x00 0x00 0x00 0x00 0x00 0x08 0xffff CALL POP", 1337, "has built in"),
            ("0x00 0x00 0x00 0x00 0x00 0xfd 0xffff CALL POP", 42_220, "has built in"),
            ("", 11_155_111, "newer than those"),
            ("", 2_741, "no EVM code"),
        ] as [(String, UInt64, String)]
    )
    func gaps(act: String, chain: UInt64, words: String) async throws {
        let stage = SimulationStage(Assembler.token(act), chainID: chain)
        guard let reason = try await stage.explore().reason else {
            Issue.record("it ran")
            return
        }
        #expect(reason.contains(words))
    }

    @Test("code of another machine is said")
    func foreignCode() async throws {
        let stage = SimulationStage([0xef, 0x00, 0x01])
        guard let reason = try await stage.explore().reason else {
            Issue.record("it ran")
            return
        }
        #expect(reason.contains("none of the EVM"))
    }

    @Test("an account that cannot pay for the gas is not run")
    func funds() async throws {
        let stage = SimulationStage(Assembler.token(""))
        stage.chain.set { $0.accounts[Stage.account]?.balance = Wei(1) }
        guard let reason = try await stage.explore().reason else {
            Issue.record("it ran")
            return
        }
        #expect(reason.contains("the account has"))
    }
}
