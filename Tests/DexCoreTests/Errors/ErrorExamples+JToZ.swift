import DexSigning
import DexStore
import ErrorTableSupport
import Ethereum
import EthereumWallet
import ZeroEx

@testable package import DexCore
@testable import DexCoreTestSupport

extension LimitError: ExemplifiedError {
    package static let examples: [LimitError] = [
        .outOfRange("Text", pair: Sample.pair),
        .wrongSignature,
        .wrongHash,
        .impossible(.notAnOrder),
        .relayTerms(.notAnOrder),
        .relayFeeCap("Text", fee: 5, cap: 5, token: Sample.token),
        .badExpiry,
        .crossesBook(words: "Text", market: "Text"),
        .saltUnknown(words: "Text"),
        .pairCancelled,
        .unapproved(Sample.sent),
        .noReference(.thin(.buy, found: 5), amount: 7, pair: Sample.pair),
        .wouldFill(.buy, best: "1", pair: Sample.pair),
        .postOnlyUnread("There is no book."),
        .coarsePrice(signed: "0.5", distance: 500, nearest: [5, 7], pair: Sample.pair),
        .bookUnread("There is no book."),
        .crossesFurther(confirmed: 5, now: 700),
        .validOnLiveChain(7),
        .unbacked(
            isAllowance: true,
            has: TokenAmount(raw: 5, token: Sample.token),
            needs: TokenAmount(raw: 7, token: Sample.token),
            block: 7
        ),
    ]

    package var number: Int {
        switch self {
        case .outOfRange: 0
        case .wrongSignature: 1
        case .wrongHash: 2
        case .impossible: 3
        case .relayTerms: 4
        case .relayFeeCap: 5
        case .badExpiry: 6
        case .crossesBook: 7
        case .saltUnknown: 8
        case .pairCancelled: 9
        case .unapproved: 10
        case .noReference: 11
        case .wouldFill: 12
        case .postOnlyUnread: 13
        case .coarsePrice: 14
        case .bookUnread: 15
        case .crossesFurther: 16
        case .validOnLiveChain: 17
        case .unbacked: 18
        }
    }
}

extension NetworkError: ExemplifiedError {
    package static let examples: [NetworkError] = [
        .wrongChain(node: 7, Sample.network),
        .noRelay(network: "Text"),
        .damagedList(problem: "Text"),
        .noContract(.zero, chainID: 7),
        .noWrappedCoin(network: "Text", coin: .ether),
        .noExchange(network: "Text"),
        .noSwap(network: "Text"),
        .noSwapKey(network: "Text"),
        .otherRelay(relay: "Text", network: "Text", reason: "Text."),
        .noPools(network: "Text"),
    ]

    package var number: Int {
        switch self {
        case .wrongChain: 0
        case .noRelay: 1
        case .damagedList: 2
        case .noContract: 3
        case .noWrappedCoin: 4
        case .noExchange: 5
        case .noSwap: 6
        case .noSwapKey: 7
        case .otherRelay: 8
        case .noPools: 9
        }
    }
}

extension OutcomeError: ExemplifiedError {
    package static let examples: [OutcomeError] = [
        .stillInFlight,
        .minedBefore(hash: Sample.transaction),
        .lost(Sample.transaction, successor: nil, isReplaced: true, remedy: nil),
        .cancelledLess,
        .movedLess,
        .allowanceNotSet,
        .orderUnconfirmed,
        .reverted(reason: nil),
        .replacedOrDropped(Sample.transaction),
        .filledLess,
        .notMinedYet(Sample.transaction),
        .notConfirmedYet(Sample.transaction, block: 7),
        .notSent(Sample.transaction),
        .relaysUnread(["Text"]),
        .declined(DeclinedSend(words: "\"Text\"", remedy: "dex resume")),
    ]

    package var number: Int {
        switch self {
        case .stillInFlight: 0
        case .minedBefore: 1
        case .lost: 2
        case .cancelledLess: 3
        case .movedLess: 4
        case .allowanceNotSet: 5
        case .orderUnconfirmed: 6
        case .reverted: 7
        case .replacedOrDropped: 8
        case .filledLess: 9
        case .notMinedYet: 10
        case .notConfirmedYet: 11
        case .notSent: 12
        case .relaysUnread: 13
        case .declined: 14
        }
    }
}

