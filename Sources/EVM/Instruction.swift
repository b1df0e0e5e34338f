import Ethereum

/// What is checked before an instruction runs.
struct Instruction: Sendable {
    /// What it costs at least.
    var gas: Int32 = 0
    /// The bytes that it takes from the stack.
    var takes: UInt16 = 1
    /// The most bytes of the stack before it; a byte that is no instruction takes more than that.
    var limit: UInt16 = 0

    /// All 256 of a revision, by their bytes.
    static func table(_ revision: Revision) -> [Instruction] {
        let prices = GasPrices(revision)
        let wordBytes = MemoryLayout<UInt256>.stride
        let (warm, creation) = (Int32(prices.warm), Int32(prices.creation))
        var table = Array(repeating: Instruction(), count: 256)
        func set(_ bytes: ClosedRange<Int>, _ gas: Int32, takes: Int, gives: Int) {
            for byte in bytes {
                table[byte] = Instruction(
                    gas: gas,
                    takes: UInt16(wordBytes * takes),
                    limit: UInt16(wordBytes * (Frame.maximumWords - max(0, gives - takes)))
                )
            }
        }
        func set(_ bytes: [Int], _ gas: Int32, takes: Int, gives: Int) {
            for byte in bytes { set(byte...byte, gas, takes: takes, gives: gives) }
        }
        // STOP; ADD, SUB; MUL, DIV, SDIV, MOD, SMOD, SIGNEXTEND; ADDMOD, MULMOD; EXP
        set([0x00], 0, takes: 0, gives: 0)
        set([0x01, 0x03], 3, takes: 2, gives: 1)
        set([0x02, 0x04, 0x05, 0x06, 0x07, 0x0B], 5, takes: 2, gives: 1)
        set([0x08, 0x09], 8, takes: 3, gives: 1)
        set([0x0A], 10, takes: 2, gives: 1)
        // LT, GT, SLT, SGT, EQ; ISZERO, NOT; AND, OR, XOR, BYTE, SHL, SHR, SAR; KECCAK256
        set(0x10...0x14, 3, takes: 2, gives: 1)
        set([0x15, 0x19], 3, takes: 1, gives: 1)
        set([0x16, 0x17, 0x18, 0x1A, 0x1B, 0x1C, 0x1D], 3, takes: 2, gives: 1)
        set([0x20], 30, takes: 2, gives: 1)
        // CLZ
        if revision >= .osaka { set([0x1E], 5, takes: 1, gives: 1) }
        // ADDRESS, ORIGIN, CALLER, CALLVALUE, CALLDATASIZE, CODESIZE, GASPRICE, RETURNDATASIZE
        set([0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3A, 0x3D], 2, takes: 0, gives: 1)
        // BALANCE, EXTCODESIZE, EXTCODEHASH; CALLDATALOAD
        set([0x31, 0x3B, 0x3F], 0, takes: 1, gives: 1)
        set([0x35], 3, takes: 1, gives: 1)
        // CALLDATACOPY, CODECOPY, RETURNDATACOPY, MCOPY; EXTCODECOPY
        set([0x37, 0x39, 0x3E, 0x5E], 3, takes: 3, gives: 0)
        set([0x3C], 0, takes: 4, gives: 0)
        // BLOCKHASH; COINBASE to CHAINID, BASEFEE, BLOBBASEFEE; SELFBALANCE; BLOBHASH
        set([0x40], 20, takes: 1, gives: 1)
        set([0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x48, 0x4A], 2, takes: 0, gives: 1)
        set([0x47], 5, takes: 0, gives: 1)
        set([0x49], 3, takes: 1, gives: 1)
        // POP; MLOAD; MSTORE, MSTORE8; SLOAD; SSTORE; JUMP; JUMPI
        set([0x50], 2, takes: 1, gives: 0)
        set([0x51], 3, takes: 1, gives: 1)
        set([0x52, 0x53], 3, takes: 2, gives: 0)
        set([0x54], 0, takes: 1, gives: 1)
        set([0x55], 0, takes: 2, gives: 0)
        set([0x56], 8, takes: 1, gives: 0)
        set([0x57], 10, takes: 2, gives: 0)
        // PC, MSIZE, GAS, PUSH0; JUMPDEST; TLOAD; TSTORE
        set([0x58, 0x59, 0x5A, 0x5F], 2, takes: 0, gives: 1)
        set([0x5B], 1, takes: 0, gives: 0)
        set([0x5C], warm, takes: 1, gives: 1)
        set([0x5D], warm, takes: 2, gives: 0)
        // PUSH1 to PUSH32, DUP1 to DUP16, SWAP1 to SWAP16, LOG0 to LOG4
        set(0x60...0x7F, 3, takes: 0, gives: 1)
        for count in 1...16 {
            set([0x7F + count], 3, takes: count, gives: count + 1)
            set([0x8F + count], 3, takes: count + 1, gives: count + 1)
        }
        for topics in 0...4 {
            set([0xA0 + topics], Int32(375 * (topics + 1)), takes: 2 + topics, gives: 0)
        }
        // CREATE, CREATE2; CALL, CALLCODE; DELEGATECALL, STATICCALL; RETURN, REVERT; SELFDESTRUCT
        set([0xF0], creation, takes: 3, gives: 1)
        set([0xF5], creation, takes: 4, gives: 1)
        set([0xF1, 0xF2], 0, takes: 7, gives: 1)
        set([0xF4, 0xFA], 0, takes: 6, gives: 1)
        set([0xF3, 0xFD], 0, takes: 2, gives: 0)
        set([0xFF], 5_000, takes: 1, gives: 0)
        return table
    }
}
