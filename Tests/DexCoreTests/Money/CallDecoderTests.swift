import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Call data of another program, read")
struct CallDecoderTests {
    private static let alice = Address(truncating: UInt256(0xA11CE_0000_0000_0000_0000_0001).word)
    private static let bob = Address(truncating: UInt256(0xB0B0_0000_0000_0000_0000_0002).word)
    private static let token = TestMarket.zrx

    private func effects(_ data: [UInt8], to contract: Address = token) throws -> CallEffects {
        CallDecoder.effects(
            of: data,
            to: contract,
            by: Self.alice,
            on: try TestMarket().network
        )
    }

    private static func call(_ signature: String, _ values: [ABIValue]) throws -> [UInt8] {
        try ABIFunction(signature).encode(values)
    }

    private static let approval = ERC20.approve(spender: bob, amount: .max)

    @Test("every rule is a function, and no two have one selector")
    func rules() throws {
        for line in CallRules.lines { _ = try ABISignature("function " + line) }
        #expect(CallRules.all.count == CallRules.lines.count)
    }

    @Test(
        "a call of a token is read with its arguments, also with bytes behind them",
        arguments: [0, 1, 31, 32, 100]
    )
    func tails(extra: Int) throws {
        let tail = [UInt8](repeating: 7, count: extra)
        let effects = try effects(Self.approval + tail)
        #expect(effects.signature?.function.name == "approve")
        #expect(effects.arguments.map(\.value) == [.address(Self.bob), .uint(.max)])
        #expect(effects.extraBytes == extra && effects.needsData == (extra > 0))
        #expect(!effects.isUnread)
        #expect(
            effects.list.map(\.action) == [
                .allow(.max, owner: Self.alice, spender: Self.bob, until: nil)
            ]
        )
    }

    @Test("dirty words and missing bytes are read as contracts read them, and are said")
    func words() throws {
        var dirty = Self.approval
        dirty[4] = 0xFF
        let masked = try effects(dirty)
        #expect(masked.isDirty && masked.needsData)
        #expect(
            masked.list.first?.action
                == .allow(.max, owner: Self.alice, spender: Self.bob, until: nil)
        )
        // The last byte is missing: an amount of 1 becomes 0, one of 256 stays.
        let short = try effects(Array(ERC20.transfer(to: Self.bob, amount: 256).dropLast()))
        #expect(short.missingBytes == 1 && short.needsData)
        #expect(short.list.first?.action == .move(256, owner: Self.alice, to: Self.bob))
    }

    @Test("what is unknown is not read, and a call of wrapped ether's functions elsewhere neither")
    func unknown() throws {
        for data: [UInt8] in [[1], [1, 2, 3, 4], [1, 2, 3, 4, 5]] {
            let effects = try effects(data)
            #expect(effects.isUnread && effects.needsData && effects.signature == nil)
            #expect(effects.list.map(\.action) == [.unread(bytes: data.count)])
        }
        let deposit = ERC20.call("deposit()")
        #expect(try effects(deposit, to: Self.bob).isUnread)
        #expect(try !effects(deposit, to: TestMarket.weth).isUnread)
        // The exchange has allowances: only its own functions are read there.
        #expect(try effects(Self.approval, to: TestMarket.exchange).isUnread)
    }

    @Test("code that a Safe runs as its own is not read, whatever its data say")
    func delegateCalls() throws {
        let safe = TestMarket.usdc
        let inner = ERC20.approve(spender: Self.bob, amount: 0)
        let control = CallEffect.Action.control(.code, by: Self.bob)
        func transaction(_ operation: UInt256) throws -> CallEffects {
            try effects(
                Self.call(
                    "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,"
                        + "address,bytes)",
                    [
                        .address(Self.bob), .uint(0), .bytes(inner), .uint(operation), .uint(0),
                        .uint(0), .uint(0), .address(.zero), .address(.zero), .bytes([]),
                    ]
                ),
                to: safe
            )
        }
        func module(_ operation: UInt256) throws -> CallEffects {
            try effects(
                Self.call(
                    "execTransactionFromModule(address,uint256,bytes,uint8)",
                    [.address(Self.bob), .uint(0), .bytes(inner), .uint(operation)]
                ),
                to: safe
            )
        }
        func packed(_ operation: UInt256) throws -> CallEffects {
            let item =
                [UInt8(operation.w0)] + Self.bob.bytes + UInt256.zero.bigEndianBytes
                + UInt256(UInt64(inner.count)).bigEndianBytes + inner
            return try effects(Self.call("multiSend(bytes)", [.bytes(item)]), to: safe)
        }
        for read in [transaction, module, packed] {
            let plain = try read(0)
            #expect(!plain.isUnread && !plain.list.contains { $0.action == control })
            for operation: UInt256 in [1, 2, 255] {
                let effects = try read(operation)
                #expect(effects.isUnread && effects.needsData)
                let found = effects.list.first { $0.action == control }
                #expect(found?.contract == safe)
            }
        }
        // A DSProxy always does, and a modular account by the first byte of its mode.
        let mode = UInt256(0xFF) << 248
        for data in [
            try Self.call("execute(address,bytes)", [.address(Self.bob), .bytes(inner)]),
            try Self.call(
                "execute(bytes32,bytes)",
                [.word(mode.word), .bytes(Self.bob.bytes + inner)]
            ),
        ] {
            let effects = try effects(data, to: safe)
            #expect(effects.isUnread)
            #expect(effects.list.first { $0.action == control }?.contract == safe)
        }
    }

    static let named: [(String, [ABIValue], CallEffect.Action)] = [
        (
            "increaseAllowance(address,uint256)", [.address(bob), .uint(5)],
            .raise(5, owner: alice, spender: bob)
        ),
        (
            "setApprovalForAll(address,bool)", [.address(bob), .bool(true)],
            .operate(owner: alice, operator: bob, isAllowed: true)
        ),
        (
            "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
            [
                .address(alice), .address(bob), .uint(9), .uint(1), .uint(27), .word(alice.word),
                .word(alice.word),
            ], .allow(9, owner: alice, spender: bob, until: nil)
        ),
        (
            "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
            [
                .address(alice), .address(bob), .uint(9), .uint(1), .bool(true), .uint(27),
                .word(alice.word), .word(alice.word),
            ], .allow(.max, owner: alice, spender: bob, until: nil)
        ),
        (
            "approve(address,address,uint160,uint48)",
            [.address(token), .address(bob), .uint(7), .uint(99)],
            .allow(7, owner: alice, spender: bob, until: 99)
        ),
        (
            "transferFrom(address,address,uint160,address)",
            [.address(alice), .address(bob), .uint(7), .address(token)],
            .move(7, owner: alice, to: bob)
        ),
        (
            "transferFrom(address,address,uint256)", [.address(alice), .address(bob), .uint(7)],
            .move(7, owner: alice, to: bob)
        ),
        ("upgradeTo(address)", [.address(bob)], .control(.code, by: bob)),
        ("transferOwnership(address)", [.address(bob)], .control(.ownership, by: bob)),
    ]

    @Test("functions that give away are named", arguments: named)
    func names(function: String, values: [ABIValue], action: CallEffect.Action) throws {
        let data = try Self.call(function, values)
        for contract in [Self.token, ZeroExSwapContracts.permit2, Self.bob] {
            let effects = try effects(data + [0], to: contract)
            #expect(effects.list.map(\.action) == [action])
            #expect(effects.signature?.function.signature == function)
        }
    }

    @Test("the AllowanceHolder's exec lends to its operator, and what it calls is read too")
    func holder() throws {
        let data = try Self.call(
            "exec(address,address,uint256,address,bytes)",
            [
                .address(Self.bob), .address(Self.token), .uint(100), .address(Self.bob),
                .bytes([1, 2, 3, 4]),
            ]
        )
        let effects = try effects(data, to: ZeroExSwapContracts.allowanceHolder)
        #expect(
            effects.list.map(\.action) == [
                .lend(100, owner: Self.alice, operator: Self.bob), .unread(bytes: 4),
            ]
        )
        #expect(effects.isUnread)
    }

    @Test("more calls than can be read are said")
    func many() throws {
        let calls = ABIValue.array((0..<300).map { _ in .bytes(Self.approval) })
        #expect(try effects(Self.call("multicall(bytes[])", [calls])).isTooLong)
        var nested = Self.approval
        for _ in 0..<20 {
            nested = try Self.call("multicall(bytes[])", [.array([.bytes(nested)])])
        }
        #expect(try effects(nested).isTooLong)
        // One inner list that all of a hundred offsets lead to, and again: 10,000 calls.
        var bomb = Self.approval
        for _ in 0..<2 {
            var words: [UInt256] = [32, 100] + Array(repeating: 3_200, count: 100)
            words.append(UInt256(UInt64(bomb.count)))
            bomb = ERC20.call("multicall(bytes[])") + words.flatMap(\.bigEndianBytes) + bomb
        }
        #expect(try effects(bomb).isTooLong)
    }

    // MARK: Random programs

    /// A call that moves or allows something of alice, and who gets it.
    private static func theft(_ random: inout SeededGenerator) throws -> (
        data: [UInt8], thief: Address
    ) {
        let thief = Address(truncating: random.word())
        let amount = UInt256(random.word())
        let small = amount >> 96
        let list: [(String, [ABIValue])] = [
            ("approve(address,uint256)", [.address(thief), .uint(amount)]),
            ("increaseAllowance(address,uint256)", [.address(thief), .uint(amount)]),
            ("transfer(address,uint256)", [.address(thief), .uint(amount)]),
            (
                "transferFrom(address,address,uint256)",
                [.address(alice), .address(thief), .uint(amount)]
            ),
            ("setApprovalForAll(address,bool)", [.address(thief), .bool(true)]),
            (
                "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
                [
                    .address(alice), .address(thief), .uint(amount), .uint(amount), .uint(27),
                    .word(thief.word), .word(thief.word),
                ]
            ),
            (
                "approve(address,address,uint160,uint48)",
                [.address(token), .address(thief), .uint(small), .uint(99)]
            ),
            (
                "transferFrom(address,address,uint160,address)",
                [.address(alice), .address(thief), .uint(small), .address(token)]
            ),
            ("upgradeTo(address)", [.address(thief)]),
            ("transferOwnership(address)", [.address(thief)]),
        ]
        let (function, values) = list[random.below(list.count)]
        var data = try call(function, values)
        // The first bytes of an address mean nothing to older contracts.
        for (index, value) in values.enumerated() {
            guard case .address = value, random.below(3) == 0 else { continue }
            for byte in 0..<12 { data[4 + 32 * index + byte] = UInt8(random.below(256)) }
        }
        if random.below(3) == 0 { data += random.bytes(1 + random.below(70)) }
        return (data, thief)
    }

    /// The call in a wrapper: a known one, or bytes of no form at all.
    private static func wrap(_ data: [UInt8], _ random: inout SeededGenerator) throws -> [UInt8] {
        let target = ABIValue.address(token)
        let other = ABIValue.bytes(random.bytes(random.below(90)))
        var wrapped: [UInt8]
        switch random.below(9) {
        case 0: wrapped = try call("multicall(bytes[])", [.array([other, .bytes(data)])])
        case 1:
            wrapped = try call("multicall(uint256,bytes[])", [.uint(9), .array([.bytes(data)])])
        case 2:
            wrapped = try call(
                "aggregate3((address,bool,bytes)[])",
                [.array([.tuple([target, .bool(true), .bytes(data)])])]
            )
        case 3:
            wrapped = try call("execute(address,uint256,bytes)", [target, .uint(0), .bytes(data)])
        case 4:
            wrapped = try call(
                "executeBatch(address[],uint256[],bytes[])",
                [
                    .array([target, target]), .array([.uint(0), .uint(1)]),
                    .array([other, .bytes(data)]),
                ]
            )
        case 5:
            let length = UInt256(UInt64(data.count)).bigEndianBytes
            let packed =
                [0] + token.word.bytes.suffix(20) + UInt256.zero.bigEndianBytes + length + data
            wrapped = try call("multiSend(bytes)", [.bytes(packed)])
        case 6:
            wrapped = try call(
                "exec(address,address,uint256,address,bytes)",
                [target, target, .uint(0), target, .bytes(data)]
            )
        case 7:
            // Offsets that no encoder writes: a gap before the list.
            let gap = random.below(4)
            let words =
                [UInt256(UInt64(32 + 32 * gap))] + (0..<gap).map { _ in UInt256(random.word()) }
                + [1, 32, UInt256(UInt64(data.count))]
            wrapped = ERC20.call("multicall(bytes[])") + words.flatMap(\.bigEndianBytes) + data
        default:
            wrapped = random.bytes(4 + random.below(80)) + data + random.bytes(random.below(80))
        }
        if random.below(4) == 0 { wrapped += random.bytes(random.below(50)) }
        return wrapped
    }

    @Test("no allowance and no transfer is hidden by tails, wrappers and dirty words")
    func random() throws {
        var random = SeededGenerator(seed: 41)
        let session = try TestMarket().session()
        let names = ContractNames(
            network: session.network,
            tokens: session.tokens,
            known: KnownAddresses()
        )
        for round in 0..<1_500 {
            let (theft, thief) = try Self.theft(&random)
            var data = theft
            for _ in 0..<random.below(5) { data = try Self.wrap(data, &random) }
            let effects = CallDecoder.effects(
                of: data,
                to: Self.token,
                by: Self.alice,
                on: session.network
            )
            let warnings = CallWarnings(
                account: Self.alice,
                effects: effects,
                tokens: [:],
                balances: [:],
                stakes: nil,
                known: KnownAddresses(),
                names: names
            ).all
            let isNamed = warnings.contains { $0.contains(thief.checksummed) }
            let isZero = effects.list.contains { $0.action.isNothing(for: thief) }
            #expect(isNamed || isZero, "round \(round): \(Hex.encode(data))")
            if !isNamed, !isZero { return }
        }
    }
}

extension CallEffect.Action {
    /// An allowance of nothing for somebody.
    fileprivate func isNothing(for thief: Address) -> Bool {
        switch self {
        case .allow(0, _, thief, _), .raise(0, _, thief): true
        default: false
        }
    }
}

extension SeededGenerator {
    mutating func word() -> Bytes32 { Bytes32(bytes: bytes(32)) ?? UInt256.zero.word }
}
