import DexStore
import Ethereum
import ZeroEx

/// The amounts that a mined swap took from its account and brought, in base units.
struct SwapMovement: Hashable, Sendable {
    /// The paid token, or the native coin.
    let pay: Address
    /// nil if it is not known of the transaction alone.
    let received: UInt256?
    /// Whether the balances prove what was received of a token; nil of the native coin, of which
    /// nothing else is known, and if the node did not answer.
    let arrival: TradeArrival?
    /// nil if it is not known of the transaction alone.
    let paid: UInt256?

    /// Reads it from the transaction alone: tokens by their Transfer events and balances
    /// (`TokenArrival`), the native coin as far as it is known (`CoinMovement`).
    ///
    /// - Parameters:
    ///   - pay: nil is the only token that left the sender, else the native coin.
    ///   - receive: the token that was bought, or the native coin.
    /// - Throws: `DexError`, exit 4, if the node does not answer.
    init(
        pay: Address? = nil,
        receive: Address,
        in receipt: TransactionReceipt,
        session: Session
    ) async throws(DexError) {
        let coin = Token.nativeCoinAddress
        let moved = Self.net(receipt, wrapped: session.network.weth)
        let pay = pay ?? moved.first { $0.key != receive && $0.value.went > $0.value.came }?.key
        self.pay = pay ?? coin
        var paid: UInt256? =
            moved[self.pay].map { $0.went.subtractingSaturating($0.came) } ?? .zero
        if self.pay == coin || receive == coin {
            let movement = try await CoinMovement(receipt, session)
            if self.pay == coin {
                // What a venue sells back of it may come as its wrapped token.
                let back = session.network.weth.flatMap { $0 == receive ? nil : moved[$0]?.came }
                paid = movement.paid.map { $0.subtractingSaturating(back ?? .zero) }
            }
            if receive == coin {
                (self.paid, received, arrival) = (paid, movement.received, nil)
                return
            }
        }
        self.paid = paid
        let reported = moved[receive].map { $0.came.subtractingSaturating($0.went) }
        if receive == session.network.weth, let reported {
            (received, arrival) = (reported, .proven(reported))
        } else {
            let token = TokenArrival(session: session, token: receive, account: receipt.from)
            let finding = await token.finding(in: receipt, maximum: reported ?? .max)
            (received, arrival) = (finding.amount, finding.arrival)
        }
    }

    /// The amounts of each token to and from the sender of a transaction, by its own events.
    ///
    /// - Parameter wrapped: the chain's wrapped coin, whose contract mostly logs no Transfer where
    ///   it makes or destroys tokens.
    static func net(
        _ receipt: TransactionReceipt,
        wrapped: Address?
    ) -> [Address: (came: UInt256, went: UInt256)] {
        net(receipt.logs, of: receipt.from, wrapped: wrapped)
    }

    /// The amounts of each token to and from an account, by its own events.
    static func net(
        _ logs: [Log],
        of account: Address,
        wrapped: Address?
    ) -> [Address: (came: UInt256, went: UInt256)] {
        var moved: [Address: (came: UInt256, went: UInt256)] = [:]
        for token in Set(logs.map(\.address)) {
            guard let moves = TokenTransfers(of: token, in: logs) else { continue }
            moved[token] = (moves.received(by: account), moves.sent(by: account))
        }
        if let wrapped {
            let made = logged(by: wrapped, ERC20.depositTopic, of: account, in: logs)
            let destroyed = logged(by: wrapped, ERC20.withdrawalTopic, of: account, in: logs)
            let (came, went) = moved[wrapped] ?? (.zero, .zero)
            if made > .zero || destroyed > .zero {
                // A contract that logs both means the same tokens.
                moved[wrapped] = (max(came, made), max(went, destroyed))
            }
        }
        return moved
    }

    /// What left the sender of a transaction, and what came to it, each token once, by `net`.
    static func sides(
        _ receipt: TransactionReceipt,
        wrapped: Address?
    ) -> (paid: [(token: Address, amount: UInt256)], received: [(token: Address, amount: UInt256)])
    {
        let moved = net(receipt, wrapped: wrapped)
        return (
            moved.filter { $0.value.went > $0.value.came }
                .map { ($0.key, $0.value.went - $0.value.came) },
            moved.filter { $0.value.came > $0.value.went }
                .map { ($0.key, $0.value.came - $0.value.went) }
        )
    }

    /// What the wrapped coin's contract says that it made for an account, or destroyed of it.
    ///
    /// - Parameter topic: of Deposit or Withdrawal.
    static func logged(
        by wrapped: Address,
        _ topic: Bytes32,
        of account: Address,
        in logs: [Log]
    ) -> UInt256 {
        logs
            .filter { $0.address == wrapped && $0.topics == [topic, account.word] }
            .compactMap { $0.data.count == 32 ? UInt256(bigEndian: $0.data) : nil }
            .reduce(.zero) { $0.addingSaturating($1) }
    }
}
