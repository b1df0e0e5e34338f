package import DexSigning
package import DexStore
import ErrorTableSupport
package import Ethereum
package import EthereumWallet
package import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

extension AddressError: ExemplifiedError {
    package static let examples: [AddressError] = [
        .malformed("Text"),
        .wrongChecksum("Text", expected: "Text"),
    ]

    package var number: Int {
        switch self {
        case .malformed: 0
        case .wrongChecksum: 1
        }
    }
}

extension ChainError: ExemplifiedError {
    package static let examples: [ChainError] = [
        .unreachable(url: "Text", reason: "Text"),
        .badStatus(url: "Text", reason: "Text", isPermanent: true),
        .nonsense("Text"),
        .rateLimited(url: "Text", retryAfter: nil),
        .reverted(data: [], message: "Text"),
        .unaffordable(code: 2, message: "Text"),
        .missingBlock(code: 2, message: "Text"),
        .nonceUsed(code: 2, message: "Text"),
        .notTaken(code: 2, message: "Text"),
        .rpc(code: 2, message: "Text"),
        .disagreement(
            NodeDisagreement(
                about: "the chain id",
                NodeDisagreement.Statement(node: "https://a.example", said: "1"),
                NodeDisagreement.Statement(node: "https://b.example", said: "5")
            )
        ),
        .tooFewAnswers(needed: 2, answered: 1, reason: "Text."),
        .declined(code: 2, message: "Text"),
    ]

    package var number: Int {
        switch self {
        case .unreachable: 0
        case .badStatus: 1
        case .nonsense: 2
        case .rateLimited: 3
        case .reverted: 4
        case .unaffordable: 5
        case .missingBlock: 6
        case .nonceUsed: 7
        case .notTaken: 8
        case .rpc: 9
        case .disagreement: 10
        case .tooFewAnswers: 11
        case .declined: 12
        }
    }
}

extension DecimalTextError: ExemplifiedError {
    package static let examples: [DecimalTextError] = [
        .malformed("Text"),
        .tooManyDigits("Text", decimals: 18),
        .tooLarge("Text"),
    ]

    package var number: Int {
        switch self {
        case .malformed: 0
        case .tooManyDigits: 1
        case .tooLarge: 2
        }
    }
}

extension ExchangeError: ExemplifiedError {
    package static let examples: [ExchangeError] = [
        .notAnExchange(.zero, .v1),
        .otherHashes(.zero, .v1, chainID: 7),
        .notAuthorized(exchange: .zero, transferContract: .zero),
        .unreadableAnswer("Text"),
    ]

    package var number: Int {
        switch self {
        case .notAnExchange: 0
        case .otherHashes: 1
        case .notAuthorized: 2
        case .unreadableAnswer: 3
        }
    }
}

extension JournalError: ExemplifiedError {
    package static let examples: [JournalError] = [
        .notWritable(path: "Text", reason: "Text"),
        .corrupt(path: "Text"),
        .foreign(path: "Text"),
        .newer(path: "Text"),
        .full(path: "Text"),
        .busy(path: "Text"),
        .reservationLost(nonce: 7),
        .notReplaceable(Sample.transaction),
        .outOfRange("Text"),
        .failed(path: "Text", reason: "Text"),
        .guardNotWaiting(3),
        .nonceHeld(nonce: 7),
        .tooManyPlans, .planNotOpen(PlanID(number: 7)), .planInFlight(PlanID(number: 7)),
        .damagedRow("Text", isOfChain: true),
    ]

    package var number: Int {
        switch self {
        case .notWritable: 0
        case .corrupt: 1
        case .foreign: 2
        case .newer: 3
        case .full: 4
        case .busy: 5
        case .reservationLost: 6
        case .notReplaceable: 7
        case .outOfRange: 8
        case .failed: 9
        case .guardNotWaiting: 10
        case .nonceHeld: 11
        case .tooManyPlans: 12
        case .planNotOpen: 13
        case .planInFlight: 14
        case .damagedRow: 15
        }
    }
}

extension OrderError: ExemplifiedError {
    package static let examples: [OrderError] = [
        .missing(field: "Text"),
        .malformed(field: "Text", found: "Text"),
        .tooLarge(field: "Text", bits: 2),
        .impossibleFee("Text"),
        .notAnOrder,
    ]

    package var number: Int {
        switch self {
        case .missing: 0
        case .malformed: 1
        case .tooLarge: 2
        case .impossibleFee: 3
        case .notAnOrder: 4
        }
    }
}

extension OrderRejection: ExemplifiedError {
    package static let examples: [OrderRejection] = [
        .wrongExchange(.zero),
        .wrongChain(7),
        .zeroAmount,
        .zeroMaker,
        .badSignature,
        .malformedSignature("Text"),
        .noOrigin,
        .wrongTokens,
        .reservedToken(.zero),
        .failingToken(.zero),
        .wrongHash,
    ]

    package var number: Int {
        switch self {
        case .wrongExchange: 0
        case .wrongChain: 1
        case .zeroAmount: 2
        case .zeroMaker: 3
        case .badSignature: 4
        case .malformedSignature: 5
        case .noOrigin: 6
        case .wrongTokens: 7
        case .reservedToken: 8
        case .failingToken: 9
        case .wrongHash: 10
        }
    }
}

extension PrivateKeyError: ExemplifiedError {
    package static let examples: [PrivateKeyError] = [
        .malformed,
        .outOfRange,
    ]

    package var number: Int {
        switch self {
        case .malformed: 0
        case .outOfRange: 1
        }
    }
}

