import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// Commands of Uniswap's Universal Router in a call of another program.
@Suite("Commands of a router: what they take, allow and pay to others")
struct RouterCommandTests {
    private static let alice = Address(truncating: UInt256(0xA11CE_0000_0000_0000_0000_0001).word)
    private static let bob = Address(truncating: UInt256(0xB0B0_0000_0000_0000_0000_0002).word)
    private static let router = Address(truncating: UInt256(0xC0C0_0000_0000_0000_0003).word)
    private static let zrx = TestMarket.zrx
    private static let weth = TestMarket.weth
    private static let sender = Address(truncating: UInt256(1).word)
    private static let itself = Address(truncating: UInt256(2).word)

    /// A function without its selector: the input of a command.
    private static func input(_ types: String, _ values: [ABIValue]) throws -> [UInt8] {
        Array(try ABIFunction("f\(types)").encode(values).dropFirst(4))
    }

    private static func execute(
        _ commands: [(UInt8, [UInt8])],
        deadline: Bool = true
    ) throws -> [UInt8] {
        let function = try ABIFunction(
            deadline ? "execute(bytes,bytes[],uint256)" : "execute(bytes,bytes[])"
        )
        return try function.encode(
            [.bytes(commands.map(\.0)), .array(commands.map { .bytes($0.1) })]
                + (deadline ? [.uint(1)] : [])
        )
    }

    private func effects(_ data: [UInt8]) throws -> CallEffects {
        CallDecoder.effects(
            of: data,
            to: Self.router,
            by: Self.alice,
            on: try TestMarket().network
        )
    }

    private static func path(_ tokens: Address...) -> [UInt8] {
        Array(tokens.map(\.bytes).joined(separator: [0, 1, 0xF4]))
    }

    private static func swap(
        to receiver: Address = sender,
        byUser: Bool = true,
        exactOut: Bool = false
    ) throws -> [UInt8] {
        try input(
            "(address,uint256,uint256,bytes,bool)",
            [
                .address(receiver), .uint(exactOut ? 3 : 7), .uint(exactOut ? 7 : 3),
                .bytes(exactOut ? path(weth, zrx) : path(zrx, weth)), .bool(byUser),
            ]
        )
    }

    private static func detail(_ token: Address, _ amount: UInt256) -> ABIValue {
        .tuple([.address(token), .uint(amount), .uint(99), .uint(0)])
    }

    private static func move(_ amount: UInt256, to: Address) -> CallEffect.Action {
        .move(amount, owner: alice, to: to)
    }

