import DexSigning
import DexStore
import ErrorTableSupport
import Ethereum
import EthereumWallet
import ZeroEx

@testable package import DexCore
@testable import DexCoreTestSupport

extension AlertError: ExemplifiedError {
    package static let examples: [AlertError] = [
        .badCondition("Text"), .noSuchAlert(3, network: "Text", known: [1, 2]),
    ]

    package var number: Int {
        switch self {
        case .badCondition: 0
        case .noSuchAlert: 1
        }
    }
}

extension BlockError: ExemplifiedError {
    static let examples: [BlockError] = [
        .notABlock("Text"), .ahead(7, latest: 6),
        .unknownHash(BlockHash(Sample.order.word), network: "Text"), .missing(7),
    ]

    var number: Int {
        switch self {
        case .notABlock: 0
        case .ahead: 1
        case .unknownHash: 2
        case .missing: 3
        }
    }
}

extension BookError: ExemplifiedError {
    package static let examples: [BookError] = [
        .unknownOrder(Sample.order, network: "Text"),
        .noLiquidity(.buy, Sample.pair),
        .nothingFillable(.buy, Sample.pair, passedOver: 1, isDear: true),
        .nothingToFill,
        .amountTooSmall(1, .buy, Sample.pair),
    ]

    package var number: Int {
        switch self {
        case .unknownOrder: 0
        case .noLiquidity: 1
        case .nothingFillable: 2
        case .nothingToFill: 3
        case .amountTooSmall: 4
        }
    }
}

extension CallError: ExemplifiedError {
    package static let examples: [CallError] = [
        .approvalFails(Sample.token),
        .badResults(count: 2, shown: "Text", error: .trailingBytes),
        .readFails(function: "Text", .zero, words: "Text"),
        .badFunction(reason: "Text"),
        .badABI(path: "/p", reason: "Text"),
        .noSuchFunction("Text", known: ["transfer"]),
        .ambiguousFunction("Text", candidates: []),
        .badArguments(function: "Text", count: 2, given: 2),
        .badArgument(index: 2, function: "Text", reason: "Text"),
        .badArgumentText(reason: "Text"),
        .notAContract(.zero, network: "Text"),
        .wouldRevert(subject: "Text", words: "Text"),
        .tooManyCalls(.zero, most: 2),
        .tooLongToShow(what: "Text", count: 3, most: 2),
    ]

    package var number: Int {
        switch self {
        case .approvalFails: 0
        case .badResults: 1
        case .readFails: 2
        case .badFunction: 3
        case .badABI: 4
        case .noSuchFunction: 5
        case .ambiguousFunction: 6
        case .badArguments: 7
        case .badArgument: 8
        case .badArgumentText: 9
        case .notAContract: 10
        case .wouldRevert: 11
        case .tooManyCalls: 12
        case .tooLongToShow: 13
        }
    }
}

extension CancelError: ExemplifiedError {
    package static let examples: [CancelError] = [
        .notOwn(Sample.order, maker: .zero),
        .unread(["Text"]),
    ]

    package var number: Int {
        switch self {
        case .notOwn: 0
        case .unread: 1
        }
    }
}

extension ClockError: ExemplifiedError {
    package static let examples: [ClockError] = [
        .off(found: "Text"), .stale(StaleChain(block: 1_000, age: 86_400, limit: 60, nodes: 2)),
    ]

    package var number: Int {
        switch self {
        case .off: 0
        case .stale: 1
        }
    }
}

extension DoctorError: ExemplifiedError {
    package static let examples: [DoctorError] = [
        .unhealthy(count: 2, first: "Text", kind: .fault, remedy: nil)
    ]

    package var number: Int {
        switch self {
        case .unhealthy: 0
        }
    }
}

extension EndedError: ExemplifiedError {
    package static let examples: [EndedError] = [
        .interrupted,
        .cancelled,
        .inFlight(hash: Sample.transaction),
    ]

    package var number: Int {
        switch self {
        case .interrupted: 0
        case .cancelled: 1
        case .inFlight: 2
        }
    }
}

extension FundsError: ExemplifiedError {
    package static let examples: [FundsError] = [
        .tooLittle(Sample.token, needed: 5, owned: 5, reason: "Text", network: Sample.network),
        .lessThanSent(.coin(.ether), balance: 5, amount: 7),
        .nothingToPayWith(Sample.token, wanted: 5, network: Sample.network),
        .unfundedOrder("Text", lacking: 5, token: Sample.token, network: Sample.network),
        .nothingToSpend(Sample.token),
    ]

    package var number: Int {
        switch self {
        case .tooLittle: 0
        case .lessThanSent: 1
        case .nothingToPayWith: 2
        case .unfundedOrder: 3
        case .nothingToSpend: 4
        }
    }
}

