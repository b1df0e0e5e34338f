package import Ethereum
import ZeroEx

/// One of an account's balances before and after a plan, in base units.
///
/// A purchase for about 0.3753 and at most 0.3791 WETH leaves 49.6247 of 50 WETH, at least 49.6209.
package struct PlannedBalance: Hashable, Sendable {
    package let currency: Currency
    /// nil if it could not be read, as are the others then.
    package let before: UInt256?
    /// If all goes as expected.
    package let after: UInt256?
    /// In the worst outcome that the plan allows; of limit orders, with the account's other open
    /// orders filled as well.
    package let minimum: UInt256?

    /// The balances that a trade changes: of what is paid and received, of fees, and of ether.
    ///
    /// A balance that could not be read is unknown.
    static func changes(by plan: TradePlan, of account: AccountSnapshot) -> [PlannedBalance] {
        var changes = Changes()
        changes.pay(plan.payToken, .init(plan.expectedCost, plan.maximumCost))
        changes.get(plan.receiveToken, .init(plan.expectedReceive, plan.minimumReceive))
        if let fees = plan.fees, !plan.paysFeesOnTop {
            let maximum = plan.maximumFees?.raw ?? fees.raw
            changes.pay(fees.token, .init(fees.raw, max(maximum, fees.raw)))
        }
        changes.pay(plan.gas)
        let exchange = plan.gas.protocolFee.rawValue
        changes.pay(.nativeCoin(plan.gas.coin), .init(exchange, exchange))
        return changes.balances(of: account)
    }

    /// The balances that limit orders of one account change once each is filled whole: of what is
    /// given and got, of makers' fees, and of ether for the gas.
    ///
    /// Posting changes none of them.
    static func changes(by orders: [OrderStep], gas: GasPlan?) -> [PlannedBalance] {
        guard let last = orders.last else { return [] }
        var changes = Changes()
        for order in orders {
            for need in order.needs { changes.pay(need.token, .init(need.own, need.own)) }
            changes.get(order.plan.get.token, .init(order.plan.get.raw, order.plan.get.raw))
        }
        for token in changes.tokens {
            changes.pay(token, .init(.zero, last.committed[token.address] ?? .zero))
        }
        if let gas { changes.pay(gas) }
        return changes.balances(of: last.holder)
    }

    /// The balances after several plans, one after another, each read before all of them.
    static func after(_ plans: [[PlannedBalance]]) -> [PlannedBalance] {
        var all: [PlannedBalance] = []
        for balance in plans.joined() {
            let own = all.firstIndex { $0.currency.isSame(as: balance.currency) }
            guard let own else {
                all.append(balance)
                continue
            }
            let earlier = all[own]
            func sum(_ one: UInt256?, _ other: UInt256?) -> UInt256? {
                guard let one, let other, let before = balance.before else { return nil }
                return one.addingSaturating(other).subtractingSaturating(before)
            }
            all[own] = PlannedBalance(
                currency: earlier.currency,
                before: earlier.before,
                after: sum(earlier.after, balance.after),
                minimum: sum(earlier.minimum, balance.minimum)
            )
        }
        return all
    }

    /// The amounts that come and go of several currencies.
    private struct Changes {
        private var all: [Change] = []

        var tokens: [Token] { all.compactMap(\.currency.token) }

        mutating func pay(_ token: Token, _ amount: Change.Amounts) {
            all[index(of: token)].paid.add(amount)
        }

        mutating func pay(_ gas: GasPlan) {
            pay(.nativeCoin(gas.coin), .init(gas.presentCost.rawValue, gas.maxCost.rawValue))
        }

        mutating func get(_ token: Token, _ amount: Change.Amounts) {
            all[index(of: token)].got.add(amount)
        }

        private mutating func index(of token: Token) -> Int {
            let currency = Currency(token)
            if let index = all.firstIndex(where: { $0.currency.isSame(as: currency) }) {
                return index
            }
            all.append(Change(currency: currency))
            return all.count - 1
        }

        func balances(of account: AccountSnapshot) -> [PlannedBalance] {
            all.map { $0.balance(of: account) }
        }
    }

    /// The amounts that come and go of one currency.
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

        func balance(of account: AccountSnapshot) -> PlannedBalance {
            let before =
                switch currency {
                case .coin: account.ether.rawValue
                case .token(let token): account.balances[token.address]
                }
            func after(_ paid: UInt256, _ got: UInt256) -> UInt256? {
                before.map { $0.addingSaturating(got).subtractingSaturating(paid) }
            }
            return PlannedBalance(
                currency: currency,
                before: before,
                after: after(paid.expected, got.expected),
                minimum: after(paid.worst, got.worst)
            )
        }
    }
}
