extension OrderRefusals: CustomStringConvertible {
    /// All reasons as sentences, for an operator.
    package var description: String {
        reasons.map { $0.words(feePath: "/fees", spender: "exchange's transfer contract") + "." }
            .joined(separator: " ")
    }
}
