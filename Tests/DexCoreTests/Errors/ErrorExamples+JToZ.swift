import DexSigning
import DexStore
import ErrorTableSupport
import Ethereum
import EthereumWallet
import ZeroEx

@testable package import DexCore
@testable import DexCoreTestSupport

extension LimitError: ExemplifiedArea {
    package static let errors: [DexError] = [
        outOfRange("Text", pair: Sample.pair),
        wrongSignature,
        wrongHash,
        impossible(.notAnOrder),
        relayTerms(.notAnOrder),
        relayFeeCap("Text", fee: 5, cap: 5, token: Sample.token),
        badExpiry,
        crossesBook(words: "Text", market: "Text"),
        saltUnknown(words: "Text"),
        pairCancelled,
        unapproved(Sample.sent),
        noReference(.thin(.buy, found: 5), amount: 7, pair: Sample.pair),
        wouldFill(.buy, best: "1", pair: Sample.pair),
        postOnlyUnread("There is no book."),
        coarsePrice(signed: "0.5", distance: 500, nearest: [5, 7], pair: Sample.pair),
        bookUnread("There is no book."),
        crossesFurther(confirmed: 5, now: 700),
        validOnLiveChain(7),
        unbacked(
            isAllowance: true,
            has: TokenAmount(raw: 5, token: Sample.token),
            needs: TokenAmount(raw: 7, token: Sample.token),
            block: 7
        ),
    ]
}

extension NetworkError: ExemplifiedArea {
    package static let errors: [DexError] = [
        wrongChain(node: 7, Sample.network),
        noRelay(network: "Text"),
        damagedList(problem: "Text"),
        noContract(.zero, chainID: 7),
        noWrappedCoin(network: "Text", coin: .ether),
        noExchange(network: "Text"),
        noSwap(network: "Text"),
        noSwapKey(network: "Text"),
        otherRelay(relay: "Text", network: "Text", reason: "Text."),
        noPools(network: "Text"),
    ]
}

extension OutcomeError: ExemplifiedArea {
    package static let errors: [DexError] = [
        stillInFlight,
        minedBefore(hash: Sample.transaction),
        lost(Sample.transaction, successor: nil, isReplaced: true, remedy: nil),
        stepMissing,
        cancelledLess,
        movedLess,
        allowanceNotSet,
        orderUnconfirmed,
        reverted(reason: nil),
        replacedOrDropped(Sample.transaction),
        filledLess,
        notMinedYet(Sample.transaction),
        notConfirmedYet(Sample.transaction, block: 7),
        notSent(Sample.transaction),
        relaysUnread(["Text"]),
        declined(DeclinedSend(words: "\"Text\"", remedy: "dex resume")),
    ]
}

extension ReadError: ExemplifiedArea {
    package static let errors: [DexError] = [
        reorganized,
        blockNotFound(7),
        unknownHash(Sample.word, network: "Text"),
        logsRefused(block: 7, .nonsense("x")),
        tooManyEvents(maximum: 2, block: 7),
        logsIncomplete(block: 7), tradeIncomplete(block: 7),
        unreadableReceipt(Sample.transaction, error: .unreadableAnswer("x")),
        nodeBehind(count: 7, nonce: 7),
        tooManyFills(maximum: 2),
        oldBook("Text."),
        tooManyRows(maximum: 2),
    ]
}

extension ReplacementError: ExemplifiedArea {
    package static let errors: [DexError] = [
        feeCap(cost: Wei(5), budget: Wei(5), coin: .ether),
        tooOften(maximum: 2),
        tooLow(Wei(5), minimum: Wei(5), isTip: false),
        aboveCap(Wei(7), isExact: true, percent: 7, first: Wei(5)),
        unknownPurpose(Sample.transaction, purpose: "Text"),
        wouldFillNothing(Sample.transaction),
        unknown(Sample.transaction, network: "Text"),
        otherAccount(Sample.transaction, sender: .zero, account: .zero),
        hasSuccessor(Sample.transaction, successor: Sample.transaction),
        mined(Sample.transaction),
        neverMined(Sample.transaction, .replaced),
        badJournal(Sample.transaction, error: .malformed("x")),
        fails(.interrupted, Sample.transaction),
        undecided(Sample.transaction),
        belowBaseFee(Wei(5), base: Wei(7), isBudget: true),
        tipBeyond(Wei(7), maximum: Wei(5), isBudget: true),
    ]
}

extension SendError: ExemplifiedArea {
    package static let errors: [DexError] = [
        contractsChanged,
        otherKey(plan: .zero, signer: .zero),
        refused(Sample.transaction, words: "Text", nonce: 7, isReplacement: true),
        known(Sample.transaction, block: 7), tooManyWaiting(maximum: 8),
        nonceUsed(7, count: 8),
        privateUnconfirmed(Sample.transaction, endpoint: "Text", reason: "Text"),
    ]
}

