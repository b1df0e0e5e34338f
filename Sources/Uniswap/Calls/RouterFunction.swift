import Ethereum

/// The functions of SwapRouter02 that this module knows by name, and one of the older router.
///
/// Known does not mean allowed: see `RouterFault`.
public enum RouterFunction: String, Hashable, Sendable, CaseIterable {
    case exactInputSingle =
        "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))"
    case exactOutputSingle =
        "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))"
    case exactInput = "exactInput((bytes,address,uint256,uint256))"
    case exactOutput = "exactOutput((bytes,address,uint256,uint256))"
    case swapExactTokensForTokens =
        "swapExactTokensForTokens(uint256,uint256,address[],address)"
    case swapTokensForExactTokens =
        "swapTokensForExactTokens(uint256,uint256,address[],address)"
    case multicall = "multicall(uint256,bytes[])"
    case multicallWithoutDeadline = "multicall(bytes[])"
    case multicallAfterBlock = "multicall(bytes32,bytes[])"
    case unwrap = "unwrapWETH9(uint256,address)"
    case unwrapToSender = "unwrapWETH9(uint256)"
    case refundETH = "refundETH()"
    case wrapETH = "wrapETH(uint256)"
    case sweepToken = "sweepToken(address,uint256,address)"
    case sweepTokenToSender = "sweepToken(address,uint256)"
    case pull = "pull(address,uint256)"
    case unwrapWithFee = "unwrapWETH9WithFee(uint256,address,uint256,address)"
    case unwrapToSenderWithFee = "unwrapWETH9WithFee(uint256,uint256,address)"
    case sweepTokenWithFee = "sweepTokenWithFee(address,uint256,address,uint256,address)"
    case sweepTokenToSenderWithFee = "sweepTokenWithFee(address,uint256,uint256,address)"
    case selfPermit = "selfPermit(address,uint256,uint256,uint8,bytes32,bytes32)"
    case selfPermitIfNecessary =
        "selfPermitIfNecessary(address,uint256,uint256,uint8,bytes32,bytes32)"
    case selfPermitAllowed = "selfPermitAllowed(address,uint256,uint256,uint8,bytes32,bytes32)"
    case selfPermitAllowedIfNecessary =
        "selfPermitAllowedIfNecessary(address,uint256,uint256,uint8,bytes32,bytes32)"
    case approveMax = "approveMax(address)"
    case approveMaxMinusOne = "approveMaxMinusOne(address)"
    case approveZeroThenMax = "approveZeroThenMax(address)"
    case approveZeroThenMaxMinusOne = "approveZeroThenMaxMinusOne(address)"
    case callPositionManager = "callPositionManager(bytes)"
    /// Of the older SwapRouter, another contract.
    case olderExactInputSingle =
        "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))"

    /// The first four bytes of the call data, as a number.
    public var selector: UInt32 {
        UInt32(truncatingIfNeeded: Keccak256.hash(rawValue.utf8).limbs.0 >> 32)
    }

    /// The function of a selector; nil for one that is not in the list.
    public init?(selector: UInt32) {
        guard let function = Self.functions[selector] else { return nil }
        self = function
    }

    /// The function's name, without its arguments.
    public var name: String { String(rawValue.prefix { $0 != "(" }) }

    /// A swap or a multicall: within a multicall with a deadline it might be a trade.
    var couldBeTraded: Bool {
        switch self {
        case .exactInputSingle, .exactOutputSingle, .exactInput, .exactOutput,
            .swapExactTokensForTokens, .swapTokensForExactTokens, .multicall,
            .multicallWithoutDeadline, .multicallAfterBlock:
            true
        default: false
        }
    }

    private static let functions = Dictionary(
        allCases.map { ($0.selector, $0) },
        uniquingKeysWith: { first, _ in first }
    )

    /// The first four bytes of call data as a number; nil for less.
    static func selector(of data: [UInt8]) -> UInt32? {
        guard data.count >= 4 else { return nil }
        return data.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
