import ErrorTableSupport
import Ethereum

@testable package import DexCore

extension SimulationError: ExemplifiedArea {
    package static let errors: [DexError] = [
        fails(subject: "the text", words: "Text"),
        unplanned(subject: "the text", ["Text."]),
        moved(reason: "the text"),
    ]
}

extension StateLie: ExemplifiedError {
    package static let examples: [StateLie] = [
        StateLie(
            node: "https://node.example",
            subject: .word(slot: .zero, of: .zero),
            block: 7,
            claimed: "1",
            proven: "2",
            nodes: 2
        )
    ]

    package var number: Int { 0 }
}

extension LoneClaim: ExemplifiedError {
    package static let examples: [LoneClaim] = StateLie.examples.map { LoneClaim($0, proven: 6) }

    package var number: Int { 0 }
}
