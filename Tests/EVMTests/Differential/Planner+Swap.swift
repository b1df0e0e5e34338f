import DexSandbox
import DexTestSupport
import Ethereum
import ZeroEx

/// Sequences about the contracts of the swap venue.
extension Planner {
    static func swapSequence(seed: UInt64, in world: World) throws -> PlannedSequence {
        var planner = Planner(
            random: SeededGenerator(seed: seed),
            world: world,
            sequence: PlannedSequence(seed: seed)
        )
        try planner.planSwaps()
        return planner.sequence
    }

    private mutating func planSwaps() throws {
        spender = random.pick([GenesisSwap.allowanceHolder, GenesisSwap.permit2])
        sequence.exchange = random.pick(World.swapPools).address
        palette = [World.zrx, World.weth, World.dai, World.usdc, World.silent]
        sequence.tokens = palette
        sequence.tipsAreEqual = random.chance(40)
        try layOut(apart: 40) { planner in try planner.swapOrOther() }
        lookAtSwap()
    }

    private mutating func swapOrOther() throws -> PlannedCall {
        var call: PlannedCall
        // What one call allows inside Permit2 a later one takes: they have sequences of their own.
        let isAboutPermit2 = sequence.seed % 4 == 0 && random.chance(65)
        switch random.below(100) {
        case _ where isAboutPermit2: call = permit2Call()
        case ..<45: call = try tokenSale()
        case ..<62: call = etherSale()
        case ..<69: call = try directCall()
        case ..<72: call = permit2Call()
        case ..<78: call = poolCall()
        case ..<90: call = tokenCall()
        case ..<95: call = etherCall()
        default: call = viewOfSwap()
        }
        if World.swapContracts.contains(call.to), random.chance(8) { spoilSwap(&call) }
        dress(&call)
        return call
    }

    /// What both chains are asked at the end beside.
    private mutating func lookAtSwap() {
        sequence.wallets += World.swapContracts
        for pool in World.swapPools {
            sequence.questions.append(
                PlannedQuestion(
                    name: "reserves of \(pool.address)",
                    to: pool.address,
                    data: SwapCalldata.call("reserves()")
                )
            )
        }
        for token in palette {
            for contract in World.swapContracts {
                sequence.questions.append(
                    PlannedQuestion(
                        name: "balance of \(contract) in \(token)",
                        to: token,
                        data: ERC20.balanceOf(contract)
                    )
                )
            }
            for trader in world.traders {
                for spender in [GenesisSwap.allowanceHolder, GenesisSwap.permit2] {
                    sequence.allowances.insert(
                        PlannedAllowance(token: token, owner: trader.address, spender: spender)
                    )
                }
            }
        }
        for owner in world.traders {
            for spender in world.traders {
                for token in palette {
                    sequence.questions.append(
                        PlannedQuestion(
                            name: "Permit2's \(token) of \(owner.name) for \(spender.name)",
                            to: GenesisSwap.permit2,
                            data: SwapCalldata.call(
                                "allowance(address,address,address)",
                                owner.address.word,
                                token.word,
                                spender.address.word
                            )
                        )
                    )
                }
            }
        }
        for trader in world.traders {
            for word in [UInt256.zero, .max >> 8] {
                sequence.questions.append(
                    PlannedQuestion(
                        name: "nonces \(word) of \(trader.name)",
                        to: GenesisSwap.permit2,
                        data: SwapCalldata.call(
                            "nonceBitmap(address,uint256)",
                            trader.address.word,
                            word.word
                        )
                    )
                )
            }
        }
    }

    // MARK: Trades

    /// The tokens of a sale and what a pool paid for it at first.
    private struct Leg {
        let pool: GenesisPool
        let sold: Address
        let bought: Address

        func output(_ amount: UInt256) -> UInt256 {
            let (from, to) =
                sold == pool.first.token
                ? (pool.first, pool.second)
                : (pool.second, pool.first)
            guard amount < UInt256(1) << 128 else { return 1 }
            let kept = amount * 997
            return kept * to.reserve / (from.reserve * 1_000 + kept)
        }
    }

    private mutating func leg(selling token: Address? = nil) -> Leg {
        let legs = World.swapPools.flatMap { pool in
            [
                Leg(pool: pool, sold: pool.first.token, bought: pool.second.token),
                Leg(pool: pool, sold: pool.second.token, bought: pool.first.token),
            ]
        }
        return random.pick(legs.filter { token == nil || $0.sold == token })
    }

    /// Between two blocks, whose times are multiples of ten: `eth_call` answers for the next one on
    /// the sandbox, for the newest one on the EVM.
    mutating func deadline() -> UInt256 {
        let tens = random.below(random.chance(85) ? 900 : 6) + (random.chance(85) ? 60 : 0)
        return UInt256(World.start) + UInt256(UInt64(tens)) * 10 + 5
    }

    private mutating func soldAmount(_ token: Address) -> UInt256 {
        random.chance(85)
            ? world.unit(token) * UInt256(UInt64(1 + random.below(40))) / 10
            : amount(of: token)
    }

    private mutating func minimum(_ expected: UInt256) -> UInt256 {
        random.pick(weighted: [
            (50, expected * 8 / 10), (15, 1), (10, expected), (15, expected + expected / 50),
            (5, .zero), (5, oddNumber()),
        ])
    }

