import Ethereum

/// Transactions and receipts, which nodes learn of at different times.
extension AnswerComparison {
    /// A mined transaction's receipt once all nodes have it in one block; nil before.
    func receipt(
        _ answers: [Answer],
        _ hash: TransactionHash,
        _ place: Int
    ) throws(NodeDisagreement) -> Answer {
        if let open = answers.first(where: Self.isOpen) { return open }
        let receipts = Self.receipts(answers)
        let known = receipts.enumerated().compactMap { index, receipt in
            receipt.map { (index: index, receipt: $0) }
        }
        guard let first = known.first else { return .success(.receipt(nil)) }
        var isShared = known.count == views.count
        for (index, receipt) in known.dropFirst() {
            if receipt.blockHash != first.receipt.blockHash {
                isShared = false
            } else if !receipt.isSame(as: first.receipt) {
                throw difference(place, first.index, index)
            }
        }
        return .success(.receipt(isShared ? first.receipt : nil))
    }

    private static func receipts(_ answers: [Answer]) -> [TransactionReceipt?] {
        answers.map { if case .success(.receipt(let receipt)) = $0 { receipt } else { nil } }
    }

    /// The nodes that have a receipt which others do not have, by transaction.
    func receiptsOfSome() -> [TransactionHash: String?] {
        var words: [TransactionHash: String?] = [:]
        for (place, read) in reads.enumerated().prefix(batch.count) {
            guard case .receipt(let hash) = read else { continue }
            let receipts = Self.receipts(answers(place))
            let blocks = Set(receipts.map { $0?.blockHash })
            guard blocks.count > 1 else {
                words[hash] = .some(nil)
                continue
            }
            let reported = zip(views, receipts).map { view, receipt in
                receipt.map { "\(view.name) has it in block \($0.blockNumber)" }
                    ?? "\(view.name) has no receipt"
            }
            words[hash] = "Not all nodes know its block: \(reported.joined(separator: "; "))."
        }
        return words
    }

    /// A transaction as a node knows it, the one that names its block before others.
    ///
    /// It is never unknown while a node has its receipt: another one could hide it, and it would
    /// count as lost or replaced.
    func transaction(
        _ answers: [Answer],
        _ hash: TransactionHash,
        _ place: Int
    ) throws(NodeDisagreement) -> Answer {
        if let open = answers.first(where: Self.isOpen) { return open }
        var known: (index: Int, info: TransactionInfo)?
        for (index, answer) in answers.enumerated() {
            guard case .success(.transaction(let info?)) = answer else { continue }
            guard let earlier = known else {
                known = (index, info)
                continue
            }
            guard info.isSame(as: earlier.info) else {
                throw difference(place, earlier.index, index)
            }
            if earlier.info.blockNumber == nil, info.blockNumber != nil { known = (index, info) }
        }
        if known == nil, let receipt = reads.firstIndex(of: .receipt(hash)),
            let some = views.firstIndex(where: { Self.hasReceipt($0.answers[receipt]) }),
            let other = views.indices.first(where: { !Self.hasReceipt(views[$0].answers[receipt]) })
        {
            return .failure(.disagreement(difference(receipt, some, other)))
        }
        return .success(.transaction(known?.info))
    }

    private static func hasReceipt(_ answer: Answer) -> Bool {
        if case .success(.receipt(.some)) = answer { true } else { false }
    }
}

extension TransactionReceipt {
    /// The same outcome in the same block; an old node may not report the price.
    fileprivate func isSame(as other: TransactionReceipt) -> Bool {
        transactionHash == other.transactionHash && blockNumber == other.blockNumber
            && blockHash == other.blockHash && from == other.from && to == other.to
            && succeeded == other.succeeded && gasUsed == other.gasUsed && logs == other.logs
            && rollupFee == other.rollupFee
            && (effectiveGasPrice == other.effectiveGasPrice || effectiveGasPrice == nil
                || other.effectiveGasPrice == nil)
    }
}

extension TransactionInfo {
    /// The same transaction, wherever it is.
    fileprivate func isSame(as other: TransactionInfo) -> Bool {
        hash == other.hash && from == other.from && to == other.to && nonce == other.nonce
            && value == other.value && gasLimit == other.gasLimit && data == other.data
    }
}