    /// A command's input with the effects that it has, as token and action.
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let command: UInt8
        let input: [UInt8]
        let found: [(Address?, CallEffect.Action)]
        var testDescription: String { name }
    }

    static func samples() throws -> [Sample] {
        let permit = "((address,uint160,uint48,uint48),address,uint256)"
        let permits = "((address,uint160,uint48,uint48)[],address,uint256)"
        let transfers = "(address,address,uint160,address)[]"
        func transfer(_ token: Address, _ amount: UInt256) -> ABIValue {
            .tuple([.address(alice), .address(bob), .uint(amount), .address(token)])
        }
        return [
            Sample(
                name: "V3_SWAP_EXACT_IN",
                command: 0x00,
                input: try swap(),
                found: [(zrx, move(7, to: router))]
            ),
            Sample(
                name: "V3_SWAP_EXACT_OUT",
                command: 0x01,
                input: try swap(exactOut: true),
                found: [(zrx, move(7, to: router))]
            ),
            Sample(
                name: "V3_SWAP_EXACT_IN to somebody else",
                command: 0x00,
                input: try swap(to: bob),
                found: [
                    (zrx, move(7, to: router)), (weth, .move(.max, owner: router, to: bob)),
                ]
            ),
            Sample(
                name: "V3_SWAP_EXACT_OUT of what the router holds, to somebody else",
                command: 0x01,
                input: try swap(to: bob, byUser: false, exactOut: true),
                found: [(weth, .move(.max, owner: router, to: bob))]
            ),
            Sample(
                name: "V2_SWAP_EXACT_IN",
                command: 0x08,
                input: try input(
                    "(address,uint256,uint256,address[],bool)",
                    [
                        .address(itself), .uint(7), .uint(3),
                        .array([.address(zrx), .address(weth)]), .bool(true),
                    ]
                ),
                found: [(zrx, move(7, to: router))]
            ),
            Sample(
                name: "PERMIT2_TRANSFER_FROM",
                command: 0x02,
                input: try input(
                    "(address,address,uint160)",
                    [.address(zrx), .address(bob), .uint(5)]
                ),
                found: [(zrx, move(5, to: bob))]
            ),
            Sample(
                name: "PERMIT2_PERMIT",
                command: 0x0A,
                input: try input(
                    "(\(permit),bytes)",
                    [
                        .tuple([detail(zrx, 5), .address(bob), .uint(1)]),
                        .bytes([UInt8](repeating: 1, count: 65)),
                    ]
                ),
                found: [(zrx, .allow(5, owner: alice, spender: bob, until: 99))]
            ),
            Sample(
                name: "PERMIT2_PERMIT_BATCH",
                command: 0x03,
                input: try input(
                    "(\(permits),bytes)",
                    [
                        .tuple([
                            .array([detail(zrx, 5), detail(weth, 6)]), .address(bob), .uint(1),
                        ]), .bytes([UInt8](repeating: 1, count: 65)),
                    ]
                ),
                found: [
                    (zrx, .allow(5, owner: alice, spender: bob, until: 99)),
                    (weth, .allow(6, owner: alice, spender: bob, until: 99)),
                ]
            ),
            Sample(
                name: "PERMIT2_TRANSFER_FROM_BATCH",
                command: 0x0D,
                input: try input(
                    "(\(transfers))",
                    [.array([transfer(zrx, 5), transfer(weth, 6)])]
                ),
                found: [(zrx, move(5, to: bob)), (weth, move(6, to: bob))]
            ),
            Sample(
                name: "SWEEP to the sender",
                command: 0x04,
                input: try input(
                    "(address,address,uint256)",
                    [.address(zrx), .address(sender), .uint(5)]
                ),
                found: []
            ),
            Sample(
                name: "SWEEP to somebody else",
                command: 0x04,
                input: try input(
                    "(address,address,uint256)",
                    [.address(zrx), .address(bob), .uint(0)]
                ),
                found: [(zrx, .move(.max, owner: router, to: bob))]
            ),
            Sample(
                name: "TRANSFER to somebody else",
                command: 0x05,
                input: try input(
                    "(address,address,uint256)",
                    [.address(zrx), .address(bob), .uint(5)]
                ),
                found: [(zrx, .move(.max, owner: router, to: bob))]
            ),
            Sample(
                name: "PAY_PORTION to somebody else",
                command: 0x06,
                input: try input(
                    "(address,address,uint256)",
                    [.address(zrx), .address(bob), .uint(9_900)]
                ),
                found: [(zrx, .move(.max, owner: router, to: bob))]
            ),
            Sample(
                name: "UNWRAP_WETH to the account",
                command: 0x0C,
                input: try input("(address,uint256)", [.address(alice), .uint(5)]),
                found: []
            ),
            Sample(
                name: "UNWRAP_WETH to somebody else",
                command: 0x0C,
                input: try input("(address,uint256)", [.address(bob), .uint(0)]),
                found: [(weth, .move(.max, owner: router, to: bob))]
            ),
            Sample(
                name: "WRAP_ETH",
                command: 0x0B,
                input: try input("(address,uint256)", [.address(itself), .uint(5)]),
                found: []
            ),
        ]
    }

    private static func matches(
        _ effects: CallEffects,
        _ found: [(Address?, CallEffect.Action)],
        at path: [Int]
    ) -> Bool {
        let real = effects.list.filter { $0.place == .inside(path) && $0.action != .nothing }
        return real.map(\.token) == found.map(\.0) && real.map(\.action) == found.map(\.1)
    }

    @Test(
        "each command, alone, with the flag that lets it fail, with bytes behind, and in a plan below"
    )
    func commands() throws {
        for sample in try Self.samples() {
            for flag: UInt8 in [0, 0x80] {
                for tail in [[], [UInt8](repeating: 0xEE, count: 33)] {
                    let one = try Self.execute(
                        [(sample.command | flag, sample.input + tail)],
                        deadline: flag == 0
                    )
                    let effects = try effects(one + tail)
                    #expect(!effects.isUnread, "\(sample.name)")
                    #expect(Self.matches(effects, sample.found, at: [1]), "\(sample.name)")
                }
            }
            // EXECUTE_SUB_PLAN, twice, after a command that does nothing.
            let idle = try Self.input("(address,uint256)", [.address(Self.itself), .uint(5)])
            let plan = { (commands: [(UInt8, [UInt8])]) in
                Array(try Self.execute(commands, deadline: false).dropFirst(4))
            }
            let inner = try plan([(0x0B, idle), (sample.command, sample.input)])
            let effects = try effects(
                try Self.execute([(0x0B, idle), (0xA1, try plan([(0x21, inner)]))])
            )
            #expect(!effects.isUnread, "\(sample.name)")
            #expect(Self.matches(effects, sample.found, at: [2, 1, 2]), "\(sample.name)")
        }
    }

    @Test("a command that is not known is never small: the whole call is unread, the rest is said")
    func unknown() throws {
        let permit = try #require(try Self.samples().first { $0.command == 0x0A })
        for command: UInt8 in [0x07, 0x0F, 0x10, 0x11, 0x13, 0x1F, 0x22, 0x3F, 0x8F, 0x90] {
            let data = try Self.execute([(command, [1, 2, 3]), (0x0A, permit.input)])
            let effects = try effects(data)
            #expect(effects.isUnread && effects.needsData, "\(command)")
            #expect(Self.matches(effects, permit.found, at: [2]), "\(command)")
        }
        // A bit that some routers ignore: read as they do, and unread all the same.
        let both = try effects(try Self.execute([(0x4A, permit.input)]))
        #expect(both.isUnread && Self.matches(both, permit.found, at: [1]))
    }

    @Test(
        "lists that do not fit, offsets out of the data and endless plans are unread, not trusted"
    )
    func hostile() throws {
        let permit = try #require(try Self.samples().first { $0.command == 0x0A })
        let function = try ABIFunction("execute(bytes,bytes[],uint256)")
        // More commands than inputs, and fewer.
        for commands: [UInt8] in [[0x0A, 0x0A], []] {
            let data = try function.encode(
                [.bytes(commands), .array([.bytes(permit.input)]), .uint(1)]
            )
            #expect(try effects(data).isUnread)
        }
        // Every word of a good call, replaced by one that leads nowhere.
        let good = try Self.execute([(0x0A, permit.input)])
        for start in stride(from: 4, to: good.count - 31, by: 32) {
            for byte: UInt8 in [0x00, 0x7F, 0xFF] {
                var data = good
                data.replaceSubrange(start..<start + 32, with: [UInt8](repeating: byte, count: 32))
                _ = try effects(data)
            }
        }
        for length in stride(from: 0, to: good.count, by: 7) {
            _ = try effects(Array(good.prefix(length)))
        }
        // Plans in plans, deeper than is read.
        var inner = permit.input
        var command: UInt8 = 0x0A
        for _ in 0..<20 {
            inner = Array(try Self.execute([(command, inner)], deadline: false).dropFirst(4))
            command = 0x21
        }
        #expect(try effects(try Self.execute([(0x21, inner)])).isTooLong)
        let many = [(UInt8, [UInt8])](repeating: (0x0A, permit.input), count: 300)
        #expect(try effects(try Self.execute(many)).isTooLong)
    }
}