extension LiquidityError: ExemplifiedError {
    package static let examples: [LiquidityError] = [
        .unreachable(url: "Text", reason: "Text"),
        .nonsense("Text"),
        .rateLimited(url: "Text", retryAfter: 7),
        .badKey(url: "Text"),
        .regionBlocked(url: "Text"),
        .noLiquidity,
        .exactOutUnsupported,
        .refused(
            status: 400,
            name: "Text",
            reason: "Text",
            fields: [FieldReason(field: "Text", reason: "Text")]
        ),
        .noPool,
        .unprovenToken(.zero),
        .chain(.nonsense("Text")),
        .absent,
        .foreignContracts(.otherContract(field: "Text", expected: "Text", found: "Text")),
        .exactInOnly,
        .unpooled,
    ]

    package var number: Int {
        switch self {
        case .unreachable: 0
        case .nonsense: 1
        case .rateLimited: 2
        case .badKey: 3
        case .regionBlocked: 4
        case .noLiquidity: 5
        case .exactOutUnsupported: 6
        case .refused: 7
        case .noPool: 8
        case .unprovenToken: 9
        case .chain: 10
        case .absent: 11
        case .foreignContracts: 12
        case .exactInOnly: 13
        case .unpooled: 14
        }
    }
}

extension QuoteFault: ExemplifiedError {
    package static let examples: [QuoteFault] = [
        .counterfeit(field: "Text", expected: "Text", found: "Text"),
        .unprotected,
        .paused,
        .otherContract(field: "Text", expected: "Text", found: "Text"),
    ]

    package var number: Int {
        switch self {
        case .counterfeit: 0
        case .unprotected: 1
        case .paused: 2
        case .otherContract: 3
        }
    }
}

extension RelayError: ExemplifiedError {
    package static let examples: [RelayError] = [
        .unreachable(url: "Text", reason: "Text"),
        .badStatus(url: "Text", reason: "Text", isPermanent: true),
        .nonsense("Text"),
        .rateLimited(url: "Text", retryAfter: nil),
        .refused(status: 2, code: nil, reason: "Text", fields: []),
        .noneAnswered([
            .init(relay: "Text", error: .nonsense("Text")),
            .init(relay: "Text", error: .unreachable(url: "Text", reason: "Text")),
        ]),
    ]

    package var number: Int {
        switch self {
        case .unreachable: 0
        case .badStatus: 1
        case .nonsense: 2
        case .rateLimited: 3
        case .refused: 4
        case .noneAnswered: 5
        }
    }
}

extension SignerError: ExemplifiedError {
    package static let examples: [SignerError] = [
        .wrongChain(transaction: nil, node: 7),
        .refused("Text"),
    ]

    package var number: Int {
        switch self {
        case .wrongChain: 0
        case .refused: 1
        }
    }
}

extension SigningError: ExemplifiedError {
    package static let examples: [SigningError] = [
        .interrupted,
        .wrongSignature,
        .highS,
        .auditFile(path: "Text", action: "Text", code: 2),
        .auditDamaged(path: "Text", what: "Text"),
        .wrongChain(nil, node: 7),
        .listInLegacy,
        .signer(.refused("x")),
        .looksLikeAHash(reason: "Text"),
        .policy(rule: "Text", source: "Text", reason: "Text"),
        .noKey(.zero),
        .otherSigner(name: "Text", .zero, advice: nil),
        .noTypedData(name: "Text", method: "Text", network: "Text", advice: nil),
        .changedTransaction(name: "Text", changes: ["Text"]),
        .badAnswer(name: "Text", reason: "Text"),
        .signerRefused(name: "Text", reported: "Text"),
        .declined(name: "Text", reported: "Text"),
        .agentSilent(.zero),
        .notLocked(.zero, process: 2),
        .noAgentSignature(.zero),
        .agentGone(.zero),
        .alreadyUnlocked(.zero),
        .exposedAgent(folder: "Text"),
        .agentSocket(path: "Text", what: "Text", code: 2),
        .agentRefused(reason: "Text"),
        .agentQuestion(reason: "Text"),
        .command(name: "Text", what: "Text", code: 2),
        .timeout(name: "Text", seconds: 7),
        .longAnswer(name: "Text", maximum: 2),
        .unknownNetwork("Text"),
        .unreachable(name: "Text", place: "Text", reason: "Text"),
        .reported(.init(.refused, "agent-refused", "It is refused.")),
        .foreignPermit(reason: "Text"),
        .noPermit(name: "Text", method: "Text"),
        .otherChain(reason: "Text"),
        .noTypedMessage(name: "Text", method: "Text"),
        .openGrant(reason: "Text"),
        .needsPerson(rule: "Text", reason: "Text"),
    ]

    package var number: Int {
        switch self {
        case .interrupted: 0
        case .needsPerson: 37
        case .wrongSignature: 1
        case .highS: 2
        case .auditFile: 3
        case .auditDamaged: 4
        case .wrongChain: 5
        case .listInLegacy: 6
        case .signer: 7
        case .looksLikeAHash: 8
        case .policy: 9
        case .noKey: 10
        case .otherSigner: 11
        case .noTypedData: 12
        case .changedTransaction: 13
        case .badAnswer: 14
        case .signerRefused: 15
        case .declined: 16
        case .agentSilent: 17
        case .notLocked: 18
        case .noAgentSignature: 19
        case .agentGone: 20
        case .alreadyUnlocked: 21
        case .exposedAgent: 22
        case .agentSocket: 23
        case .agentRefused: 24
        case .agentQuestion: 25
        case .command: 26
        case .timeout: 27
        case .longAnswer: 28
        case .unknownNetwork: 29
        case .unreachable: 30
        case .reported: 31
        case .foreignPermit: 32
        case .noPermit: 33
        case .otherChain: 34
        case .noTypedMessage: 35
        case .openGrant: 36
        }
    }
}
