import Ethereum

extension ZeroExSwapRules {
    /// An error of 0x's Settler or AllowanceHolder as a sentence; nil for any other.
    public func revertReason(_ data: [UInt8]) -> String? {
        let words = stride(from: 4, to: data.count - 31, by: 32).map { data[$0..<$0 + 32] }
        switch (data.selector, words.count) {
        case (Self.tooMuchSlippage, 3):
            guard let expected = UInt256(bigEndian: words[1]),
                let actual = UInt256(bigEndian: words[2])
            else { return nil }
            return "the price moved: \(actual) base units would arrive, and at least \(expected) "
                + "have to"
        case (Self.signatureExpired, 1): return "the quote expired before it was mined"
        case (Self.confusedDeputy, 0): return "the called contract is a token"
        default: return nil
        }
    }

    private static let tooMuchSlippage: UInt32 = 0x97a6_f3b9
    private static let signatureExpired: UInt32 = 0xcd21_db4f
    private static let confusedDeputy = Array(Keccak256.hash("ConfusedDeputy()".utf8).bytes)
        .selector
}
