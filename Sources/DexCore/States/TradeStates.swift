package import Ethereum
package import ZeroEx

/// What a trade will do, shown before anything is signed: market orders and single fills.
package struct TradePlan: Sendable {
    /// One order that the plan uses, amounts in base units of the token paid and received.
    package struct Leg: Sendable {
        package let orderHash: OrderHash
        package let maker: Address
        package let price: Price
        /// Of the token that we give.
        package let pay: UInt256
        /// Of the token that we get; rounded down.
        package let receive: UInt256
        /// In the fee token.
        package let fee: UInt256
        /// A spare: used only where one before it is gone.
        package let isSpare: Bool
    }

    package let side: TradeSide
    package let pair: Pair
    package let block: UInt64
    package let account: Address
    package let legs: [Leg]
    package let payToken: Token
    package let receiveToken: Token
    package let expectedPay: UInt256
    package let maximumPay: UInt256
    package let expectedReceive: UInt256
    package let minimumReceive: UInt256
    package let average: Price
    /// The worst price of an order that the contract is given.
    package let worst: Price
    /// How far the average is from the best price, in hundredths of a percent.
    package let impactBasisPoints: UInt64
    /// Taker fees over the legs that are expected to fill; nil where there are none.
    package let fees: TokenAmount?
    /// The most of them in all outcomes; nil where there are none.
    package let maximumFees: TokenAmount?
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    package let warnings: [String]
    /// The contract skips orders that are gone; false: one short order fails the whole call.
    package let skipsGoneOrders: Bool
}

extension TradePlan {
    /// How much more a unit may cost in the worst outcome than in the expected one, in hundredths
    /// of a percent.
    var worstSlippage: UInt64 {
        PriceBounds.slippage(
            expected: (expectedPay, expectedReceive),
            worst: (maximumPay, minimumReceive)
        )
    }
}

/// One transaction that a plan will send.
package struct PlannedTransaction: Sendable {
    package let purpose: TransactionPurpose
    /// What it does, in words.
    ///
    /// `approve 1.5 WETH to the transfer contract 0x…`
    package let summary: String
    package let gasLimit: UInt64
}

extension PlannedTransaction {
    /// A call as a plan shows it.
    init(_ call: PlannedCall, gasLimit: UInt64) {
        self.init(purpose: call.purpose, summary: call.summary, gasLimit: gasLimit)
    }
}

/// What a transaction is for.
package enum TransactionPurpose: String, Sendable {
    case approve
    case resetAllowance = "reset-allowance"
    case fill
    case cancel
    case send
    case wrap
    case unwrap
    /// A call of any contract.
    case transact
    /// Nothing, in place of a transaction that is not wanted any more.
    case voidNonce = "void-nonce"

    /// In a sentence: `an earlier fill`.
    var noun: String {
        switch self {
        case .transact: "call of a contract"
        case .voidNonce: "empty transaction"
        case .approve, .resetAllowance, .fill, .cancel, .send, .wrap, .unwrap: rawValue
        }
    }

    /// What it lets happen comes behind it.
    var isApproval: Bool {
        switch self {
        case .approve, .resetAllowance: true
        case .fill, .send, .wrap, .unwrap, .transact, .cancel, .voidNonce: false
        }
    }

    /// Whoever repeats it by mistake moves money twice.
    var movesMoney: Bool {
        switch self {
        case .fill, .send, .wrap, .unwrap, .transact: true
        case .approve, .resetAllowance, .cancel, .voidNonce: false
        }
    }
}

/// What the transactions of a plan may cost.
package struct GasPlan: Sendable {
    package let limit: UInt64
    package let maxFeePerGas: Wei
    /// nil on a chain without a base fee.
    package let maxPriorityFeePerGas: Wei?
    /// limit x maxFeePerGas over all steps.
    package let maxCost: Wei
    /// What so much gas costs at present prices; what is not used costs nothing.
    package let presentCost: Wei
    /// What the tip goes by; nil on a chain without a base fee.
    package let priority: FeePriority?
    /// The fee was cut to the settings' cap.
    package let isCapped: Bool
    /// The most ether that goes along as the exchange's own fee, which goes by the price of gas;
    /// what is not needed comes back.
    package var protocolFee = Wei.zero
    /// What to tell of the price.
    var warnings: [String] = []
}

/// A transaction that was sent and what is known of it.
package struct SentTransaction: Hashable, Sendable {
    package enum Status: String, Sendable {
        case pending
        case mined
        case reverted
        case replaced
        case dropped

        /// How a command ends whose last transaction ended so.
        var exit: ExitCode {
            switch self {
            case .pending: .notMinedYet
            case .replaced, .dropped: .replacedOrDropped
            case .reverted: .reverted
            case .mined: .done
            }
        }
    }

    package let purpose: TransactionPurpose
    package let hash: TransactionHash
    package let status: Status
    /// Also of a pending one where it is in a block that lacks confirmations.
    package let block: UInt64?
    package let gasUsed: UInt64?
    /// gasUsed x price; nil while pending.
    package let cost: Wei?
    /// Why a pending one waits, where that is known; a sentence.
    package var reason: String?
}

