import DexSandbox
import DexTestSupport
import Ethereum
import EthereumWallet
import StrictJSON
import Synchronization

/// A method and its parameters.
struct Question: Sendable {
    let method: String
    let parameters: [JSONValue]

    init(_ method: String, _ parameters: JSONValue...) {
        self.method = method
        self.parameters = parameters
    }
}

/// What a node answered: a result, or an error.
struct Answer: Sendable {
    let json: JSONValue

    var result: JSONValue? { json["error"] == nil ? json["result"] : nil }
    var error: JSONValue? { json["error"] }

    /// The number of a result that is a quantity.
    func quantity() throws -> UInt256 {
        guard let text = result?.stringValue, let number = UInt256(quantity: text) else {
            throw ComparisonError(description: "\(json.text) is no quantity")
        }
        return number
    }
}

/// The comparison itself could not be made.
struct ComparisonError: Error, CustomStringConvertible {
    let description: String
}

/// One of the two chains, by its JSON-RPC.
protocol ComparedChain: Sendable {
    /// The answer to one HTTP body.
    func answer(to body: JSONValue) async throws -> JSONValue
}

extension ComparedChain {
    /// The answers to some questions, in one batch.
    func ask(_ questions: [Question]) async throws -> [Answer] {
        guard !questions.isEmpty else { return [] }
        let batch = questions.enumerated().map { index, question -> JSONValue in
            [
                "jsonrpc": "2.0", "id": .integer(index), "method": .string(question.method),
                "params": .array(question.parameters),
            ]
        }
        let answers = try await answer(to: .array(batch)).arrayValue ?? []
        guard answers.count == questions.count else {
            throw ComparisonError(description: "\(answers.count) answers to \(questions.count)")
        }
        return answers.map(Answer.init)
    }

    /// The result of one method that must not fail.
    @discardableResult
    func result(_ question: Question) async throws -> JSONValue {
        let answer = try await ask([question])[0]
        guard let result = answer.result else {
            throw ComparisonError(description: "\(question.method): \(answer.json.text)")
        }
        return result
    }
}

/// The EVM's node.
struct EVMSide: ComparedChain {
    let node: EVMNode

    func answer(to body: JSONValue) async throws -> JSONValue {
        try await node.answer(to: body)
    }
}

/// The sandbox's chain in this process, with a clock that is moved by hand.
struct SandboxSide: ComparedChain {
    private final class Clock: Sendable {
        let seconds = Mutex(World.start)
    }

    private let chain: SandboxChain
    private let clock = Clock()

    init(_ world: World, recoverer: any SignatureRecovering) throws {
        let clock = clock
        chain = try SandboxChain(
            genesis: world.genesis,
            configuration: ChainConfiguration(
                mining: .manual,
                now: { clock.seconds.withLock { $0 } },
                recoverer: recoverer
            )
        )
    }

    /// Sets the time of the next block, in seconds since 1970.
    func setTime(_ seconds: UInt64) {
        clock.seconds.withLock { $0 = seconds }
    }

    func answer(to body: JSONValue) async throws -> JSONValue {
        try JSONParser.parse(await chain.answer(body: body.utf8))
    }
}
