/// One thing that reads input from outside, and what must hold for every input.
struct FuzzTarget: Sendable {
    /// What an input is put through.
    enum Check: Sendable {
        case plain(@Sendable (_ input: [UInt8]) throws -> Void)
        /// Runs to its end before the next input.
        case concurrent(@Sendable (_ input: [UInt8]) async throws -> Void)
    }

    /// As on the command line, and the name of the corpus' folder.
    let name: String
    /// The most bytes of an input that libFuzzer makes.
    let maximumLength: Int
    /// How many times longer than most an input takes; so many times fewer are run.
    let slowness: Int
    /// Inputs that reach far, made by our own encoders.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Throws `Violation` where a property does not hold; anything else thrown is a fault too.
    let check: Check

    /// A target whose check does not suspend.
    init(
        _ name: String,
        maximumLength: Int,
        seeds: @escaping @Sendable () throws -> [[UInt8]],
        check: @escaping @Sendable (_ input: [UInt8]) throws -> Void
    ) {
        self.name = name
        self.maximumLength = maximumLength
        slowness = 1
        self.seeds = seeds
        self.check = .plain(check)
    }

    /// A target whose check suspends.
    init(
        concurrent name: String,
        maximumLength: Int,
        slowness: Int,
        seeds: @escaping @Sendable () throws -> [[UInt8]],
        check: @escaping @Sendable (_ input: [UInt8]) async throws -> Void
    ) {
        self.name = name
        self.maximumLength = maximumLength
        self.slowness = slowness
        self.seeds = seeds
        self.check = .concurrent(check)
    }

    /// Puts an input through the check.
    func run(_ input: [UInt8]) async throws {
        switch check {
        case .plain(let body): try body(input)
        case .concurrent(let body): try await body(input)
        }
    }

    /// All targets, the cheap ones first but for those that came later.
    static let all: [FuzzTarget] = [
        rlp, abi, abiText, signature, transaction, exchangeCall, exchangeLog, exchangeCallV4,
        exchangeLogV4, exchangeAnswerV4, integers, amounts, texts,
        json, cursor, typedData, order, orderV4, scanner, scannerV4, nodeReply, nodeAnswer,
        nodeClient,
        relayBodies,
        relayClient,
        headers, terminal, settings, policy, keystore, tokenList, relayServer, sandboxServer,
        // A new one comes last: the changed seeds of the others stay the same.
        swapCall, swapAnswers, keys, dappRequest, trie, trieProof, blockHeader, interpreter,
        toolRequest,
    ]
}

/// A property that an input breaks.
struct Violation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Checks a property.
func require(
    _ condition: @autoclosure () throws -> Bool,
    _ property: @autoclosure () -> String
) throws {
    guard try condition() else { throw Violation(property()) }
}

/// Checks that two ways lead to the same.
func requireEqual<Value: Equatable>(
    _ left: Value,
    _ right: Value,
    _ property: @autoclosure () -> String
) throws {
    guard left == right else {
        throw Violation("\(property()):\n  \(left)\n  \(right)")
    }
}
