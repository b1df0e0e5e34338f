package import DexCore

/// What is proven of a state, as sentences.
package enum ProofText {
    /// None where no proofs are asked for.
    package static func lines(_ proof: StateProof?, _ screen: Screen) -> [String] {
        guard let proof else { return [] }
        return proof.sentences.flatMap { sentence in
            screen.sentences(TerminalText.clean(sentence), proof.isComplete ? .dim : .yellow)
        }
    }
}
