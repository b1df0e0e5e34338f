import DexSigning
import Ethereum
import Testing
import ZeroEx

@Suite("What a swap that is to be signed can do")
struct SwapEffectsTests {
    typealias Bench = SigningBench

    private func effects(_ transaction: Transaction) throws -> SigningEffects {
        try SwapBench.bench().effects(.transaction(transaction))
    }

    @Test("a sale through the AllowanceHolder takes at most what exec allows")
    func sale() throws {
        let sale = try effects(SwapBench.transaction(SwapBench.exec()))
        #expect(sale.isUnderstood)
        #expect(sale.function == "exec")
        #expect(sale.contract == SwapBench.holder)
        #expect(sale.paid == [.token(Bench.zrx): Bench.units("5")])
        #expect(sale.received == [Bench.weth])
        #expect(sale.recipients.isEmpty && sale.approvals.isEmpty && !sale.hasUnknownFee)
        let bought = SwapBench.exec(SwapBench.execute(bought: SwapBench.native.word))
        let ether = try effects(SwapBench.transaction(bought))
        #expect(ether.isUnderstood && ether.received.isEmpty && ether.recipients.isEmpty)
        #expect(ether.paid == [.token(Bench.zrx): Bench.units("5")])
    }

    @Test("a sale of ether takes the value; the token of exec binds nothing")
    func native() throws {
        let calls = [
            SwapBench.exec(token: SwapBench.native.word), SwapBench.exec(token: .zero),
            SwapBench.exec(amount: 0),
        ]
        for data in calls {
            let sale = try effects(SwapBench.transaction(data, ether: "2"))
            #expect(sale.isUnderstood)
            #expect(sale.paid == [.ether: Bench.units("2")])
            #expect(sale.received == [Bench.weth])
            // The Settler returns something for it.
            #expect(sale.recipients.isEmpty)
        }
    }

    @Test("what is bought for somebody else has a recipient")
    func recipient() throws {
        let data = SwapBench.exec(SwapBench.execute(recipient: Bench.bob.word))
        let sale = try effects(SwapBench.transaction(data))
        #expect(sale.isUnderstood)
        #expect(sale.recipients == [Bench.bob])
        #expect(sale.received.isEmpty)
        let plain = SwapBench.exec(SwapBench.direct(recipient: Bench.bob))
        #expect(try effects(SwapBench.transaction(plain)).recipients == [Bench.bob])
    }

    @Test("a genuine Settler that is called itself takes nothing but the value")
    func settler() throws {
        for ether in ["0", "2"] {
            for data in [SwapBench.execute(), SwapBench.paidByPermit] {
                let call = try effects(
                    SwapBench.transaction(data, to: SwapBench.settler, ether: ether)
                )
                #expect(call.isUnderstood)
                #expect(call.function == "execute")
                #expect(call.contract == SwapBench.permit2)
                #expect(call.paid == (ether == "0" ? [:] : [.ether: Bench.units(ether)]))
                #expect(call.received == [Bench.weth])
                #expect(call.recipients.isEmpty)
            }
        }
    }

    @Test("a zero head is read by its one action, if that checks a minimum itself")
    func direct() throws {
        let sale = try effects(SwapBench.transaction(SwapBench.exec(SwapBench.direct())))
        #expect(sale.isUnderstood)
        #expect(sale.paid == [.token(Bench.zrx): Bench.units("5")])
        #expect(sale.received == [Bench.weth])
        #expect(sale.recipients.isEmpty)
        let other = SwapBench.exec(SwapBench.direct(sold: Bench.usdc))
        #expect(try !effects(SwapBench.transaction(other)).isUnderstood)
    }

    /// Nothing of it is understood: it is a call of an unknown contract.
    private func isForeign(_ transaction: Transaction, _ bench: SigningBench) -> Bool {
        let effects = bench.effects(.transaction(transaction))
        let ether = transaction.value.rawValue
        return !effects.isUnderstood && effects.contract == transaction.to
            && effects.function == "(data)" && effects.received.isEmpty
            && effects.paid == (ether == .zero ? [:] : [.ether: ether])
            && effects.recipients
                == (ether == .zero ? [] : Set([transaction.to].compactMap(\.self)))
    }

    private static func dirty(_ address: Address) -> Bytes32 {
        var bytes = address.word.bytes
        bytes[0] = 1
        return Bytes32(bytes: bytes) ?? .zero
    }