extension SignedFileError: ExemplifiedArea {
    static let errors: [DexError] = [
        unreadable("it is no JSON"),
        mismatch(key: "nonce", file: "1", bytes: "2"),
        everyChain,
        createsContract,
        otherChain(file: 1, Sample.network),
        expired(ago: 7),
        nonceUsed(7, Sample.transaction),
        nonceGap(7, next: 5, held: Sample.transaction),
        feeTooLow(maximum: Wei(1), base: Wei(2)),
        fillsNothing(Sample.transaction),
        nodeRefused(Sample.transaction, words: "Text"),
        severalTransactions(first: "the approval of ZRX", command: "dex allowance set ZRX 5"),
        notOneTransaction,
        exists(path: "Text"),
        notWritten(path: "Text", reason: "Text", Sample.transaction),
        orderNotWritten(path: "Text", reason: "Text", Sample.order),
        notHeld(Sample.transaction, .mined),
        unknown(Sample.transaction, network: "Text"),
        undecided(7, Sample.transaction),
    ]
}

extension SwapError: ExemplifiedArea {
    package static let errors: [DexError] = [
        beyondLimit(.buy, venue: "Text", average: nil),
        quoteMoved(venue: "Text"),
        quotesTooOld(venue: "Text"),
        noVenue(reasons: ["Text."], isUnreachable: true),
        nativeOnBook(.ether),
        permitOfNative,
        shortBalance(venue: "Text", owned: TokenAmount(raw: 7, token: Sample.token)),
        arrivesShort(TokenAmount(raw: 7, token: Sample.token)),
    ]
}

extension TokenError: ExemplifiedArea {
    package static let errors: [DexError] = [
        badList(problem: "Text"),
        unlisted(.zero, chainID: 7),
        looksAlike(symbol: "Text", chainID: 7, candidates: []),
        malformedPair(text: "Text", meant: "ZRX/WETH"),
        sameToken(pair: "Text", .zero),
        otherDecimals(symbol: "Text", .zero, listed: 18, chain: 5),
        notAToken(.zero),
        ambiguous("Text", chainID: 7, exact: 2, hasCurrent: true, candidates: []),
        unknown("Text", chainID: 7, coin: .ether, similar: [], question: nil),
        reserved(.zero, coin: .ether),
        coinOrToken(.ether, chainID: 7, tokens: []),
        otherCoin(.ether, network: "Text", coin: .ether),
    ]
}

extension TokenListError: ExemplifiedArea {
    static let errors: [DexError] = [
        silent(.zero, functions: ["decimals()", "totalSupply()"]),
        tooManyDecimals(.zero, 255),
        listedAlready(ListedToken(users: Sample.token)),
        noSymbol(.zero),
        badSymbol("a/b", isContracts: true, .zero),
        etherSymbol("ETH", .zero),
        copiedSymbol("ZRX", .zero, of: []),
        knownSpoof("Text"),
        bundled(Sample.token),
        notInList("Text", network: "x"),
        severalInList("Text", []),
    ]
}

extension ReplaceOrderError: ExemplifiedArea {
    package static let errors: [DexError] = [
        notOpen(Sample.order, .filled),
        filledMeanwhile(Sample.order, amount: TokenAmount(raw: 5, token: Sample.token)),
        notPlaced(BookError.nothingToFill),
    ]
}

extension LadderError: ExemplifiedArea {
    package static let errors: [DexError] = [
        badCount(1, maximum: 20),
        tooSmall(count: 5),
        samePrices,
        unconfirmed(Sample.order),
        stopped(standing: 2, of: 5, cause: BookError.nothingToFill),
    ]
}

extension TradeError: ExemplifiedArea {
    package static let errors: [DexError] = [
        slippageTooHigh("Text"),
        noAccount,
        takerFeeCap(
            cap: "Text",
            symbol: "Text",
            found: "Text",
            base: "Text",
            needed: "Text",
            pair: Sample.pair,
            instead: nil
        ),
        impactTooHigh(percent: "Text", cheapPart: nil),
        sumOutOfRange,
        bookMoved,
        tooManyOrders(.buy, Sample.pair, maximum: 2, found: 5),
        priceLimit(.buy, Sample.pair, found: nil),
        thinBook(.buy, Sample.pair, found: 5, amount: 7),
        wouldFillLess(isNothing: true),
        fillFails(words: "Text"),
        approvalMissing,
        nothingFills,
        badOrder(.duplicate),
        notFillable(Sample.order, .filled, reason: "Text", remedy: "Text"),
        takerFeeAboveCap(5, Sample.token),
        amountTooLarge(maximum: 5, base: Sample.token),
        rounding,
        orderMoved,
        priceFarFromBook(percent: "Text", best: "Text", pair: Sample.pair),
        thinForSpend(Sample.pair, cost: 5, spend: 7),
        spendTooSmall(5, Sample.pair),
        priceUnchecked("Text", amount: nil, limitFlag: nil),
        referenceUnread("Text."),
    ]
}

extension TransferError: ExemplifiedArea {
    package static let errors: [DexError] = [
        reserved(.zero),
        ownContract(.zero, Sample.token),
        exchange(.zero),
        tokenContract(.zero, Sample.token),
        unknownName("legder", known: ["ledger"]),
        ambiguousName(
            "ledger",
            [KnownAddresses.Entry(name: "ledger", address: .zero, source: .wallet)]
        ),
        bridge(.zero),
    ]
}
