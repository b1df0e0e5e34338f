import ErrorTableSupport

@testable package import DexCore

extension SimulationError: ExemplifiedError {
    package static let examples: [SimulationError] = [
        .fails(subject: "the text", words: "Text"),
        .unplanned(subject: "the text", ["Text."]),
    ]

    package var number: Int {
        switch self {
        case .fails: 0
        case .unplanned: 1
        }
    }
}