extension SentTransaction {
    /// One that is on its way.
    static func pending(_ purpose: TransactionPurpose, _ hash: TransactionHash) -> Self {
        Self(purpose: purpose, hash: hash, status: .pending, block: nil, gasUsed: nil, cost: nil)
    }

    /// What to tell of one that did not get through, as a sentence.
    ///
    /// - Parameters:
    ///   - subject: what it is called: `the transfer`.
    ///   - nothing: what did not happen: `nothing was moved`.
    ///   - confirmations: as many as were asked for.
    func ending(_ subject: String, nothing: String, confirmations: UInt64) -> String {
        let start = subject.prefix(1).uppercased() + subject.dropFirst()
        return switch status {
        case .reverted: "\(start) was mined and reverted: \(nothing)."
        case .replaced: "Another transaction with the same nonce was mined: \(nothing)."
        case .dropped: "The node no longer knows \(subject); it is in the journal."
        case .pending, .mined: pendingWords(start, confirmations: confirmations)
        }
    }

    /// Why a pending transaction is not done, and how to follow it.
    ///
    /// - Parameter confirmations: as many as were asked for.
    func pendingWords(_ subject: String, confirmations: UInt64) -> String {
        guard let block else {
            return "\(subject) is not mined yet: follow it with `dex status \(hash) --wait`."
                + (reason.map { " \($0)" } ?? "")
        }
        let count = confirmations > 1 ? "its \(confirmations) confirmations" : "its confirmation"
        let flag = confirmations > 1 ? " --confirmations \(confirmations)" : ""
        return "\(subject) is in block \(block) and does not have \(count) yet, so what it did is "
            + "not final: follow it with `dex status \(hash) --wait\(flag)`."
    }
}

/// What a trade really did, from the receipts' events.
package struct TradeOutcome: Sendable {
    package struct Leg: Sendable {
        package enum Status: String, Sendable {
            case filled
            case partlyFilled = "partly-filled"
            case skipped
            /// A spare that was not needed, or an order after the amount was used up.
            case untouched
        }

        package let orderHash: OrderHash
        package let status: Status
        package let received: UInt256
        package let paid: UInt256
        package let fee: UInt256
        /// Why it was not filled as planned; nil where it was.
        package let reason: String?
    }

    package let plan: TradePlan
    package let transactions: [SentTransaction]
    package let received: UInt256
    package let paid: UInt256
    package let fees: UInt256
    /// Ether that the exchange itself took.
    package var protocolFee = Wei.zero
    /// Quote per base over what was really traded; nil where nothing was.
    package let effectivePrice: Price?
    package let legs: [Leg]
    package let warnings: [String]
    /// 0, 11, 12, 13 or 14.
    package let exit: ExitCode
}

/// What `dex place-limit` will sign.
package struct LimitPlan: Sendable {
    package let side: TradeSide
    package let pair: Pair
    package let account: Address
    package let draft: OrderDraft
    package let orderHash: OrderHash
    package let give: TokenAmount
    package let get: TokenAmount
    package let price: Price
    package let makerFee: TokenAmount?
    package let takerFee: TokenAmount?
    /// Seconds since 1970.
    package let expires: UInt64
    package let relay: String?
    package let steps: [PlannedTransaction]
    package let gas: GasPlan?
    package let warnings: [String]
}

/// What `dex place-limit` did.
package struct LimitOutcome: Sendable {
    package let plan: LimitPlan
    package let order: any SignedOrder
    /// The relay's wire form of the order, JSON text.
    package let wire: String
    package let transactions: [SentTransaction]
    /// The relay took it and gave it back by its hash.
    package let posted: Bool
    package let warnings: [String]
    package let exit: ExitCode
}

/// What `dex status` shows.
package enum StatusState: Sendable {
    case transaction(TransactionStatus)
    case order(OrdersState.Row, block: UInt64, fills: [FillEvent])
}

/// A transaction by its receipt.
package struct TransactionStatus: Sendable {
    package enum Status: String, Sendable {
        case unknown
        case pending
        case mined
        case reverted
        case replaced
        case dropped
    }

    package struct Fill: Sendable {
        package let event: FillEvent
        package let makerToken: Token
        package let takerToken: Token
        /// Of its fees; nil where it is not known.
        package var feeToken: Token?
    }

    /// One order that was cancelled, or that its maker tried to cancel when it was at its end.
    package struct Cancel: Hashable, Sendable {
        package let orderHash: OrderHash
        package let maker: Address

        package init(orderHash: OrderHash, maker: Address) {
            self.orderHash = orderHash
            self.maker = maker
        }
    }

    package let hash: TransactionHash
    package let status: Status
    package let from: Address?
    package let to: Address?
    package let block: UInt64?
    package let confirmations: UInt64
    package let gasUsed: UInt64?
    package let cost: Wei?
    package let fills: [Fill]
    package let cancels: [Cancel]
    package var pairCancels: [PairCancel] = []
    package let skipped: [(OrderHash, SkipReason)]
    package let exit: ExitCode
    /// Why it is not mined, and what happens with it; sentences.
    package var notes: [String] = []
}
