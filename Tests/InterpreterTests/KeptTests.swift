import Ethereum
import Testing

@testable import EVM

/// What an execution keeps for later ones: tables of words, hashes, frames.
@Suite("Kept by executions")
struct KeptTests {
    @Test("a table finds each of many words at the index that it got, and no others")
    func table() {
        var table = WordTable<Int>()
        // Numbers, and words that differ in each of their parts alone.
        let keys = (0..<500).flatMap { number in
            [0, 64, 128, 192].map { UInt256(UInt64(number)) << $0 }
        }
        var seen: Set<UInt256> = []
        for key in keys where seen.insert(key).inserted {
            #expect(table.index(of: key) == nil)
            let index = table.append(seen.count, of: key)
            #expect(index == seen.count - 1)
        }
        for (index, entry) in table.entries.enumerated() {
            #expect(table.index(of: entry.key) == index)
            #expect(table[index] == index + 1)
        }
        #expect(table.index(of: UInt256.max) == nil)
        table[7] = 0
        #expect(table[7] == 0)
    }

    @Test("a kept hash is that of the bytes, whatever was hashed before")
    func hashes() {
        let cache = HashCache()
        for fill in [UInt8(0), 1, 0xFF] {
            for count in 0..<260 {
                let bytes = Array(repeating: fill, count: count)
                for _ in 0..<2 {
                    let hash = bytes.withUnsafeBytes { cache.hash($0) }
                    #expect(hash == Keccak256.hash(bytes))
                }
            }
        }
        // More than it keeps.
        for _ in 0..<2 {
            for number in UInt64(0)..<2_000 {
                let bytes = UInt256(number).bigEndianBytes + UInt256(number % 7).bigEndianBytes
                #expect(bytes.withUnsafeBytes { cache.hash($0) } == Keccak256.hash(bytes))
            }
        }
    }

    @Test("a call after deep, large and failed ones is as the first one")
    func frames() throws {
        let contract = Address(truncating: UInt256(0xC0DE).word)
        let state = MemoryState()
        // With call data it stores a word at 2 MB in memory and calls itself with all its gas; without
        // it answers SLOAD(1), MSIZE, CALLDATASIZE and RETURNDATASIZE.
        state.put(
            contract,
            nonce: 1,
            code: try Hex.decode(
                "0x3615601657" + "60016220000052" + "5f5f365f5f305af15000" + "5b" + "6001545f52"
                    + "59602052" + "36604052" + "3d606052" + "60805ff3"
            ),
            words: [1: 7]
        )
        // Calls itself with all its gas.
        let deep = Address(truncating: UInt256(0xDEE9).word)
        state.put(deep, nonce: 1, code: try Hex.decode("0x5f5f5f5f5f305af100"))
        let block = BlockContext(
            chainID: 1,
            number: 100,
            timestamp: 1_800_000_000,
            gasLimit: 30_000_000
        )
        func execution() -> Execution {
            Execution(
                state,
                .osaka,
                recoverer: InterpreterCase.recoverer,
                codes: CodeCache()
            )
        }
        let first = try execution().call(contract, [], in: block)
        #expect(first.ending == .succeeded)
        #expect(first.output.count == 128)
        let used = execution()
        let others: [(Address, [UInt8])] = [
            (contract, [1]), (deep, []), (contract, Array(repeating: 1, count: 99)),
        ]
        for (target, data) in others {
            let other = try used.call(target, data, gas: 40_000_000, in: block)
            #expect(other.ending == .succeeded)
            #expect(other.output.isEmpty)
            let again = try used.call(contract, [], in: block)
            #expect(again.output == first.output)
            #expect(again.gasUsed == first.gasUsed)
        }
    }
}
