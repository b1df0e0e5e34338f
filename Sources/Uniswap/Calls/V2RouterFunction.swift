import Ethereum

/// The swaps of v2 Router02.
enum V2RouterFunction: String, Hashable, Sendable, CaseIterable {
    case tokensForTokens =
        "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)"
    case tokensForExactTokens =
        "swapTokensForExactTokens(uint256,uint256,address[],address,uint256)"
    case coinsForTokens = "swapExactETHForTokens(uint256,address[],address,uint256)"
    case coinsForExactTokens = "swapETHForExactTokens(uint256,address[],address,uint256)"
    case tokensForCoins = "swapExactTokensForETH(uint256,uint256,address[],address,uint256)"
    case tokensForExactCoins = "swapTokensForExactETH(uint256,uint256,address[],address,uint256)"
    case tokensForTokensMeasured =
        "swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)"
    case coinsForTokensMeasured =
        "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)"
    case tokensForCoinsMeasured =
        "swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)"

    /// The first four bytes of the call data, as a number.
    var selector: UInt32 {
        UInt32(truncatingIfNeeded: Keccak256.hash(rawValue.utf8).limbs.0 >> 32)
    }

    init?(selector: UInt32) {
        guard let function = Self.allCases.first(where: { $0.selector == selector }) else {
            return nil
        }
        self = function
    }

    var coin: V2RouterCall.Coin {
        switch self {
        case .tokensForTokens, .tokensForExactTokens, .tokensForTokensMeasured: .none
        case .coinsForTokens, .coinsForExactTokens, .coinsForTokensMeasured: .sold
        case .tokensForCoins, .tokensForExactCoins, .tokensForCoinsMeasured: .bought
        }
    }

    var isExactIn: Bool {
        switch self {
        case .tokensForExactTokens, .coinsForExactTokens, .tokensForExactCoins: false
        default: true
        }
    }

    var measures: Bool {
        switch self {
        case .tokensForTokensMeasured, .coinsForTokensMeasured, .tokensForCoinsMeasured: true
        default: false
        }
    }
}
