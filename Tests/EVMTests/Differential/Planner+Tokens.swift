import DexTestSupport
import Ethereum
import ZeroEx

extension Planner {
    /// A call of a token that changes something.
    mutating func tokenCall() -> PlannedCall {
        let token = random.chance(65) ? random.pick(palette) : random.pick(World.unusual)
        if !sequence.tokens.contains(token) { sequence.tokens.append(token) }
        let name = world.symbol(token)
        let amount = amount(of: token)
        var call = PlannedCall(kind: "", sender: trader(), to: token)
        let caller = world.traders[call.sender].address
        switch random.below(10) {
        case ..<3:
            call.kind = "transfer \(name)"
            call.data = ERC20.transfer(to: account(), amount: amount)
        case ..<5:
            call.kind = "transferFrom \(name)"
            let owner = world.traders[random.chance(60) ? 0 : trader()].address
            sequence.allowances.insert(
                PlannedAllowance(token: token, owner: owner, spender: caller)
            )
            call.data = ERC20.call(
                "transferFrom(address,address,uint256)",
                owner.word,
                account().word,
                amount.word
            )
        case ..<8:
            call.kind = "approve \(name)"
            let approved = random.chance(75) ? spender : account()
            sequence.allowances.insert(
                PlannedAllowance(token: token, owner: caller, spender: approved)
            )
            call.data = ERC20.approve(spender: approved, amount: amount)
        case ..<9:
            call.kind = "deposit"
            call.to = World.weth
            call.data = random.chance(60) ? ERC20.call("deposit()") : random.bytes(random.below(4))
            call.value = random.chance(15) ? 0 : UInt256(1 + random.next() % 1_000_000_000_000)
        default:
            call.kind = "withdraw"
            call.to = World.weth
            call.data = ERC20.call("withdraw(uint256)", self.amount(of: World.weth).word)
        }
        return call
    }

    /// Ether to an account or a contract.
    mutating func etherCall() -> PlannedCall {
        PlannedCall(
            kind: "ether",
            sender: trader(),
            to: random.chance(50)
                ? account() : random.pick([World.nobody, World.weth, World.dai, World.exchange]),
            data: random.chance(20) ? random.bytes(random.below(200)) : [],
            value: random.chance(10) ? 0 : UInt256(random.next())
        )
    }

    /// A transaction to a function that only reads.
    mutating func viewCall() -> PlannedCall {
        let order = random.pick(orders)
        let token = random.pick(palette)
        let exchangeViews: [ExchangeCallV1] = [
            .getOrderHash(order.addresses, order.values),
            .isValidSignature(signer: order.terms.maker, hash: order.hash.word, order.signature),
            .filled(order.hash),
            .cancelled(order.hash),
            .getUnavailableTakerTokenAmount(order.hash),
            .getPartialAmount(
                numerator: amount(of: token),
                denominator: amount(of: token),
                target: amount(of: token)
            ),
            .isRoundingError(
                numerator: amount(of: token),
                denominator: amount(of: token),
                target: amount(of: token)
            ),
            .zrxTokenContract, .tokenTransferProxyContract, .version, .externalQueryGasLimit,
        ]
        let proxyViews: [ExchangeCallV1] = [
            .authorized(random.chance(50) ? World.exchange : account()), .getAuthorizedAddresses,
        ]
        let tokenViews = [
            ERC20.balanceOf(account()),
            ERC20.allowance(owner: account(), spender: World.proxy),
            ERC20.call("totalSupply()"), ERC20.name, ERC20.symbol, ERC20.decimals,
        ]
        let choices: [(Address, [UInt8], String)] = [
            (World.exchange, random.pick(exchangeViews).data, "view of the exchange"),
            (World.exchange, random.pick(exchangeViews).data, "view of the exchange"),
            (World.proxy, random.pick(proxyViews).data, "view of the proxy"),
            (token, random.pick(tokenViews), "view of a token"),
        ]
        let (to, data, kind) = random.pick(choices)
        return PlannedCall(kind: kind, sender: trader(), to: to, data: data)
    }
}
