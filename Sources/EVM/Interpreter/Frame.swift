import Ethereum

/// A call with its stack and memory; used again by later calls of the same depth.
final class Frame {
    let stack: UnsafeMutablePointer<UInt256>
    /// One above the highest word.
    var top: UnsafeMutablePointer<UInt256>
    var memory = Memory()
    var code: Code
    /// Of the next instruction.
    var counter = 0
    var gas: Int64 = 0
    /// Whose storage and ether it has.
    var account: Account
    var caller = Address.zero
    var value = UInt256.zero
    var input: [UInt8] = []
    /// What the last call inside returned.
    var returned: [UInt8] = []
    /// What it returns itself.
    var output: [UInt8] = []
    var isStatic = false
    var isCreation = false
    var checkpoint = World.Checkpoint.start
    /// Where the answer of a call inside goes.
    var answer = (offset: 0, size: 0)

    /// What a stack holds.
    static let maximumWords = 1_024

    init(_ account: Account, _ code: Code) {
        // Only words below the height are read, and those were written.
        stack = .allocate(capacity: Self.maximumWords + 1)
        top = stack
        self.account = account
        self.code = code
    }

    deinit { stack.deallocate() }

    func reset() {
        top = stack
        memory.clear()
        counter = 0
        returned = []
        output = []
        isCreation = false
    }
}