extension ReadError: ExemplifiedError {
    package static let examples: [ReadError] = [
        .reorganized,
        .blockNotFound(7),
        .unknownHash(Sample.word, network: "Text"),
        .logsRefused(block: 7, .nonsense("x")),
        .tooManyEvents(most: 2, block: 7),
        .logsIncomplete(block: 7),
        .unreadableReceipt(Sample.transaction, error: .unreadableAnswer("x")),
        .nodeBehind(count: 7, nonce: 7),
        .tooManyFills(most: 2),
        .oldBook("Text."),
        .tooManyRows(most: 2),
    ]

    package var number: Int {
        switch self {
        case .reorganized: 0
        case .blockNotFound: 1
        case .unknownHash: 2
        case .logsRefused: 3
        case .tooManyEvents: 4
        case .logsIncomplete: 5
        case .unreadableReceipt: 6
        case .nodeBehind: 7
        case .tooManyFills: 8
        case .oldBook: 9
        case .tooManyRows: 10
        }
    }
}

extension ReplacementError: ExemplifiedError {
    package static let examples: [ReplacementError] = [
        .feeCap(cost: Wei(5), budget: Wei(5), coin: .ether),
        .tooOften(most: 2),
        .tooLow(Wei(5), least: Wei(5), isTip: false),
        .aboveCap(Wei(7), isExact: true, percent: 7, first: Wei(5)),
        .unknownPurpose(Sample.transaction, purpose: "Text"),
        .wouldFillNothing(Sample.transaction),
        .unknown(Sample.transaction, network: "Text"),
        .otherAccount(Sample.transaction, sender: .zero, account: .zero),
        .hasSuccessor(Sample.transaction, successor: Sample.transaction),
        .mined(Sample.transaction),
        .neverMined(Sample.transaction, .replaced),
        .badJournal(Sample.transaction, error: .malformed("x")),
        .fails(DexError(EndedError.interrupted), Sample.transaction),
        .undecided(Sample.transaction),
        .belowBaseFee(Wei(5), base: Wei(7), isBudget: true),
        .tipBeyond(Wei(7), most: Wei(5), isBudget: true),
    ]

    package var number: Int {
        switch self {
        case .feeCap: 0
        case .tooOften: 1
        case .tooLow: 2
        case .aboveCap: 3
        case .unknownPurpose: 4
        case .wouldFillNothing: 5
        case .unknown: 6
        case .otherAccount: 7
        case .hasSuccessor: 8
        case .mined: 9
        case .neverMined: 10
        case .badJournal: 11
        case .fails: 12
        case .undecided: 13
        case .belowBaseFee: 14
        case .tipBeyond: 15
        }
    }
}

extension SendError: ExemplifiedError {
    package static let examples: [SendError] = [
        .contractsChanged,
        .otherKey(plan: .zero, signer: .zero),
        .refused(Sample.transaction, words: "Text", nonce: 7, isReplacement: true),
        .known(Sample.transaction, block: 7), .tooManyWaiting(most: 8),
        .nonceUsed(7, count: 8),
        .privateUnconfirmed(Sample.transaction, endpoint: "Text", reason: "Text"),
    ]

    package var number: Int {
        switch self {
        case .contractsChanged: 0
        case .otherKey: 1
        case .refused: 2
        case .known: 3
        case .tooManyWaiting: 4
        case .nonceUsed: 5
        case .privateUnconfirmed: 6
        }
    }
}

extension SignedFileError: ExemplifiedError {
    static let examples: [SignedFileError] = [
        .unreadable("it is no JSON"),
        .mismatch(key: "nonce", file: "1", bytes: "2"),
        .everyChain,
        .createsContract,
        .otherChain(file: 1, Sample.network),
        .expired(ago: 7),
        .nonceUsed(7, Sample.transaction),
        .nonceGap(7, next: 5, held: Sample.transaction),
        .feeTooLow(most: Wei(1), base: Wei(2)),
        .fillsNothing(Sample.transaction),
        .nodeRefused(Sample.transaction, words: "Text"),
        .severalTransactions(first: "the approval of ZRX", command: "dex allowance set ZRX 5"),
        .notOneTransaction,
        .exists(path: "Text"),
        .notWritten(path: "Text", reason: "Text", Sample.transaction),
        .orderNotWritten(path: "Text", reason: "Text", Sample.order),
        .notHeld(Sample.transaction, .mined),
        .unknown(Sample.transaction, network: "Text"),
        .undecided(7, Sample.transaction),
    ]

