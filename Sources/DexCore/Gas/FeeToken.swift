import Ethereum

/// The token that pays the gas of a transaction on a chain without a coin, and what the account has
/// of it.
///
/// On Tempo it is the account's own choice, else the token that a call moves or approves, else
/// pathUSD. Another router's call is paid in pathUSD: without any the transaction is refused.
struct FeeToken: Hashable, Sendable {
    let address: Address
    /// Base units; tokens that pay fees have six decimals.
    let balance: UInt256
    /// The gas limit that it pays for.
    let gas: UInt64

    /// Wei of a fee in a base unit of the token: prices are in 10^-18 dollars.
    private static let unit: UInt256 = 1_000_000_000_000

    /// Base units for so much gas, rounded up: 50,000 gas at 6 x 10^9 are 300.
    static func cost(gas: UInt64, at price: Wei) -> UInt256 {
        let product = UInt256.mulDiv(price.rawValue, UInt256(gas), unit)
        return product.map { $0.quotient.addingSaturating($0.remainder == .zero ? 0 : 1) } ?? .max
    }

    /// Checks that each token pays all the gas that is charged to it.
    ///
    /// - Throws: `DexError`, exit 6, `insufficient-fee-token`.
    static func check(_ tokens: [FeeToken], at price: Wei) throws(DexError) {
        for token in Set(tokens.map(\.address)) {
            let own = tokens.filter { $0.address == token }
            let gas = own.reduce(UInt64(0)) { $0.addingSaturating($1.gas) }
            let needed = cost(gas: gas, at: price)
            let balance = own.map(\.balance).min() ?? .zero
            guard balance >= needed else {
                throw GasError.shortFeeToken(token, owned: balance, needed: needed)
            }
        }
    }
}

/// Finds the tokens that pay for calls.
struct FeeTokens {
    let session: Session

    private static let manager = tempo(0xFEEC)
    /// pathUSD.
    static let usual = tempo(0x20C0)

    /// - Throws: `DexError`, exit 4.
    func payers(of limits: [GasLimit]) async throws(DexError) -> [FeeToken] {
        guard let account = limits.first?.request.from else { return [] }
        var first = ReadBatch()
        let asked = first.add(
            .call(
                CallRequest(
                    to: Self.manager,
                    data: ERC20.call("userTokens(address)", account.word)
                ),
                .latest
            )
        )
        let chosen = try await first.send(to: session.chain).word(asked)
        guard let chosen else {
            throw DexError(ChainError.nonsense("the chain does not say which token pays its fees"))
        }
        let own = chosen == .zero ? nil : Address(truncating: chosen.word)
        let tokens = limits.map { own ?? Self.token(of: $0.request) ?? Self.usual }
        var second = ReadBatch()
        let slots = tokens.map {
            second.add(.call(CallRequest(to: $0, data: ERC20.balanceOf(account)), .latest))
        }
        let answers = try await second.send(to: session.chain)
        var payers: [FeeToken] = []
        for (index, token) in tokens.enumerated() {
            guard let balance = try answers.word(slots[index]) else {
                throw TokenError.notAToken(token)
            }
            payers.append(FeeToken(address: token, balance: balance, gas: limits[index].units))
        }
        return payers
    }

    /// The chain's own exchange of stablecoins.
    ///
    /// Source: https://docs.tempo.xyz/documentation/protocol/exchange
    static let exchange = tempo(0xDEC0)

    /// The token of a transfer or an approval, if it is one of the chain's own; the token that a swap
    /// at the chain's own exchange sells.
    private static func token(of request: CallRequest) -> Address? {
        if request.to == exchange {
            let swaps = [
                ERC20.call("swapExactAmountIn(address,address,uint128,uint128)"),
                ERC20.call("swapExactAmountOut(address,address,uint128,uint128)"),
            ]
            guard swaps.contains(where: { request.data.starts(with: $0) }) else { return nil }
            return Address(truncating: CallWords(bytes: request.data.dropFirst(4)).word(0))
        }
        let selectors = [
            ERC20.transfer(to: .zero, amount: 0), ERC20.approve(spender: .zero, amount: 0),
        ].map { $0.prefix(4) }
        guard request.to.bytes.starts(with: [0x20, 0xC0]),
            selectors.contains(where: { request.data.starts(with: $0) })
        else { return nil }
        return request.to
    }

    private static func tempo(_ prefix: UInt16) -> Address {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes[12] = UInt8(prefix >> 8)
        bytes[13] = UInt8(prefix & 0xFF)
        return Address(truncating: Bytes32(bytes: bytes) ?? .zero)
    }
}
