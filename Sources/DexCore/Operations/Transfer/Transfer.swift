import Ethereum
import ZeroEx

/// A transfer, decoded and checked as far as possible without a chain.
struct Transfer: Sendable {
    let kind: TransferPlan.Kind
    let account: Address
    let recipient: Address
    /// The name by which the user knows the recipient; nil without one.
    let recipientName: String?
    let amount: UInt256
    let paid: Currency
    let arriving: Currency
    let call: PlannedCall
    /// The recipient has only one letter case, so no checksum detects a mistyped digit.
    private let lacksChecksum: Bool
    /// The warning about an address that looks like a known one.
    private let lookAlike: String?

    /// - Throws: `DexError`, exit 2: `bad-amount`, `bad-address`, `unknown-token`,
    ///   `ambiguous-token`, `unknown-address`, `ambiguous-address`; exit 3: `no-weth`; exit 6: `bad-recipient`; exit 4.
    init(
        _ request: TransferRequest,
        account: Address,
        session: Session
    ) async throws(DexError) {
        self.account = account
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
            recipientName = known.name(of: recipient)
            lookAlike = known.warning(about: recipient)
            paid =
                try session.tokens.namesCoin(asset)
                ? .ether : .token(try await TokenResolver(session: session).token(asset))
            arriving = paid
            self.amount = try Self.amount(amount, of: paid)
        case .wrap(let amount):
            let weth = try await Self.wrappedEther(session)
            kind = .wrap
            recipient = account
            lacksChecksum = false
            recipientName = nil
            lookAlike = nil
            paid = .ether
            arriving = .token(weth)
            self.amount = try Self.amount(amount, of: .ether)
        case .unwrap(let amount):
            let weth = try await Self.wrappedEther(session)
            kind = .unwrap
            recipient = account
            lacksChecksum = false
            recipientName = nil
            lookAlike = nil
            paid = .token(weth)
            arriving = .ether
            self.amount = try Self.amount(amount, of: paid)
        }
        call = Self.call(kind, paid, arriving, amount, from: account, to: recipient)
        if kind == .send, let token = paid.token, token.address == recipient {
            throw DexError(TransferError.ownContract(recipient, token))
        }
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
                throw DexError(TokenError.notAToken(token.address))
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
            throw DexError(FundsError.lessThanSent(paid, balance: balance, amount: amount))
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
            throw DexError(TransferError.exchange(recipient))
        }
        // Wrapped ether's contract accepts ether.
        if paid == .ether, recipient == session.network.weth { return }
        if let known = session.tokens.known(recipient) {
            throw DexError(TransferError.tokenContract(recipient, known))
        }
    }

    /// Warnings about the transfer.
    func warnings(_ session: Session, isContract: Bool) -> [String] {
        guard kind == .send else { return [] }
        var warnings = [lookAlike].compactMap(\.self)
        if let token, session.tokens.listed(token.address) == nil {
            warnings += session.tokens.warnings(for: token)
        }
        let place = recipient.checksummed
        if recipient == account {
            warnings.append("The recipient is the account itself: only gas would be spent.")
        } else if paid == .ether, recipient == session.network.weth {
            warnings.append(
                "\(place) is wrapped ether's contract: the ether becomes WETH of this account, as "
                    + "with `dex wrap`."
            )
        } else if isContract {
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
            let isName = text.contains(".") && !text.hasPrefix("0x")
            throw DexError(error).adding(
                isName ? "Names such as those of ENS are not looked up." : nil
            )
        }
        guard address != .zero else { throw DexError(TransferError.zeroAddress) }
        return address
    }

    private static func wrappedEther(_ session: Session) async throws(DexError) -> Token {
        guard let address = session.network.weth else {
            throw DexError(NetworkError.noWrappedEther(network: session.network.name))
        }
        let tokens = try await TokenResolver(session: session).tokens(at: [address])
        return tokens[address]
            ?? Token(address: address, symbol: "WETH", name: "Wrapped Ether", decimals: 18)
    }

    private static func amount(_ text: String, of asset: Currency) throws(DexError) -> UInt256 {
        let raw = try reported(
            DecimalTextError.self,
            try DecimalText.parse(text, decimals: asset.decimals ?? 0)
        )
        guard raw != .zero else {
            throw DexError(InputError.zeroAmount(hint: nil))
        }
        return raw
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
                )
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
                )
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
