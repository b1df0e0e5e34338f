package import Ethereum

/// Ether or a token.
package enum Currency: Hashable, Sendable {
    case ether
    case token(Token)

    /// Text from outside.
    package var symbol: String {
        switch self {
        case .ether: "ETH"
        case .token(let token): token.symbol
        }
    }

    /// nil where they are not known, so that amounts are in base units.
    package var decimals: UInt8? {
        switch self {
        case .ether: 18
        case .token(let token): token.decimals
        }
    }

    /// nil for ether.
    package var token: Token? {
        if case .token(let token) = self { token } else { nil }
    }

    /// An amount for a sentence, with the symbol: `1.5 ZRX`.
    func text(_ raw: UInt256) -> String {
        let symbol = PlainText.clean(symbol, limit: 20)
        guard let decimals else { return "\(raw) base units of \(symbol)" }
        return "\(DecimalText.format(raw, decimals: decimals)) \(symbol)"
    }
}

/// What `dex send`, `dex wrap` and `dex unwrap` will do.
package struct TransferPlan: Sendable {
    package enum Kind: String, Sendable {
        case send
        case wrap
        case unwrap

        var purpose: TransactionPurpose {
            switch self {
            case .send: .send
            case .wrap: .wrap
            case .unwrap: .unwrap
            }
        }
    }

    package let kind: Kind
    package let account: Address
    /// Who gets it: the account itself where ether is wrapped or unwrapped.
    package let recipient: Address
    /// What leaves the account, and what arrives, in base units of both.
    package let amount: UInt256
    package let paid: Currency
    package let arriving: Currency
    /// What the account has of `paid` now.
    package let balance: UInt256
    package let block: UInt64
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    /// The most ether that it takes: what goes along and the gas.
    package let total: Wei
    package let warnings: [String]
    /// Why it would send nothing, as things are, so that nobody is asked; nil where it would.
    package var stop: DexError?
}

/// What `dex send`, `dex wrap` or `dex unwrap` did.
package struct TransferOutcome: Sendable {
    package let plan: TransferPlan
    package let transactions: [SentTransaction]
    /// Base units that really arrived; nil where nobody can tell.
    package let received: UInt256?
    package let warnings: [String]
    /// 0, 11, 12, 13 or 14.
    package let exit: ExitCode
}

/// What `dex allowance set` and `dex allowance revoke` will do.
package struct AllowancePlan: Sendable {
    package let account: Address
    package let token: Token
    /// The transfer contract.
    package let spender: Address
    /// Base units that it may move now.
    package let current: UInt256
    /// Base units that it will be allowed to move.
    package let amount: UInt256
    package let block: UInt64
    /// Empty where the allowance is that already.
    package let steps: [PlannedTransaction]
    package let gas: GasPlan?
    package let warnings: [String]
    /// Why it would send nothing, as things are, so that nobody is asked; nil where it would.
    package var stop: DexError?
}

/// What `dex allowance set` or `dex allowance revoke` did.
package struct AllowanceOutcome: Sendable {
    package let plan: AllowancePlan
    package let transactions: [SentTransaction]
    /// Base units that the transfer contract may move now; nil where that could not be read.
    package let allowance: UInt256?
    package let warnings: [String]
    /// 0, 11, 12, 13 or 14.
    package let exit: ExitCode
}

extension AllowanceOutcome {
    /// The allowance is what was asked for already; nothing was sent.
    package init(unchanged plan: AllowancePlan) {
        self.init(
            plan: plan,
            transactions: [],
            allowance: plan.current,
            warnings: [],
            exit: .done
        )
    }
}

/// What `dex allowance list` shows.
package struct AllowancesState: Sendable {
    package let owner: Address
    package let spender: Address
    package let block: UInt64
    package let rows: [BalanceState.Row]
}
