import DexSandbox
import DexTestSupport
import Ethereum
import EthereumWallet
import ZeroEx

/// Calls of the swap venue's contracts that its API would never quote.
extension Planner {
    /// What a trader calls AllowanceHolder or Permit2 for without a Settler.
    mutating func directCall() throws -> PlannedCall {
        let sender = trader()
        let caller = world.traders[sender].address
        let token = random.pick(palette)
        let owner = world.traders[trader()]
        guard random.chance(70) else {
            // Nobody allows anything outside of a call of exec.
            let amount = random.chance(50) ? UInt256.zero : amount(of: token)
            return PlannedCall(
                kind: "transferFrom of the holder",
                sender: sender,
                to: GenesisSwap.allowanceHolder,
                data: SwapCalldata.call(
                    "transferFrom(address,address,address,uint256)",
                    token.word,
                    owner.address.word,
                    caller.word,
                    amount.word
                )
            )
        }
        let permit = PlannedPermit(
            token: token,
            amount: amount(of: token),
            nonce: nonce(),
            deadline: deadline()
        )
        let taken = random.pick(weighted: [
            (6, permit.amount), (2, permit.amount / 2), (1, permit.amount &+ 1),
        ])
        let signature = try signed(permit, by: owner, spender: caller)
        return PlannedCall(
            kind: "permitTransferFrom",
            sender: sender,
            to: GenesisSwap.permit2,
            data: SwapCalldata.call(
                "permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),"
                    + "address,bytes)",
                token.word,
                permit.amount.word,
                permit.nonce.word,
                permit.deadline.word,
                account().word,
                taken.word,
                owner.address.word,
                UInt256(8 * 32).word
            ) + SwapCalldata.tail(signature)
        )
    }

    /// A sale to a pool of what lies there already: most often nothing.
    mutating func poolCall() -> PlannedCall {
        let pool = random.pick(World.swapPools)
        let token = random.pick([pool.first.token, pool.second.token])
        if random.chance(50) {
            return PlannedCall(
                kind: "gift to a pool",
                sender: trader(),
                to: token,
                data: ERC20.transfer(to: pool.address, amount: amount(of: token))
            )
        }
        return PlannedCall(
            kind: "sale to a pool",
            sender: trader(),
            to: pool.address,
            data: SwapCalldata.call(
                "sell(address,address)",
                (random.chance(90) ? token : random.pick(palette)).word,
                account().word
            )
        )
    }

    mutating func viewOfSwap() -> PlannedCall {
        let choices: [(Address, [UInt8])] = [
            (GenesisSwap.registry, SwapCalldata.call("ownerOf(uint256)", UInt256(2).word)),
            (GenesisSwap.registry, SwapCalldata.call("prev(uint128)", UInt256(2).word)),
            (GenesisSwap.registry, SwapCalldata.call("ownerOf(uint256)", oddNumber().word)),
            (GenesisSwap.permit2, SwapCalldata.call("DOMAIN_SEPARATOR()")),
            (random.pick(World.swapPools).address, SwapCalldata.call("tokens()")),
            (random.pick(World.swapPools).address, SwapCalldata.call("reserves()")),
            (random.pick(World.settlers), []),
        ]
        let (to, data) = random.pick(choices)
        return PlannedCall(kind: "view of the swap venue", sender: trader(), to: to, data: data)
    }

    /// What exec must not call, or what nobody expects it to; an account without code can be called
    /// on the sandbox only.
    mutating func target() -> Address {
        random.pick(palette + World.settlers)
    }

    /// A nonce of Permit2; most are used more than once.
    mutating func nonce() -> UInt256 {
        random.chance(85)
            ? UInt256(UInt64(random.below(6))) : .max - UInt256(UInt64(random.below(3)))
    }

    /// A trader's signature over a message, which may be spoilt.
    mutating func signed(
        _ permit: PlannedPermit,
        by owner: World.Trader,
        spender: Address
    ) throws -> [UInt8] {
        let hash = permit.hash(spender: spender, contract: GenesisSwap.permit2)
        let signature = try owner.signer.signature(over: hash)
        var bytes = signature.r.bytes + signature.s.bytes + [27 + signature.yParity]
        switch random.below(100) {
        case ..<4: bytes.removeLast(1 + random.below(64))
        case ..<6: bytes += random.bytes(1 + random.below(20))
        case ..<9: bytes[64] = random.pick([0, 1, 26, 29, 255, 55 - bytes[64]])
        case ..<12:
            // The same by the other half of the curve, which Permit2 takes.
            let high = Planner.groupOrder - UInt256(signature.s)
            bytes = signature.r.bytes + high.word.bytes + [28 - signature.yParity]
        case ..<17:
            // The short form of EIP-2098.
            let parity = UInt256(UInt64(signature.yParity)) << 255
            bytes = signature.r.bytes + (UInt256(signature.s) | parity).word.bytes
        default: break
        }
        return bytes
    }

    /// Cuts a call, lengthens it, or lets its offsets and lengths be others.
    mutating func spoilSwap(_ call: inout PlannedCall) {
        call.kind += ", spoilt"
        switch random.below(4) {
        case 0:
            call.data = Array(call.data.prefix(random.below(call.data.count + 1)))
        case 1: call.data += random.bytes(1 + random.below(64))
        case 2 where call.data.count >= 4: call.data[random.below(4)] ^= 1
        default:
            let places = Self.places(call.to).filter { $0 + 32 <= call.data.count }
            guard !places.isEmpty else { return }
            let place = random.pick(places)
            let number = random.chance(50) ? oddNumber() : UInt256(UInt64(random.below(400)))
            call.data.replaceSubrange(place..<(place + 32), with: number.word.bytes)
        }
    }

    /// Where the offsets and lengths of a contract's call data are; no addresses, since an account
    /// of a small number may be a precompile, which the sandbox has not.
    private static func places(_ contract: Address) -> [Int] {
        // The offset of the actions, their number, and the offset of the first.
        let execute = [3, 5, 6].map { 4 + 32 * $0 }
        switch contract {
        case GenesisSwap.allowanceHolder:
            // The offset and length of the data, then the same of what is in it.
            return [4 + 4 * 32, 4 + 5 * 32] + execute.map { 4 + 6 * 32 + $0 }
        case GenesisSwap.permit2: return [4 + 7 * 32, 4 + 8 * 32]
        case GenesisSwap.currentSettler, GenesisSwap.previousSettler: return execute
        default: return []
        }
    }
}
