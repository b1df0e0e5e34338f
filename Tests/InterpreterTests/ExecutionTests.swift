import EVM
import Ethereum
import Testing

/// Transactions one after another, and what a run says that it cannot know.
@Suite("Execution")
struct ExecutionTests {
    private let sender = Address(truncating: UInt256(0x5E4D).word)
    private let contract = Address(truncating: UInt256(0xC0DE).word)
    private let coinbase = Address(truncating: UInt256(0xCB).word)
    private let state = MemoryState()

    private var block: BlockContext {
        BlockContext(
            chainID: 1,
            number: 100,
            timestamp: 1_800_000_000,
            gasLimit: 30_000_000,
            coinbase: coinbase
        )
    }

    private func execution(_ code: String, _ revision: Revision = .osaka) throws -> Execution {
        state.put(sender, balance: 1_000_000_000)
        state.put(coinbase, balance: 1)
        state.put(contract, nonce: 1, code: try Hex.decode(code), words: [1: 7])
        return Execution(state, revision, recoverer: InterpreterCase.recoverer)
    }

    private func message(nonce: UInt64 = 0, data: [UInt8] = []) -> Message {
        Message(
            sender: sender,
            to: contract,
            nonce: nonce,
            data: data,
            gasLimit: 200_000,
            maxFee: Wei(1)
        )
    }

