import Ethereum

/// The reason why the router, the quoter or a pool reverted.
///
/// The contracts say `Error(string)` or nothing; they hide the reasons of tokens.
///
/// Source: Uniswap's v2 and v3 contracts.
public enum RouterRevert: Hashable, Sendable {
    /// No data: no pool, not enough in it, or a function that the contract lacks.
    case empty
    /// One of the contracts' own texts.
    case reason(Reason)
    /// Another text of `Error(string)`.
    ///
    /// External text.
    case other(String)
    /// Neither; the bytes.
    case unknown([UInt8])

    /// The contracts' texts.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        case tooLittleReceived = "Too little received"
        case tooMuchRequested = "Too much requested"
        case tooOld = "Transaction too old"
        case blockhash = "Blockhash"
        case transferFromFailed = "STF"
        case payoutFailed = "TF"
        case transferFailed = "ST"
        case coinTransferFailed = "STE"
        case approvalFailed = "SA"
        case paidTooLittle = "IIA"
        case locked = "LOK"
        case priceLimit = "SPL"
        case zeroAmount = "AS"
        case insufficientWrapped = "Insufficient WETH9"
        case insufficientToken = "Insufficient token"
        case coinsWithoutCall = "Not WETH9"
        case unexpected = "Unexpected error"
        case shortPath = "slice_outOfBounds"
        case noInput = "INSUFFICIENT_INPUT_AMOUNT"
        case noOutput = "INSUFFICIENT_OUTPUT_AMOUNT"
        case pairNoInput = "UniswapV2: INSUFFICIENT_INPUT_AMOUNT"
        case pairNoOutput = "UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT"
        case pairTooLittle = "UniswapV2: INSUFFICIENT_LIQUIDITY"
        case pairRecipient = "UniswapV2: INVALID_TO"
        case pairProduct = "UniswapV2: K"
        case pairLocked = "UniswapV2: LOCKED"
        case pairTransferFailed = "UniswapV2: TRANSFER_FAILED"
        case v2Expired = "UniswapV2Router: EXPIRED"
        case v2TooLittle = "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT"
        case v2TooMuch = "UniswapV2Router: EXCESSIVE_INPUT_AMOUNT"
        case v2Path = "UniswapV2Router: INVALID_PATH"
        case v2TransferFromFailed = "TransferHelper: TRANSFER_FROM_FAILED"
        case v2Reserve = "ds-math-sub-underflow"
        case oldObservation = "OLD"
        case noObservation = "I"
    }

    /// The revert that returned data mean.
    public init(_ data: [UInt8]) {
        if data.isEmpty {
            self = .empty
        } else if data.starts(with: Self.error),
            case .string(let text) = try? ABI.decode(  // nil: not words
                Array(data.dropFirst(4)),
                as: [.string],
                allowsTrailingBytes: true
            ).first
        {
            self = Reason(rawValue: text).map { .reason($0) } ?? .other(text)
        } else {
            self = .unknown(data)
        }
    }

    private static let error = ERC20.call("Error(string)")
}

extension RouterRevert: CustomStringConvertible {
    /// A part of a sentence: "the price moved beyond the minimum".
    public var description: String {
        switch self {
        case .empty: "there is no such pool, or it does not hold enough"
        case .reason(let reason): reason.description
        case .other(let text): "the contract says \(ForeignWords.quoted(text, limit: 80))"
        case .unknown(let data):
            "the contract answered with an unknown error, \(Hex.encode(data.prefix(4)))"
        }
    }
}

extension RouterRevert.Reason: CustomStringConvertible {
    /// A part of a sentence.
    public var description: String {
        switch self {
        case .tooLittleReceived, .v2TooLittle: "the price moved beyond the minimum"
        case .tooMuchRequested, .v2TooMuch: "the price moved beyond the maximum"
        case .tooOld, .v2Expired: "the deadline passed before the transaction was mined"
        case .blockhash: "another block came before the transaction"
        case .transferFromFailed, .v2TransferFromFailed:
            "the token to sell could not be taken: its allowance or its balance is too low, or the "
                + "token refuses"
        case .payoutFailed, .pairTransferFailed: "the token to buy refuses the pool's payment"
        case .transferFailed: "a token refuses the router's payment"
        case .coinTransferFailed: "the recipient refuses the chain's coin"
        case .approvalFailed: "a token refuses an approval"
        case .paidTooLittle, .pairProduct:
            "the pool got less than it asked for: the token to sell takes a fee when it moves"
        case .locked: "the pool has no price yet, or is in use by the same transaction"
        case .pairLocked: "the pool is in use by the same transaction"
        case .priceLimit: "the pool has no liquidity left on this side"
        case .zeroAmount, .noInput, .pairNoInput: "the amount is zero"
        case .noOutput, .pairNoOutput: "the amount is too small to buy anything"
        case .insufficientWrapped: "fewer coins arrived than the minimum"
        case .insufficientToken: "less of the token arrived than the minimum"
        case .coinsWithoutCall: "coins were sent to the router without a call"
        case .unexpected: "the pool does not hold enough"
        case .pairTooLittle, .v2Reserve: "the pool does not hold so much"
        case .shortPath, .v2Path: "the path of pools is not valid"
        case .pairRecipient: "the recipient is one of the pool's tokens"
        case .oldObservation: "the pool does not remember its price of so long ago"
        case .noObservation: "the pool has no price yet"
        }
    }
}
