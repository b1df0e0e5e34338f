import DexSigning
import DexStore
import ErrorTableSupport
import Ethereum
import EthereumWallet
import ZeroEx

@testable package import DexCore
@testable import DexCoreTestSupport

extension AlertError: ExemplifiedArea {
    package static let errors: [DexError] = [
        badCondition("Text"), noSuchAlert(3, network: "Text", known: [1, 2]),
    ]
}

extension BlockError: ExemplifiedArea {
    static let errors: [DexError] = [
        notABlock("Text"), ahead(7, latest: 6),
        unknownHash(BlockHash(Sample.order.word), network: "Text"), missing(7),
    ]
}

extension BookError: ExemplifiedArea {
    package static let errors: [DexError] = [
        unknownOrder(Sample.order, network: "Text"),
        noLiquidity(.buy, Sample.pair),
        nothingFillable(.buy, Sample.pair, passedOver: 1, isDear: true),
        nothingToFill,
        amountTooSmall(1, .buy, Sample.pair),
    ]
}

extension CallError: ExemplifiedArea {
    package static let errors: [DexError] = [
        approvalFails(Sample.token),
        badResults(count: 2, shown: "Text", error: .trailingBytes),
        readFails(function: "Text", .zero, words: "Text"),
        badFunction(reason: "Text"),
        badABI(path: "/p", reason: "Text"),
        noSuchFunction("Text", known: ["transfer"]),
        ambiguousFunction("Text", candidates: []),
        badArguments(function: "Text", count: 2, given: 2),
        badArgument(index: 2, function: "Text", reason: "Text"),
        badArgumentText(reason: "Text"),
        notAContract(.zero, network: "Text"),
        wouldRevert(subject: "Text", words: "Text"),
        tooManyCalls(.zero, maximum: 2),
        tooLongToShow(what: "Text", count: 3, maximum: 2),
    ]
}

extension CancelError: ExemplifiedArea {
    package static let errors: [DexError] = [
        notOwn(Sample.order, maker: .zero),
        unread(["Text"]),
    ]
}

extension ClockError: ExemplifiedArea {
    package static let errors: [DexError] = [
        off(found: "Text"), stale(StaleChain(block: 1_000, age: 86_400, limit: 60, nodes: 2)),
    ]
}

extension DoctorError: ExemplifiedArea {
    package static let errors: [DexError] = [
        unhealthy(count: 2, first: "Text", kind: .fault, remedy: nil)
    ]
}

extension EndedError: ExemplifiedArea {
    package static let errors: [DexError] = [
        interrupted,
        cancelled,
        inFlight(hash: Sample.transaction),
    ]
}

extension FundsError: ExemplifiedArea {
    package static let errors: [DexError] = [
        tooLittle(Sample.token, needed: 5, owned: 5, reason: "Text", network: Sample.network),
        lessThanSent(.coin(.ether), balance: 5, amount: 7),
        nothingToPayWith(Sample.token, wanted: 5, network: Sample.network),
        unfundedOrder("Text", lacking: 5, token: Sample.token, network: Sample.network),
        nothingToSpend(Sample.token),
    ]
}

extension GasError: ExemplifiedArea {
    package static let errors: [DexError] = [
        aboveValue(cost: Wei(5), moved: Wei(5), coin: .ether),
        badPrice("Text"),
        hasBaseFee(thing: "Text"),
        noBaseFee(thing: "Text", flag: "Text"),
        rose(left: Wei(5), coin: .ether),
        overCap(cost: Wei(5), budget: Wei(5), overrides: FeeOverrides(), coin: .ether),
        tooLow(maximum: Wei(5), minimum: Wei(6), base: Wei(6)),
        overBlockLimit(needed: 7, block: 7),
        limitTooLow(limit: 7, minimum: 21_000),
        limitOverBlock(limit: 7, block: 5),
        insufficient(ether: Wei(5), value: Wei(5), gas: nil, coin: .ether),
        etherGone(.ether),
        noCoin,
        shortFeeToken(.zero, owned: 5, needed: 6),
        tipAboveMaxFee(tip: Wei(6), maximum: Wei(5)),
    ]
}

extension GuardError: ExemplifiedArea {
    package static let errors: [DexError] = [
        limitOutOfRange, noSuchGuard(3, network: "Text", known: []), isFiring(3),
        noGuards(account: .zero), changed(3), unconfirmed, notReached(3),
        held("Text."), alreadyFired(3), expired(3),
        immediate(.sell, Sample.pair, amount: "1", price: "2"), unable("Text."),
        unfunded("Text."),
    ]
}

extension HashError: ExemplifiedArea {
    static let start: HashStart = {
        guard let start = try? HashStart("0xe649") else { preconditionFailure() }
        return start
    }()

    package static let errors: [DexError] = [
        notAHash("Text"),
        tooShort("0xe6"),
        unknown(start),
        unknownOrder(start),
        noOwnOrder(start),
        noOwnTransaction(start),
        ambiguous(start, ["Text", "Text"]),
        noList,
        damagedList,
        noTerminal,
        listOfOtherNetwork("Text", current: "Text"),
        noSuchRow(7, count: 5),
        rowOfOtherKind(7, .orders),
        wholeHashNeeded(Sample.order),
    ]
}

extension InFlightError: ExemplifiedArea {
    package static let errors: [DexError] = [
        resumed(Sample.journalled, wasMined: true),
        pending(Sample.journalled, wasMined: true, gap: nil),
        lost(Sample.journalled),
        unacknowledged(Sample.journalled),
        unacknowledgedOrder(Sample.order, isFilled: true),
        held(Sample.journalled),
        undecided(Sample.journalled),
        declined(Sample.journalled, words: "\"Text\""),
    ]
}

extension InputError: ExemplifiedArea {
    package static let errors: [DexError] = [
        blockAhead(7, latest: 7, option: "Text"),
        badTime("Text"),
        badPercent("Text"),
        malformedPrice(error: .malformed("x"), pair: Sample.pair),
        priceOutOfRange("Text", pair: Sample.pair),
        zeroAmount(hint: nil),
        badFeeCap("Text"),
        badInterval("Text"),
        tooManyCandles(7, maximum: 2),
        relativeAmount("max"),
        badShare("0%"),
        badRelativePrice("mid*2"),
        badCursor("Text"),
        badTag("Text"),
        reservedAddress(.zero),
    ]
}
