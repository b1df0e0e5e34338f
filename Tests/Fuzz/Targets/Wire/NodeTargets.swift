import Ethereum
import StrictJSON

@testable import DexNetwork

extension FuzzTarget {
    /// A node's answer to a request: every question gets its own answer whatever the order, and
    /// every answer is what the node wrote for it.
    static let nodeReply = FuzzTarget(
        "node-reply",
        maximumLength: 2_048,
        seeds: NodeTarget.replies
    ) { input in
        var reader = InputReader(input)
        let ids = NodeTarget.ids(reader.byte())
        let body = reader.rest()
        guard let reply = try? RPCReply(body: body, ids: ids) else { return }
        let json = try JSONParser.parse(body)
        switch reply {
        case .refused(let fault): NodeTarget.classify(fault)
        case .answers(let outcomes):
            try requireEqual(outcomes.count, ids.count, "as many outcomes as questions")
            let elements = json.arrayValue ?? [json]
            for (id, outcome) in zip(ids, outcomes) {
                try NodeTarget.check(outcome, id: id, isAlone: ids.count == 1, in: elements)
            }
            guard case .array(let elements) = json, elements.count > 1 else { return }
            let turned = JSONValue.array(elements.reversed()).utf8
            guard case .answers(let again) = try RPCReply(body: turned, ids: ids) else {
                throw Violation("a batch turned round is refused")
            }
            try requireEqual(again, outcomes, "the order of a batch's answers matters")
        }
    }

    /// A node's answer to one question of any kind: what was read, written by the rules of
    /// JSON-RPC, is read the same; and it answers what was asked.
    static let nodeAnswer = FuzzTarget(
        "node-answer",
        maximumLength: 4_096,
        seeds: NodeTarget.answers
    ) { input in
        var reader = InputReader(input)
        let read = NodeTarget.reads[reader.number(below: NodeTarget.reads.count)]
        guard let json = try? JSONParser.parse(reader.rest()),
            let answer = try? ChainAnswer(json, to: read)
        else { return }
        let written = AnswerWriter.json(answer, to: read)
        // Without white space and whatever else stood beside the members that are read.
        try require(written.utf8.count <= 4 * json.utf8.count + 2_000, "an answer grows")
        try requireEqual(
            try ChainAnswer(written, to: read),
            answer,
            "an answer that was written is not read the same"
        )
    }

    /// The whole client against a node that answers anything: it comes to an end after few
    /// requests, with one outcome for each question.
    static let nodeClient = FuzzTarget(
        concurrent: "node-client",
        maximumLength: 4_096,
        slowness: 2,
        seeds: NodeTarget.conversations
    ) { input in
        var reader = InputReader(input)
        let count = reader.number(below: 20)
        let first = reader.number(below: NodeTarget.reads.count)
        let maximum = reader.number(below: 6)
        let reads = (0..<count).map { NodeTarget.reads[(first + $0) % NodeTarget.reads.count] }
        let transport = ScriptedTransport(script: reader.rest())
        let client = JSONRPCChainClient(
            urls: maximum & 1 == 1
                ? ["http://a.test", "http://b.test/\(NodeTarget.secret)"] : ["http://a.test"],
            transport: transport,
            limits: BatchLimits(items: maximum + 1),
            clock: .still
        )
        do {
            let answers = try await client.read(reads)
            try requireEqual(answers.count, reads.count, "as many answers as questions")
        } catch let error as ChainError {
            try require(
                !error.description.contains(NodeTarget.secret),
                "an error shows a URL's path"
            )
        }
        // A chunk of one is asked three times at most, and halving doubles the chunks.
        try require(transport.requests <= 2 * 3 * 2 * max(1, count), "too many requests")
        do {
            let raw: [UInt8] = [1, 2, 3]
            let hash = try await client.send(raw: raw)
            try requireEqual(hash.word, Keccak256.hash(raw), "the hash of what was sent")
        } catch let error as ChainError {
            try require(
                !error.description.contains(NodeTarget.secret),
                "an error shows a URL's path"
            )
        }
    }
}

/// What the targets about nodes have in common.
enum NodeTarget {
    /// A key in a URL, which no answer can guess.
    static let secret = "9mVq7ZtXw2Rk"
    static let account = Address(truncating: UInt256(0xACC).word)
    static let hash = TransactionHash(UInt256(0x77).word)
    static let topic = UInt256(0x70).word

    static let reads: [ChainRead] = {
        let call = CallRequest(to: account, data: [1, 2, 3, 4])
        return [
            .chainID, .blockNumber, .block(.latest), .block(.number(5)), .balance(account, .latest),
            .transactionCount(account, .pending), .call(call, .latest), .estimateGas(call),
            .gasPrice, .maxPriorityFeePerGas, .feeHistory(blocks: 2, percentiles: [10, 50]),
            .feeHistory(blocks: 1_024, percentiles: []),
            .logs(
                LogFilter(
                    fromBlock: .earliest,
                    toBlock: .latest,
                    addresses: [account],
                    topics: [[], [topic]]
                )
            ),
            .logs(LogFilter(fromBlock: .earliest, toBlock: .latest)), .transaction(hash),
            .receipt(hash), .code(account, .latest), .accessList(call),
            .syncing, .fullBlock(.number(5)), .storage(account, topic, .latest),
            .header(.latest), .header(.number(23_000_000)),
            .proof(account, [topic, .zero], .number(5)),
        ]
    }()

    /// Up to 7 ids that follow each other, or with gaps between them.
    static func ids(_ byte: UInt8) -> [Int] {
        let step = byte & 0x40 == 0 ? 1 : 3
        return (0...Int(byte & 7)).map { Int(byte >> 3 & 7) + step * $0 }
    }

    /// Asks a fault everything that it is asked for.
    static func classify(_ fault: RPCFault) {
        _ = [
            fault.isRateLimit, fault.isLagging, fault.isBatchLimit, fault.isAnswerLimit,
            fault.isAlreadyKnown,
        ]
        _ = (fault.error.description, fault.errorOfCall.description, fault.errorOfSend.description)
    }

    static func check(
        _ outcome: RPCReply.Outcome?,
        id: Int,
        isAlone: Bool,
        in elements: [JSONValue]
    ) throws {
        switch outcome {
        case nil:
            try require(!isAlone || elements.count != 1 || elements[0]["id"] == nil, "unanswered")
        case .success(let result)?:
            let isWritten = elements.contains { element in
                let name = element["id"]
                let isMine = [name?.numberText, name?.stringValue].contains { text in
                    text.flatMap { Int($0) } == id
                }
                return element["result"] == result && (isMine || isAlone && name.isAbsent)
            }
            try require(isWritten, "a result that the node did not write for question \(id)")
        case .failure(let fault)?:
            classify(fault)
            try require(fault.message.unicodeScalars.count <= 1_000, "a message without bound")
        }
    }
}

extension JSONValue? {
    /// Absent or null.
    fileprivate var isAbsent: Bool {
        self == nil || self == .null
    }
}
