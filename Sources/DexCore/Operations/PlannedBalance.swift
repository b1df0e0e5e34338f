package import Ethereum
import ZeroEx

/// One of an account's balances before and after a plan, in base units.
package struct PlannedBalance: Hashable, Sendable {
    package let currency: Currency
    package let before: UInt256
    /// If all goes as expected.
    package let after: UInt256
    /// In the worst outcome that the plan allows.
    package let least: UInt256

    /// The balances that a trade changes: of what is paid and received, of fees, and of ether.
    ///
    /// A balance that was not read is left out.
    static func changes(by plan: TradePlan, of account: AccountSnapshot) -> [PlannedBalance] {
        var changes: [Change] = []
        func add(_ token: Token, _ amount: Change.Amounts, isPaid: Bool) {
            let currency: Currency = token.isNativeCoin ? .ether : .token(token)
            let index = changes.firstIndex { $0.has(currency) } ?? changes.endIndex
            if index == changes.endIndex { changes.append(Change(currency: currency)) }
            if isPaid { changes[index].paid.add(amount) } else { changes[index].got.add(amount) }
        }
        add(plan.payToken, .init(plan.expectedCost, plan.maximumCost), isPaid: true)
        add(plan.receiveToken, .init(plan.expectedReceive, plan.minimumReceive), isPaid: false)
        if let fees = plan.fees, !plan.paysFeesOnTop {
            let most = plan.maximumFees?.raw ?? fees.raw
            add(fees.token, .init(fees.raw, max(most, fees.raw)), isPaid: true)
        }
        let gas = Change.Amounts(plan.gas.presentCost.rawValue, plan.gas.maxCost.rawValue)
        add(.nativeCoin, gas, isPaid: true)
        let exchange = plan.gas.protocolFee.rawValue
        add(.nativeCoin, .init(exchange, exchange), isPaid: true)
        return changes.compactMap { $0.balance(of: account) }
    }

    /// What comes and goes of one currency.
    private struct Change {
        /// As expected, and in the worst outcome.
        struct Amounts {
            var expected: UInt256
            var worst: UInt256

            init(_ expected: UInt256 = .zero, _ worst: UInt256 = .zero) {
                self.expected = expected
                self.worst = worst
            }

            mutating func add(_ other: Amounts) {
                expected = expected.addingSaturating(other.expected)
                worst = worst.addingSaturating(other.worst)
            }
        }

        let currency: Currency
        var paid = Amounts()
        var got = Amounts()

        init(currency: Currency) { self.currency = currency }

        func has(_ other: Currency) -> Bool {
            currency.token?.address == other.token?.address
        }

        func balance(of account: AccountSnapshot) -> PlannedBalance? {
            let before =
                switch currency {
                case .ether: account.ether.rawValue
                case .token(let token): account.balances[token.address]
                }
            guard let before else { return nil }
            func after(_ paid: UInt256, _ got: UInt256) -> UInt256 {
                let sum = before.addingSaturating(got)
                return sum > paid ? sum - paid : .zero
            }
            return PlannedBalance(
                currency: currency,
                before: before,
                after: after(paid.expected, got.expected),
                least: after(paid.worst, got.worst)
            )
        }
    }
}
