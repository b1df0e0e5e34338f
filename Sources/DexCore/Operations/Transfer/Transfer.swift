import DexSigning
import Ethereum
import ZeroEx

/// A transfer, decoded and checked as far as possible without a chain.
struct Transfer: Sendable {
    let kind: TransferPlan.Kind
    let account: Address
    let recipient: Address
    /// The name by which the user knows the recipient; nil without one.
    let recipientName: String?
    private(set) var amount: UInt256
    /// A share of the coin, in hundredths of a percent: `amount` is 1 wei until the fee is known,
    /// which is kept; nil for any other amount.
    let coinShare: UInt64?
    let paid: Currency
    let arriving: Currency
    private(set) var call: PlannedCall
    /// The recipient has only one letter case, so no checksum detects a mistyped digit.
    private let lacksChecksum: Bool
    /// The warning about an address that looks like a known one.
    private let lookAlike: String?

    /// - Throws: `DexError`, exit 2: `bad-amount`, `bad-address`, `unknown-token`,
    ///   `ambiguous-token`, `unknown-address`, `ambiguous-address`; exit 3: `no-weth`; exit 6: `bad-recipient`; exit 4.
    init(
        _ request: TransferRequest,
        account: Address,
        session: Session,
        settings: TradeSettings
    ) async throws(DexError) {
        self.account = account
        let typed: String
        switch request {
        case .send(let asset, let amount, let to, let known):
            kind = .send
            if KnownAddresses.isName(to) {
                recipient = try known.entry(named: to).address
                lacksChecksum = false
            } else {
                recipient = try Self.recipient(to)
                lacksChecksum = to != recipient.checksummed
            }
            if let reserved = ReservedAddress(recipient) {
                throw TransferError.reserved(reserved)
            }
            recipientName = known.name(of: recipient)
            lookAlike = known.warning(about: recipient)
            paid =
                try session.tokens.namesCoin(asset)
                ? .coin(session.network.coin)
                : .token(try await TokenResolver(session: session).token(asset))
            arriving = paid
            typed = amount
        case .wrap(let amount):
            let weth = try await Self.wrappedCoin(session)
            kind = .wrap
            recipient = account
            lacksChecksum = false
            recipientName = nil
            lookAlike = nil
            paid = .coin(session.network.coin)
            arriving = .token(weth)
            typed = amount
        case .unwrap(let amount):
            let weth = try await Self.wrappedCoin(session)
            kind = .unwrap
            recipient = account
            lacksChecksum = false
            recipientName = nil
            lookAlike = nil
            paid = .token(weth)
            arriving = .coin(session.network.coin)
            typed = amount
        }
        switch (try AmountExpression(typed), paid) {
        case (.share(let share), .coin):
            coinShare = share
            amount = 1
        case (_, .token(let token)):
            coinShare = nil
            amount = try await SpendableFunds(session: session, settings: settings)
                .raw(typed, of: token, account: account)
        case (.number(let number), .coin):
            coinShare = nil
            amount = try TokenAmount.positive(number, of: .nativeCoin(session.network.coin))
        }
        call = Self.call(kind, paid, arriving, amount, from: account, to: recipient)
        if kind == .send, let token = paid.token, token.address == recipient {
            throw TransferError.ownContract(recipient, token)
        }
    }

    /// The same transfer of another amount, in base units.
    func moving(_ amount: UInt256) -> Transfer {
        var other = self
        other.amount = amount
        other.call = Self.call(kind, paid, arriving, amount, from: account, to: recipient)
        return other
    }

    /// The amount in wei; nil for tokens other than wrapped ether.
    func ether(_ network: Network) -> Wei? {
        network.ether(amount, of: paid.token?.address)
    }

    /// The token involved; nil for ether.
    var token: Token? { paid.token ?? arriving.token }

    /// Adds the read of the account's token balance, in base units; nil without a token.
    ///
    /// The result throws `DexError`, exit 6: `not-a-token`, `decimals-mismatch`.
    func askBalance(in batch: inout ReadBatch) -> JointRead<UInt256>? {
        guard let token else { return nil }
        func ask(_ data: [UInt8]) -> ReadSlot<[UInt8]> {
            batch.add(.call(CallRequest(to: token.address, data: data), .latest))
        }
        let balance = ask(ERC20.balanceOf(account))
        let decimals = ask(ERC20.decimals)
        return JointRead { answers throws(DexError) in
            guard let balance = try answers.word(balance) else {
                throw TokenError.notAToken(token.address)
            }
            _ = try token.confirmed(by: answers.word(decimals))
            return balance
        }
    }

    /// The account's balance of the paid currency.
    ///
    /// - Parameter balance: by `askBalance`.
    /// - Throws: `DexError`, exit 6: `insufficient-balance`.
    func check(_ balance: UInt256?, ether: Wei) throws(DexError) -> UInt256 {
        guard let balance, case .token = paid else { return ether.rawValue }
        guard balance >= amount else {
            throw FundsError.lessThanSent(paid, balance: balance, amount: amount)
        }
        return balance
    }

