import Ethereum

extension ChainRead {
    var isReceipt: Bool { if case .receipt = self { true } else { false } }
    var isFeeHistory: Bool { if case .feeHistory = self { true } else { false } }
}