extension GasError: ExemplifiedError {
    package static let examples: [GasError] = [
        .aboveValue(cost: Wei(5), moved: Wei(5), coin: .ether),
        .badPrice("Text"),
        .hasBaseFee(thing: "Text"),
        .noBaseFee(thing: "Text", flag: "Text"),
        .rose(left: Wei(5), coin: .ether),
        .overCap(cost: Wei(5), budget: Wei(5), wish: FeeOverrides(), coin: .ether),
        .tooLow(most: Wei(5), least: Wei(6), base: Wei(6)),
        .overBlockLimit(needed: 7, block: 7),
        .limitTooLow(limit: 7, least: 21_000),
        .limitOverBlock(limit: 7, block: 5),
        .insufficient(ether: Wei(5), value: Wei(5), gas: nil, coin: .ether),
        .etherGone(.ether),
        .noCoin,
        .shortFeeToken(.zero, owned: 5, needed: 6),
        .tipAboveMaxFee(tip: Wei(6), most: Wei(5)),
    ]

    package var number: Int {
        switch self {
        case .aboveValue: 0
        case .badPrice: 1
        case .hasBaseFee: 2
        case .noBaseFee: 3
        case .rose: 4
        case .overCap: 5
        case .tooLow: 6
        case .overBlockLimit: 7
        case .limitTooLow: 8
        case .limitOverBlock: 9
        case .insufficient: 10
        case .etherGone: 11
        case .noCoin: 12
        case .shortFeeToken: 13
        case .tipAboveMaxFee: 14
        }
    }
}

extension GuardError: ExemplifiedError {
    package static let examples: [GuardError] = [
        .limitOutOfRange, .noSuchGuard(3, network: "Text", known: []), .isFiring(3),
        .noGuards(account: .zero), .changed(3), .unconfirmed, .notReached(3),
        .held("Text."), .alreadyFired(3), .expired(3),
        .immediate(.sell, Sample.pair, amount: "1", price: "2"), .unable("Text."),
        .unfunded("Text."),
    ]

    package var number: Int {
        switch self {
        case .limitOutOfRange: 0
        case .noSuchGuard: 1
        case .isFiring: 2
        case .noGuards: 3
        case .changed: 4
        case .unconfirmed: 5
        case .notReached: 6
        case .held: 7
        case .alreadyFired: 8
        case .expired: 9
        case .immediate: 10
        case .unable: 11
        case .unfunded: 12
        }
    }
}

extension HashError: ExemplifiedError {
    static let start: HashStart = {
        guard let start = try? HashStart("0xe649") else { preconditionFailure() }
        return start
    }()

    package static let examples: [HashError] = [
        .notAHash("Text"),
        .tooShort("0xe6"),
        .unknown(start),
        .unknownOrder(start),
        .noOwnOrder(start),
        .noOwnTransaction(start),
        .ambiguous(start, ["Text", "Text"]),
        .noList,
        .damagedList,
        .noTerminal,
        .listOfOtherNetwork("Text", current: "Text"),
        .noSuchRow(7, count: 5),
        .rowOfOtherKind(7, .orders),
        .wholeHashNeeded(Sample.order),
    ]

    package var number: Int {
        switch self {
        case .notAHash: 0
        case .tooShort: 1
        case .unknown: 2
        case .unknownOrder: 3
        case .noOwnOrder: 4
        case .noOwnTransaction: 5
        case .ambiguous: 6
        case .noList: 7
        case .damagedList: 8
        case .noTerminal: 9
        case .listOfOtherNetwork: 10
        case .noSuchRow: 11
        case .rowOfOtherKind: 12
        case .wholeHashNeeded: 13
        }
    }
}

extension InFlightError: ExemplifiedError {
    package static let examples: [InFlightError] = [
        .resumed(Sample.journalled, wasMined: true),
        .pending(Sample.journalled, wasMined: true, gap: nil),
        .lost(Sample.journalled),
        .unacknowledged(Sample.journalled),
        .unacknowledgedOrder(Sample.order, isFilled: true),
        .held(Sample.journalled),
        .undecided(Sample.journalled),
        .declined(Sample.journalled, words: "\"Text\""),
    ]

    package var number: Int {
        switch self {
        case .resumed: 0
        case .pending: 1
        case .lost: 2
        case .unacknowledged: 3
        case .unacknowledgedOrder: 4
        case .held: 5
        case .undecided: 6
        case .declined: 7
        }
    }
}

extension InputError: ExemplifiedError {
    package static let examples: [InputError] = [
        .blockAhead(7, latest: 7, option: "Text"),
        .badTime("Text"),
        .badPercent("Text"),
        .malformedPrice(error: .malformed("x"), pair: Sample.pair),
        .priceOutOfRange("Text", pair: Sample.pair),
        .zeroAmount(hint: nil),
        .badFeeCap("Text"),
        .badInterval("Text"),
        .tooManyCandles(7, most: 2),
        .relativeAmount("max"),
        .badShare("0%"),
        .badRelativePrice("mid*2"),
        .badCursor("Text"),
        .badTag("Text"),
        .reservedAddress(.zero),
    ]

    package var number: Int {
        switch self {
        case .blockAhead: 0
        case .badTime: 1
        case .badPercent: 2
        case .malformedPrice: 3
        case .priceOutOfRange: 4
        case .zeroAmount: 5
        case .badFeeCap: 6
        case .badInterval: 7
        case .tooManyCandles: 8
        case .relativeAmount: 9
        case .badShare: 10
        case .badRelativePrice: 11
        case .badCursor: 12
        case .badTag: 13
        case .reservedAddress: 14
        }
    }
}