    /// A sale of tokens through the AllowanceHolder, or by a signed message.
    private mutating func tokenSale() throws -> PlannedCall {
        let sender = trader()
        let taker = world.traders[sender].address
        let settler = random.pick(weighted: [
            (4, GenesisSwap.currentSettler), (1, GenesisSwap.previousSettler),
        ])
        let leg = leg()
        let isSigned = random.chance(45)
        let permit = PlannedPermit(
            token: leg.sold,
            amount: soldAmount(leg.sold),
            nonce: isSigned ? nonce() : (random.chance(97) ? .zero : 1),
            deadline: deadline()
        )
        var (head, actions) = tradeActions(leg, permit.amount, by: taker, at: settler)
        guard isSigned else {
            let signature = random.chance(97) ? [] : random.bytes(1 + random.below(70))
            actions.insert(permit.action(to: settler, signature: signature), at: 0)
            let more: UInt256 = random.chance(92) ? .zero : 1
            return PlannedCall(
                kind: "swap by allowance",
                sender: sender,
                to: GenesisSwap.allowanceHolder,
                data: SwapCalldata.exec(
                    operator: random.chance(94) ? settler : random.pick(World.settlers + [taker]),
                    token: random.chance(95) ? leg.sold : random.pick(palette),
                    amount: random.chance(94) || permit.amount == .zero
                        ? permit.amount &+ more : permit.amount - 1,
                    target: random.chance(95) ? settler : target(),
                    SwapCalldata.execute(head, actions)
                )
            )
        }
        if random.chance(4) { head.recipient = account() }
        let owner = world.traders[random.chance(94) ? sender : trader()]
        let signature = try signed(
            permit,
            by: owner,
            spender: random.chance(96) ? settler : GenesisSwap.allowanceHolder
        )
        let data =
            random.chance(70)
            ? SwapCalldata.execute(
                head,
                permit: permit.action(to: settler),
                signature: signature,
                actions
            )
            : SwapCalldata.execute(
                head,
                [permit.action(to: settler, signature: signature)] + actions
            )
        return PlannedCall(kind: "swap by permit", sender: sender, to: settler, data: data)
    }

    /// What follows on the payment: one pool or two, all of it or exactly the minimum.
    private mutating func tradeActions(
        _ leg: Leg,
        _ amount: UInt256,
        by taker: Address,
        at settler: Address
    ) -> (head: SwapCalldata.Head, actions: [[UInt8]]) {
        var last = leg
        var expected = leg.output(amount)
        var actions = [sell(leg, to: settler)]
        if random.chance(20) {
            last = self.leg(selling: leg.bought)
            expected = last.output(expected)
            actions.append(sell(last, to: settler))
        }
        var bought = last.bought
        if bought == World.weth, random.chance(30) {
            bought = Self.native
            actions.append(SwapCalldata.call("STAND_IN_UNWRAP()"))
        }
        let recipient = random.chance(88) ? taker : account()
        var head = SwapCalldata.Head(
            recipient: recipient,
            token: bought,
            minimum: minimum(expected)
        )
        switch random.below(100) {
        case ..<20:
            actions.append(
                SwapCalldata.call("CHECK_SLIPPAGE(bool)", UInt256(random.chance(80) ? 1 : 0).word)
            )
            if bought == Self.native {
                actions.append(SwapCalldata.call("STAND_IN_WRAP()"))
            }
            actions.append(sell(last, back: true, to: taker))
        case ..<27:
            head = SwapCalldata.Head(recipient: .zero, token: .zero, minimum: .zero)
            actions[actions.count - 1] = sell(last, to: recipient)
        case ..<32: actions.append(random.bytes(4 + random.below(80)))
        case ..<34: actions.removeLast()
        default: break
        }
        return (head, actions)
    }

    private func sell(_ leg: Leg, back: Bool = false, to recipient: Address) -> [UInt8] {
        SwapCalldata.call(
            "STAND_IN_SELL(address,address,address)",
            leg.pool.address.word,
            (back ? leg.bought : leg.sold).word,
            recipient.word
        )
    }

    private mutating func etherSale() -> PlannedCall {
        let sender = trader()
        let taker = world.traders[sender].address
        let settler = random.pick(World.settlers)
        let leg = leg(selling: World.weth)
        let value = soldAmount(World.weth) % (UInt256(1) << 70)
        let claimed = random.pick(weighted: [(8, value), (1, value + 1), (1, value / 2)])
        let (head, rest) = tradeActions(leg, value, by: taker, at: settler)
        let data = SwapCalldata.execute(
            head,
            [
                SwapCalldata.call(
                    "NATIVE_CHECK(uint256,uint256)",
                    deadline().word,
                    claimed.word
                ),
                SwapCalldata.call("STAND_IN_WRAP()"),
            ] + rest
        )
        var call = PlannedCall(kind: "swap of ether", sender: sender, to: settler, data: data)
        call.value = value
        guard random.chance(60) else { return call }
        call.to = GenesisSwap.allowanceHolder
        call.data = SwapCalldata.exec(
            operator: settler,
            token: .zero,
            amount: .zero,
            target: settler,
            data
        )
        return call
    }

    /// The native coin as the venue names it.
    private static let native = Address(
        truncating: UInt256(0xeeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee).word
    )
}
