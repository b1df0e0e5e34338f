import Ethereum

extension NodeDisagreement {
    typealias Reported = (node: String, answer: Result<ChainAnswer, ChainError>)

    /// Two answers to a question in words.
    init(asked read: ChainRead, _ one: Reported, _ other: Reported) {
        let said = Self.words(one.answer, other.answer)
        self.init(
            about: Self.subject(of: read),
            Statement(node: one.node, said: said.one),
            Statement(node: other.node, said: said.other)
        )
    }

    // MARK: The question

    private static func subject(of read: ChainRead) -> String {
        switch read {
        case .chainID: "the chain id"
        case .blockNumber: "the latest block"
        case .block(let tag), .fullBlock(let tag), .header(let tag): block(tag)
        case .balance(let account, let tag): "the balance of \(account)\(at(tag))"
        case .transactionCount(let account, let tag): "the nonce of \(account)\(at(tag))"
        case .call(let call, let tag): "\(subject(of: call))\(at(tag))"
        case .code(let address, let tag): "the code of \(address)\(at(tag))"
        case .storage(let contract, let slot, let tag):
            "the word at \(slot) of \(contract)\(at(tag))"
        case .logs: "the events of some blocks"
        case .lineaTip: "the tip that the chain asks for"
        case .feeHistory: "the base fees of the latest blocks"
        case .transaction(let hash): "the transaction \(hash)"
        case .receipt(let hash): "the receipt of \(hash)"
        case .proof(let address, _, let tag): "the proof of \(address)\(at(tag))"
        case .estimateGas, .accessList: "the gas of a call"
        case .gasPrice, .maxPriorityFeePerGas: "the price of gas"
        case .syncing: "the missing blocks"
        case .verbatim(let read): subject(of: read)
        }
    }

    /// The balances and allowances of tokens by their names, other calls by their function.
    private static func subject(of call: CallRequest) -> String {
        let words = call.data.dropFirst(4)
        func address(_ index: Int) -> Address? {
            let word = words.dropFirst(32 * index).prefix(32)
            return word.count == 32 ? Address(bytes: word.suffix(20)) : nil
        }
        func isCall(_ data: [UInt8]) -> Bool {
            call.data.count == data.count && call.data.prefix(4) == data.prefix(4)
        }
        if isCall(ERC20.balanceOf(.zero)), let owner = address(0) {
            return "the balance of \(owner) in the token \(call.to)"
        }
        if isCall(ERC20.allowance(owner: .zero, spender: .zero)), let owner = address(0),
            let spender = address(1)
        {
            return "the allowance of \(owner) for \(spender) in the token \(call.to)"
        }
        let function = Hex.encode(Array(call.data.prefix(4)))
        return "what \(call.to) returns for the function \(function)"
    }

    private static func block(_ tag: BlockTag) -> String {
        switch tag {
        case .latest: "the latest block"
        case .pending, .earliest, .finalized: "the \(tag.parameter) block"
        case .number(let number): "block \(number)"
        case .hash(let hash): "block \(hash)"
        }
    }

    private static func at(_ tag: BlockTag) -> String { " at \(block(tag))" }

    // MARK: The answers

    private static func words(
        _ one: Result<ChainAnswer, ChainError>,
        _ other: Result<ChainAnswer, ChainError>
    ) -> (one: String, other: String) {
        if case (.success(.bytes(let first)), .success(.bytes(let second))) = (one, other) {
            return (bytes(first, beside: second), bytes(second, beside: first))
        }
        if case (.success(.block(let first?)), .success(.block(let second?))) = (one, other),
            first.hash == second.hash
        {
            return (details(first), details(second))
        }
        return (words(one), words(other))
    }

    private static func words(_ answer: Result<ChainAnswer, ChainError>) -> String {
        switch answer {
        case .failure(let error) where error.isExecutionFailure:
            "that it fails (\(PlainText.clean(error.reason, limit: 400)))"
        case .failure(let error): "nothing (\(PlainText.clean(error.reason, limit: 400)))"
        case .success(.number(let number)): "\(number)"
        case .success(.wei(let wei)): "\(wei.rawValue) wei"
        case .success(.bytes(let data)): bytes(data, beside: [])
        case .success(.word(let word)): word.word.hex
        case .success(.block(let block)): block.map { "\($0.hash)" } ?? "there is none"
        case .success(.fullBlock(let block)):
            block.map { "\($0.block.hash) with \($0.transactions.count) transactions" }
                ?? "there is none"
        case .success(.feeHistory(let history)):
            history.baseFeePerGas.map { "\($0.rawValue)" }.joined(separator: ", ") + " wei"
        case .success(.logs(let logs)): "\(logs.count) events with other contents or places"
        case .success(.transaction(let info)):
            info.map { "from \($0.from) with the nonce \($0.nonce)" } ?? "there is none"
        case .success(.receipt(let receipt)): receipt.map(words) ?? "there is none"
        case .success(.accessList(let trace)): "\(trace.gasUsed) gas"
        case .success(.header(let header)): header.map { "\($0.hash)" } ?? "there is none"
        case .success(.proof(let proof)): "a proof of \(proof.account.nodes.count) nodes"
        case .success(.verbatim(_, let answer)): words(.success(answer))
        }
    }

    private static func words(_ receipt: TransactionReceipt) -> String {
        "\(receipt.succeeded ? "success" : "reverted") in block \(receipt.blockNumber) with "
            + "\(receipt.logs.count) events and \(receipt.gasUsed) gas"
    }

    private static func details(_ block: Block) -> String {
        let baseFee = block.baseFeePerGas.map { ", base fee \($0.rawValue)" } ?? ""
        return "time \(block.timestamp)\(baseFee), gas \(block.gasUsed) of \(block.gasLimit)"
    }

    /// One word as a number; else the 32 bytes around the first difference.
    private static func bytes(_ data: [UInt8], beside other: [UInt8]) -> String {
        guard !data.isEmpty else { return "nothing" }
        if other.count == 32 || other.isEmpty, data.count == 32, let word = Bytes32(bytes: data) {
            return "\(UInt256(word))"
        }
        let same = zip(data, other).prefix { $0 == $1 }.count
        let start = min(same, data.count) / 32 * 32
        let part = Hex.encode(Array(data.dropFirst(start).prefix(32)))
        return "\(part) at byte \(start) of \(data.count)"
    }
}