    /// - Parameter exchange: nil if the network has none.
    /// - Throws: `DexError`, exit 6, `bad-recipient`: a contract that cannot return it.
    func checkRecipient(
        _ session: Session,
        exchange: ExchangeContracts?
    ) throws(DexError) {
        guard kind == .send else { return }
        let contracts = [
            session.network.exchange, exchange?.exchange, exchange?.transferContract,
        ]
        if (contracts + session.network.swapContracts).contains(recipient) {
            throw TransferError.exchange(recipient)
        }
        if recipient == session.network.fees.bridge {
            throw TransferError.bridge(recipient)
        }
        // Wrapped ether's contract accepts ether.
        if paid.token == nil, recipient == session.network.weth { return }
        if let known = session.tokens.known(recipient) {
            throw TransferError.tokenContract(recipient, known)
        }
    }

    /// Warnings about the transfer.
    func warnings(_ session: Session, code: [UInt8]) -> [String] {
        guard kind == .send else { return [] }
        var warnings = [lookAlike].compactMap(\.self)
        if let token, session.tokens.listed(token.address) == nil {
            warnings += session.tokens.warnings(for: token)
        }
        let place = recipient.checksummed
        if recipient == account {
            warnings.append("The recipient is the account itself: only gas would be spent.")
        } else if paid.token == nil, recipient == session.network.weth {
            let wrapped = session.tokens.token(at: recipient).symbol
            warnings.append(
                "\(place) is the contract of \(wrapped): the \(session.network.coin.noun) becomes "
                    + "\(wrapped) of this account, as with `dex wrap`."
            )
        } else if let delegate = Delegation.delegate(of: code) {
            if paid.token == nil {
                warnings.append(
                    "The recipient runs the code of \(delegate.checksummed) when "
                        + "\(session.network.coin.noun) comes, which may move it on or back."
                )
            }
        } else if !code.isEmpty {
            warnings.append(
                "The recipient is a contract: make sure that it can move what it gets."
            )
        }
        if lacksChecksum {
            warnings.append(
                "The address was written without a checksum, so no mistyped digit is noticed: "
                    + "compare \(place)."
            )
        }
        return warnings
    }

    // MARK: Parts

    private static func recipient(_ text: String) throws(DexError) -> Address {
        let address: Address
        do {
            address = try Address(text)
        } catch {
            let isName = text.contains(".") && !text.lowercased().hasPrefix("0x")
            throw DexError(error).adding(
                isName ? "Names such as those of ENS are not looked up." : nil
            )
        }
        return address
    }

    private static func wrappedCoin(_ session: Session) async throws(DexError) -> Token {
        guard let address = session.network.weth else {
            throw NetworkError.noWrappedCoin(
                network: session.network.name,
                coin: session.network.coin
            )
        }
        let tokens = try await TokenResolver(session: session).tokens(at: [address])
        return tokens[address] ?? .unknown(address)
    }

    private static func call(
        _ kind: TransferPlan.Kind,
        _ paid: Currency,
        _ arriving: Currency,
        _ amount: UInt256,
        from account: Address,
        to recipient: Address
    ) -> PlannedCall {
        let text = paid.text(amount)
        let place = recipient.checksummed
        switch (kind, paid.token ?? arriving.token) {
        case (.wrap, let weth?):
            return PlannedCall(
                purpose: .wrap,
                summary: "wrap \(text) in \(weth.address.checksummed)",
                subject: "the deposit",
                request: CallRequest(
                    from: account,
                    to: weth.address,
                    data: ERC20.call("deposit()"),
                    value: Wei(amount)
                ),
                moves: PlannedMoves(arrives: [.token(weth.address): amount])
            )
        case (.unwrap, let weth?):
            return PlannedCall(
                purpose: .unwrap,
                summary: "unwrap \(text) from \(weth.address.checksummed)",
                subject: "the withdrawal",
                request: CallRequest(
                    from: account,
                    to: weth.address,
                    data: ERC20.call("withdraw(uint256)", amount.word)
                ),
                moves: PlannedMoves(arrives: [.ether: amount])
            )
        case (_, let token?):
            return PlannedCall(
                purpose: .send,
                summary: "send \(text) to \(place)",
                subject: "the transfer",
                request: CallRequest(
                    from: account,
                    to: token.address,
                    data: ERC20.transfer(to: recipient, amount: amount)
                ),
                answer: .success
            )
        case (_, nil):
            return PlannedCall(
                purpose: .send,
                summary: "send \(text) to \(place)",
                subject: "the transfer",
                request: CallRequest(from: account, to: recipient, data: [], value: Wei(amount))
            )
        }
    }
}