    var number: Int {
        switch self {
        case .unreadable: 0
        case .mismatch: 1
        case .everyChain: 2
        case .createsContract: 3
        case .otherChain: 4
        case .expired: 5
        case .nonceUsed: 6
        case .nonceGap: 7
        case .feeTooLow: 8
        case .fillsNothing: 9
        case .nodeRefused: 10
        case .severalTransactions: 11
        case .notOneTransaction: 12
        case .exists: 13
        case .notWritten: 14
        case .orderNotWritten: 15
        case .notHeld: 16
        case .unknown: 17
        case .undecided: 18
        }
    }
}

extension SwapError: ExemplifiedError {
    package static let examples: [SwapError] = [
        .beyondLimit(.buy, venue: "Text", average: nil),
        .quoteMoved(venue: "Text"),
        .quotesTooOld(venue: "Text"),
        .noVenue(reasons: ["Text."], isUnreachable: true),
        .nativeOnBook(.ether),
        .permitOfNative,
        .shortBalance(venue: "Text", owned: TokenAmount(raw: 7, token: Sample.token)),
        .arrivesShort(TokenAmount(raw: 7, token: Sample.token)),
    ]

    package var number: Int {
        switch self {
        case .beyondLimit: 0
        case .quoteMoved: 1
        case .quotesTooOld: 2
        case .noVenue: 3
        case .nativeOnBook: 4
        case .permitOfNative: 5
        case .shortBalance: 6
        case .arrivesShort: 7
        }
    }
}

extension TokenError: ExemplifiedError {
    package static let examples: [TokenError] = [
        .badList(problem: "Text"),
        .unlisted(.zero, chainID: 7),
        .looksAlike(symbol: "Text", chainID: 7, candidates: []),
        .malformedPair(text: "Text", meant: "ZRX/WETH"),
        .sameToken(pair: "Text", .zero),
        .otherDecimals(symbol: "Text", .zero, listed: 18, chain: 5),
        .notAToken(.zero),
        .ambiguous("Text", chainID: 7, exact: 2, hasCurrent: true, candidates: []),
        .unknown("Text", chainID: 7, coin: .ether, similar: [], question: nil),
        .reserved(.zero, coin: .ether),
        .coinOrToken(.ether, chainID: 7, tokens: []),
        .otherCoin(.ether, network: "Text", coin: .ether),
    ]

    package var number: Int {
        switch self {
        case .badList: 0
        case .unlisted: 1
        case .looksAlike: 2
        case .malformedPair: 3
        case .sameToken: 4
        case .otherDecimals: 5
        case .notAToken: 6
        case .ambiguous: 7
        case .unknown: 8
        case .reserved: 9
        case .coinOrToken: 10
        case .otherCoin: 11
        }
    }
}

extension TokenListError: ExemplifiedError {
    static let examples: [TokenListError] = [
        .silent(.zero, functions: ["decimals()", "totalSupply()"]),
        .tooManyDecimals(.zero, 255),
        .listedAlready(ListedToken(users: Sample.token)),
        .noSymbol(.zero),
        .badSymbol("a/b", isContracts: true, .zero),
        .etherSymbol("ETH", .zero),
        .copiedSymbol("ZRX", .zero, of: []),
        .knownSpoof("Text"),
        .bundled(Sample.token),
        .notInList("Text", network: "x"),
        .severalInList("Text", []),
    ]

    var number: Int {
        switch self {
        case .silent: 0
        case .tooManyDecimals: 1
        case .listedAlready: 2
        case .noSymbol: 3
        case .badSymbol: 4
        case .etherSymbol: 5
        case .copiedSymbol: 6
        case .knownSpoof: 7
        case .bundled: 8
        case .notInList: 9
        case .severalInList: 10
        }
    }
}