    @Test("a transaction begins with what the one before left, and with nothing warm")
    func sequence() throws {
        // SSTORE(0, SLOAD(0) + 1 + TLOAD(0)), and then TSTORE(0, 5).
        let execution = try execution("0x5f54600101" + "5f5c01" + "5f55" + "60055f5d")
        var used: [UInt64] = []
        for nonce in UInt64(0)..<3 {
            let outcome = try execution.run(message(nonce: nonce), in: block)
            #expect(outcome.ending == .succeeded)
            #expect(
                outcome.changed == [
                    .account(sender), .account(coinbase), .word(0, of: contract),
                ]
            )
            used.append(outcome.gasUsed)
            guard case .known(let word) = execution.word(0, of: contract) else {
                Issue.record("the word is unknown")
                return
            }
            #expect(word == UInt256(nonce + 1))
        }
        // The first one writes where nothing was: 20,000 instead of 2,900.
        #expect(used[0] - used[1] == 17_100)
        #expect(used[1] == used[2])
        guard case .known(let record?) = execution.account(sender) else {
            Issue.record("the sender is unknown")
            return
        }
        #expect(record.nonce == 3)
        #expect(record.balance == Wei(UInt256(1_000_000_000 - used.reduce(0, +))))
    }

    @Test("a call keeps nothing, needs no ether and no nonce")
    func calls() throws {
        // Stores SLOAD(1) + 1 at 1, and answers it.
        let execution = try execution("0x600154600101" + "80600155" + "5f5260205ff3")
        for _ in 0..<2 {
            let outcome = try execution.call(contract, [], from: coinbase, in: block)
            #expect(outcome.ending == .succeeded)
            #expect(UInt256(bigEndian: outcome.output) == 8)
            #expect(outcome.changed.isEmpty)
        }
        guard case .known(let word) = execution.word(1, of: contract) else {
            Issue.record("the word is unknown")
            return
        }
        #expect(word == 7)
    }

    @Test("a state that lacks something is asked for it, and the run goes on when it is there")
    func missing() throws {
        state.isPartial = true
        let other = Address(truncating: UInt256(0x0DDE).word)
        // BALANCE(0xdde) is stored at 3.
        let execution = try execution("0x610dde31600355")
        #expect(throws: Execution.Gap.needs([.account(other)])) {
            try execution.run(message(), in: block)
        }
        state.put(other, balance: 9)
        #expect(throws: Execution.Gap.needs([.word(3, of: contract)])) {
            try execution.run(message(), in: block)
        }
        state.put(contract, nonce: 1, code: try Hex.decode("0x610dde31600355"), words: [3: 1])
        let outcome = try Execution(state, .osaka, recoverer: InterpreterCase.recoverer)
            .run(message(), in: block)
        #expect(outcome.ending == .succeeded)
    }

    @Test("the hash of a block that nobody told is asked for")
    func missingHash() throws {
        let execution = try execution("0x606340")
        #expect(throws: Execution.Gap.needs([.blockHash(99)])) {
            try execution.run(message(), in: block)
        }
        var reported = block
        reported.hashes[99] = BlockHash(Keccak256.hash([1]))
        let outcome = try execution.run(message(), in: reported)
        #expect(outcome.reads == .blockHash)
    }

    @Test(
        "a precompile that there is none of is named, also deep inside, and never a revert",
        arguments: [6, 7, 8, 0x0A, 0x0B, 0x11] as [UInt8]
    )
    func precompiles(_ number: UInt8) throws {
        let address = Address(truncating: UInt256(UInt64(number)).word)
        // A call of it, whose failure would be swallowed.
        let byte = Hex.encode([number]).dropFirst(2)
        let execution = try execution("0x5f5f5f5f5f60\(byte)5af1")
        #expect(throws: Execution.Gap.precompile(address)) {
            try execution.run(message(), in: block)
        }
        var direct = message()
        direct.to = address
        #expect(throws: Execution.Gap.precompile(address)) {
            try execution.run(direct, in: block)
        }
        guard case .known(let record?) = execution.account(sender) else {
            Issue.record("the sender is unknown")
            return
        }
        #expect(record.nonce == 0)
        #expect(record.balance == Wei(1_000_000_000))
    }

    @Test("code of another machine is named, and a precompile of Arbitrum's on Arbitrum alone")
    func foreign() throws {
        let stylus = try execution("0xeff00000")
        #expect(throws: Execution.Gap.foreignCode(contract)) {
            try stylus.run(message(), in: block)
        }
        let execution = try execution("0x5f5f5f5f60645afa")
        #expect(try execution.run(message(), in: block).ending == .succeeded)
        var arbitrum = block
        arbitrum.home = 42_161
        let system = Address(truncating: UInt256(0x64).word)
        #expect(throws: Execution.Gap.precompile(system)) {
            try execution.run(message(nonce: 1), in: arbitrum)
        }
    }

    @Test("rules whose prices are not known are refused")
    func revisions() throws {
        let execution = try execution("0x00", .amsterdam)
        #expect(throws: Execution.Gap.revision(.amsterdam)) {
            try execution.run(message(), in: block)
        }
        #expect(throws: Execution.Gap.revision(.amsterdam)) {
            try execution.call(contract, [], in: block)
        }
    }

    @Test(
        "what a run read of its surroundings is told",
        arguments: [
            ("0x42", .timestamp), ("0x43", .number), ("0x41", .coinbase), ("0x44", .random),
            ("0x48", .baseFee), ("0x3a", .gasPrice), ("0x32", .origin), ("0x45", .gasLimit),
            ("0x4243", [.timestamp, .number]), ("0x3346", []),
        ] as [(String, ContextReads)]
    )
    func reads(_ code: String, _ reads: ContextReads) throws {
        #expect(try execution(code).run(message(), in: block).reads == reads)
    }

    @Test("a creation names its contract, and its code is in the state")
    func creation() throws {
        let execution = try execution("0x00")
        var message = message(data: try Hex.decode("0x60fe60005360016000f3"))
        message.to = nil
        let outcome = try execution.run(message, in: block)
        let created = try #require(outcome.contract)
        #expect(outcome.ending == .succeeded)
        #expect(outcome.changed.contains(.account(created)))
        guard case .known(let record?) = execution.account(created),
            case .known(let code) = execution.code(record.codeHash)
        else {
            Issue.record("the contract is unknown")
            return
        }
        #expect(code == [0xFE])
        #expect(record.nonce == 1)
    }
}
