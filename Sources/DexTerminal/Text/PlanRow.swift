/// The rows of every plan, in the one order in which each plan shows them.
///
/// First how it is done; then, right above the question, what it is about, on which terms, and the
/// money.
enum PlanRow: Int, CaseIterable, Comparable {
    // How it is done.
    case account, block, hash, tokens, venue, shownBy, relay, feeRecipient, filler, data, file
    case signs, asks, exchangeFee, gas, sentTo, steps, note
    // What it is about.
    case order, replaced, leftOut, nonce, contract, function, spender, recipient
    // On which terms.
    case trigger, now, bound, expires, returns
    // The money.
    case amount, pay, receive, allowance, price, mid, market, impact, fees, networkFee, dataFee
    case total, balance

    /// It belongs right above the question.
    var isDecisive: Bool { self >= .order }

    /// The decisive rows in the order in which they go further up where there is no room for all:
    /// what is paid and what comes stay to the end.
    static let leaving: [PlanRow] = [
        .nonce, .returns, .fees, .dataFee, .market, .leftOut, .now, .amount, .balance, .order,
        .replaced, .impact, .function, .contract, .spender, .bound, .trigger, .recipient, .total,
        .expires, .networkFee, .mid, .price, .allowance, .receive, .pay,
    ]

    static func < (left: PlanRow, right: PlanRow) -> Bool { left.rawValue < right.rawValue }

    /// The label of most rows of the kind.
    var label: String {
        switch self {
        case .account: "account"
        case .block: "block"
        case .hash: "hash"
        case .tokens: "token"
        case .venue: "venue"
        case .shownBy: "shown by"
        case .relay: "relay"
        case .feeRecipient: "fees to"
        case .filler: "filled by"
        case .data: "data"
        case .file: "signed"
        case .signs: "signs"
        case .asks: "asks"
        case .exchangeFee: "exchange"
        case .gas: "gas"
        case .sentTo: "sent to"
        case .steps: "steps"
        case .note: "note"
        case .order: "order"
        case .replaced: "replaces"
        case .leftOut: "left out"
        case .nonce: "nonce"
        case .contract: "contract"
        case .function: "function"
        case .spender: "by"
        case .recipient: "to"
        case .trigger: "when"
        case .now: "now"
        case .bound: "limit"
        case .expires: "expires"
        case .returns: "returns"
        case .amount: "amount"
        case .pay: "pay"
        case .receive: "receive"
        case .allowance: "allowance"
        case .price: "price"
        case .mid: "mid"
        case .market: "market"
        case .impact: "impact"
        case .fees: "fees"
        case .networkFee: "network fee"
        case .dataFee: "data fee"
        case .total: "total"
        case .balance: "balance"
        }
    }
}
