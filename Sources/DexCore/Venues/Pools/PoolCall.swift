import Ethereum
import Uniswap

/// A call that trades at Uniswap's pools, of whichever router.
enum PoolCall {
    case router(RouterCall)
    case v2Router(V2RouterCall)

    /// nil for another contract, or a call that this program does not know.
    init?(to contract: Address?, data: [UInt8], value: Wei, _ deployment: UniswapDeployment) {
        if contract == deployment.router {
            // nil: as above
            guard let call = try? RouterCall(data: data, value: value) else { return nil }
            self = .router(call)
        } else if contract != nil, contract == deployment.v2Router {
            // nil: as above
            guard let call = try? V2RouterCall(data: data, value: value) else { return nil }
            self = .v2Router(call)
        } else {
            return nil
        }
    }

    /// At least one.
    var paths: [PoolPath] {
        switch self {
        case .router(let call): call.swaps.map(\.path)
        case .v2Router(let call): [call.path]
        }
    }

    /// What is sold is fixed; else what is bought.
    var isExactIn: Bool {
        let amount =
            switch self {
            case .router(let call): call.swaps.first?.amount
            case .v2Router(let call): call.amount
            }
        return if case .exactIn = amount { true } else { false }
    }

    /// Whom it sends the chain's coin to; nil if nobody.
    var coinRecipient: Address? {
        switch self {
        case .router(let call): call.unwrap?.recipient
        case .v2Router(let call): call.coin == .bought ? call.recipient : nil
        }
    }

    /// What it brought of an exact amount in, or cost of an exact amount out, by what it returned.
    ///
    /// - Returns: base units; nil if the answer does not tell.
    func result(_ answer: [UInt8]) -> UInt256? {
        switch self {
        case .router(let call): call.result(answer)
        case .v2Router(let call): call.result(answer)
        }
    }

    /// The last second, since 1970, of a block that may hold it.
    var deadline: UInt64 {
        switch self {
        case .router(let call): call.deadline
        case .v2Router(let call): call.deadline
        }
    }
}

extension Network {
    /// Until when a call of a router of Uniswap's can be mined without reverting, seconds since
    /// 1970; nil for any other call.
    func poolDeadline(of call: CallRequest) -> UInt64? {
        pools.flatMap { PoolCall(to: call.to, data: call.data, value: call.value, $0) }?.deadline
    }
}