    @Test("call data in any other form is not understood")
    func hostile() throws {
        let bench = try SwapBench.bench()
        let bob = Bench.bob.word
        let own = SwapBench.settler
        let inner: [(String, [UInt8])] = [
            ("nothing", []),
            ("executeWithPermit", [0x06, 0xb8, 0x52, 0x4c] + SwapBench.execute().dropFirst(4)),
            ("another function", [1, 2, 3, 4] + SwapBench.execute().dropFirst(4)),
            ("no recipient", SwapBench.execute(recipient: .zero)),
            ("no bought token", SwapBench.execute(bought: .zero)),
            ("no minimum anywhere", SwapBench.execute(recipient: .zero, bought: .zero, minimum: 0)),
            ("a dirty recipient", SwapBench.execute(recipient: Self.dirty(Bench.own))),
            ("a dirty token", SwapBench.execute(bought: Self.dirty(Bench.weth))),
            ("actions out of reach", SwapBench.execute(actions: [])),
        ]
        for (what, data) in inner {
            #expect(isForeign(SwapBench.transaction(SwapBench.exec(data)), bench), "\(what)")
            guard !data.isEmpty else { continue }
            #expect(isForeign(SwapBench.transaction(data, to: own), bench), "\(what), direct")
        }
        let outer: [(String, [UInt8])] = [
            ("another function", [1, 2, 3, 4] + SwapBench.exec().dropFirst(4)),
            ("Settler's function", SwapBench.execute()),
            ("another mover", SwapBench.exec(by: bob)),
            ("another target", SwapBench.exec(target: bob)),
            ("both others", SwapBench.exec(by: bob, target: bob)),
            ("a dirty mover", SwapBench.exec(by: Self.dirty(own), target: Self.dirty(own))),
            ("a dirty token", SwapBench.exec(token: Self.dirty(Bench.zrx))),
            ("ether without a value", SwapBench.exec(token: SwapBench.native.word)),
            ("no token", SwapBench.exec(token: .zero)),
            ("a byte more", SwapBench.exec() + [0]),
            ("a word more", SwapBench.exec() + Bytes32.zero.bytes),
        ]
        for (what, data) in outer {
            #expect(isForeign(SwapBench.transaction(data), bench), "\(what)")
        }
        let both = SwapBench.transaction(SwapBench.exec(), ether: "1")
        #expect(isForeign(both, bench), "a token and a value")
    }

    @Test("cut anywhere, or with another offset, it is not understood")
    func cut() throws {
        let bench = try SwapBench.bench()
        for (data, to) in [
            (SwapBench.exec(), SwapBench.holder), (SwapBench.execute(), SwapBench.settler),
            (SwapBench.exec(SwapBench.direct()), SwapBench.holder),
        ] {
            #expect(!isForeign(SwapBench.transaction(data, to: to), bench))
            for count in 1..<data.count {
                let part = SwapBench.transaction(Array(data.prefix(count)), to: to)
                #expect(isForeign(part, bench), "\(count) of \(data.count)")
            }
        }
        // The offset of exec's data, and its length.
        for position in [4 + 4 * 32, 4 + 5 * 32] {
            for byte in 0..<32 {
                var data = SwapBench.exec()
                data[position + byte] ^= 0x40
                #expect(isForeign(SwapBench.transaction(data), bench), "\(position) \(byte)")
            }
        }
    }

    @Test(
        "a contract that the registry does not name is no venue's, and neither is any without one"
    )
    func foreign() throws {
        var bench = try SwapBench.bench()
        let calls = [
            SwapBench.transaction(SwapBench.exec()),
            SwapBench.transaction(SwapBench.exec(token: .zero), ether: "1"),
            SwapBench.transaction(SwapBench.execute(), to: SwapBench.settler, ether: "1"),
        ]
        for call in calls { #expect(!isForeign(call, bench)) }
        bench.genuine = []
        for call in calls { #expect(isForeign(call, bench)) }
        bench.genuine = [SwapBench.settler]
        bench.swap = nil
        for call in calls { #expect(isForeign(call, bench)) }
        // The exchange is no swap venue, whoever says so.
        bench = try SwapBench.bench()
        bench.genuine = [Bench.exchange]
        let call = SwapBench.transaction(SwapBench.execute(), to: Bench.exchange)
        #expect(isForeign(call, bench))
    }

    @Test("a Permit2 message is a payment through Permit2")
    func permit() throws {
        let effects = try SwapBench.bench().effects(.permit(SwapBench.permit()))
        #expect(effects.paid == [.token(Bench.zrx): Bench.units("5")])
        #expect(effects.contract == SwapBench.permit2)
        #expect(effects.isUnderstood)
        #expect(effects.approvals.isEmpty && effects.recipients.isEmpty)
        #expect(effects.received.isEmpty && effects.maximumFee == nil && effects.function == nil)
    }
}
