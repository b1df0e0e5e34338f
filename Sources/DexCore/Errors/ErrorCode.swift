/// The stable word of an error for scripts, in kebab case, with the kind that its exit code follows
/// from: `.refused("no-liquidity")`.
///
/// The word is a literal where it is written, so that the table in docs/output.md can be generated
/// from the sources (`ErrorTable`).
package struct ErrorCode: Hashable, Sendable {
    package let kind: ErrorKind
    package let word: String

    /// - Parameter member: what stands for the capitals of a family: `order-FLAG` with `expired` is
    ///   `order-expired`.
    package init(_ kind: ErrorKind, _ word: StaticString, _ member: String? = nil) {
        self.kind = kind
        guard let member else {
            self.word = word.description
            return
        }
        let start = word.description.prefix { !$0.isUppercase }
        self.word = start + member
    }

    /// A code that an earlier error had, or that a module below gives.
    package init(_ kind: ErrorKind, recorded word: String) {
        self.kind = kind
        self.word = word
    }

    package static func fault(_ word: StaticString) -> Self { Self(.fault, word) }
    package static func usage(_ word: StaticString) -> Self { Self(.usage, word) }
    package static func configuration(_ word: StaticString, _ member: String? = nil) -> Self {
        Self(.configuration, word, member)
    }
    package static func unreachable(_ word: StaticString) -> Self { Self(.unreachable, word) }
    package static func wallet(_ word: StaticString) -> Self { Self(.wallet, word) }
    package static func refused(_ word: StaticString, _ member: String? = nil) -> Self {
        Self(.refused, word, member)
    }
    package static func relayRefused(_ word: StaticString) -> Self { Self(.relayRefused, word) }
    package static func simulationFailed(_ word: StaticString) -> Self {
        Self(.simulationFailed, word)
    }
    package static func reverted(_ word: StaticString, _ member: String? = nil) -> Self {
        Self(.reverted, word, member)
    }
    package static func notMinedYet(_ word: StaticString, _ member: String? = nil) -> Self {
        Self(.notMinedYet, word, member)
    }
    package static func replacedOrDropped(_ word: StaticString, _ member: String? = nil) -> Self {
        Self(.replacedOrDropped, word, member)
    }
    package static func filledLess(_ word: StaticString) -> Self { Self(.filledLess, word) }
    package static func declined(_ word: StaticString) -> Self { Self(.declined, word) }
    package static func interrupted(_ word: StaticString) -> Self { Self(.interrupted, word) }
}