extension ReplaceOrderError: ExemplifiedError {
    package static let examples: [ReplaceOrderError] = [
        .notOpen(Sample.order, .filled),
        .filledMeanwhile(Sample.order, amount: TokenAmount(raw: 5, token: Sample.token)),
        .notPlaced(ErrorSummary(DexError(BookError.nothingToFill))),
    ]

    package var number: Int {
        switch self {
        case .notOpen: 0
        case .filledMeanwhile: 1
        case .notPlaced: 2
        }
    }
}

extension LadderError: ExemplifiedError {
    package static let examples: [LadderError] = [
        .badCount(1, most: 20),
        .tooSmall(count: 5),
        .samePrices,
        .unconfirmed(Sample.order),
        .stopped(standing: 2, of: 5, cause: ErrorSummary(DexError(BookError.nothingToFill))),
    ]

    package var number: Int {
        switch self {
        case .badCount: 0
        case .tooSmall: 1
        case .samePrices: 2
        case .unconfirmed: 3
        case .stopped: 4
        }
    }
}

extension TradeError: ExemplifiedError {
    package static let examples: [TradeError] = [
        .slippageTooHigh("Text"),
        .noAccount,
        .takerFeeCap(
            cap: "Text",
            symbol: "Text",
            found: "Text",
            base: "Text",
            needed: "Text",
            pair: Sample.pair,
            instead: nil
        ),
        .impactTooHigh(percent: "Text", cheapPart: nil),
        .sumOutOfRange,
        .bookMoved,
        .tooManyOrders(.buy, Sample.pair, most: 2, found: 5),
        .priceLimit(.buy, Sample.pair, found: nil),
        .thinBook(.buy, Sample.pair, found: 5, amount: 7),
        .wouldFillLess(isNothing: true),
        .fillFails(words: "Text"),
        .approvalMissing,
        .nothingFills,
        .badOrder(.duplicate),
        .notFillable(Sample.order, .filled, reason: "Text", remedy: "Text"),
        .takerFeeAboveCap(5, Sample.token),
        .amountTooLarge(most: 5, base: Sample.token),
        .rounding,
        .orderMoved,
        .orderTooDear(percent: "Text", best: "Text", pair: Sample.pair),
        .thinForSpend(Sample.pair, cost: 5, spend: 7),
        .spendTooSmall(5, Sample.pair),
        .priceUnchecked("Text", amount: nil, limitFlag: nil),
        .referenceUnread("Text."),
    ]

    package var number: Int {
        switch self {
        case .slippageTooHigh: 0
        case .noAccount: 1
        case .takerFeeCap: 2
        case .impactTooHigh: 3
        case .sumOutOfRange: 4
        case .bookMoved: 5
        case .tooManyOrders: 6
        case .priceLimit: 7
        case .thinBook: 8
        case .wouldFillLess: 9
        case .fillFails: 10
        case .approvalMissing: 11
        case .nothingFills: 12
        case .badOrder: 13
        case .notFillable: 14
        case .takerFeeAboveCap: 15
        case .amountTooLarge: 16
        case .rounding: 17
        case .orderMoved: 18
        case .orderTooDear: 19
        case .thinForSpend: 20
        case .spendTooSmall: 21
        case .priceUnchecked: 22
        case .referenceUnread: 23
        }
    }
}

extension TransferError: ExemplifiedError {
    package static let examples: [TransferError] = [
        .reserved(.zero),
        .ownContract(.zero, Sample.token),
        .exchange(.zero),
        .tokenContract(.zero, Sample.token),
        .unknownName("legder", known: ["ledger"]),
        .ambiguousName(
            "ledger",
            [KnownAddresses.Entry(name: "ledger", address: .zero, source: .wallet)]
        ),
        .bridge(.zero),
    ]

    package var number: Int {
        switch self {
        case .reserved: 0
        case .ownContract: 1
        case .exchange: 2
        case .tokenContract: 3
        case .unknownName: 4
        case .ambiguousName: 5
        case .bridge: 6
        }
    }
}
