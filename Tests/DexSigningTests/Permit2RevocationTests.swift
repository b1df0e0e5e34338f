import DexSigning
import Ethereum
import StrictJSON
import Testing
import ZeroEx

@Suite("Calls of Permit2 that only take allowances away")
struct Permit2RevocationTests {
    typealias Bench = SigningBench

    private static let permit2 = ZeroExSwapContracts.permit2
    private static let pairs = [
        TokenSpender(token: Bench.zrx, spender: Bench.bob),
        TokenSpender(token: Bench.usdc, spender: Bench.proxy),
    ]

    /// Written by the ABI encoder.
    private func lockdown(_ pairs: [TokenSpender]) throws -> [UInt8] {
        try ABIFunction("lockdown((address,address)[])").encode([
            .array(pairs.map { .tuple([.address($0.token), .address($0.spender)]) })
        ])
    }

    private func approve(_ amount: UInt256, until expiration: UInt256) throws -> [UInt8] {
        try ABIFunction("approve(address,address,uint160,uint48)").encode([
            .address(Bench.zrx), .address(Bench.bob), .uint(amount), .uint(expiration),
        ])
    }

    @Test("a lockdown is written as every encoder writes it, and read again")
    func encoding() throws {
        for count in 0...2 {
            let pairs = Array(Self.pairs.prefix(count))
            let data = try lockdown(pairs)
            #expect(Permit2Revocation.lockdown(pairs) == data)
            let read = Permit2Revocation(data: data)
            // A lockdown of nothing takes nothing away.
            #expect(read?.pairs == (count == 0 ? nil : pairs))
            #expect(read?.function == (count == 0 ? nil : "lockdown"))
        }
        #expect(Permit2Revocation.lockdown(Self.pairs).prefix(4) == [0xcc, 0x53, 0x28, 0x7f])
        let none = Permit2Revocation(data: try approve(0, until: 7))
        #expect(none?.pairs == [Self.pairs[0]] && none?.function == "approve")
    }

    @Test("anything but the one encoding of taking away is no revocation")
    func hostile() throws {
        let good = try lockdown(Self.pairs)
        var all: [(String, [UInt8])] = [
            ("nothing", []), ("a selector", Array(good.prefix(4))),
            ("cut", Array(good.dropLast())), ("a word less", Array(good.dropLast(32))),
            ("a word more", good + [UInt8](repeating: 0, count: 32)),
            ("a pair more", good + [UInt8](repeating: 0, count: 64)),
            ("an allowance", try approve(1, until: 7)),
            ("a dirty amount", dirty(1 << 160, until: 7)),
            ("a dirty expiration", dirty(0, until: 1 << 48)),
            ("ERC-20's approve", ERC20.approve(spender: Bench.bob, amount: .zero)),
        ]
        func changed(_ name: String, _ index: Int, _ byte: UInt8) {
            var data = good
            data[index] = byte
            all.append((name, data))
        }
        changed("another function", 0, 1)
        changed("another offset", 4 + 31, 64)
        changed("a longer list", 4 + 63, 3)
        changed("a shorter list", 4 + 63, 1)
        changed("a huge list", 4 + 32, 0xFF)
        changed("a dirty token", 4 + 64, 1)
        changed("a dirty spender", 4 + 96, 1)
        for (name, data) in all { #expect(Permit2Revocation(data: data) == nil, "\(name)") }
    }

    /// Words as they are, which an encoder refuses.
    private func dirty(_ amount: UInt256, until expiration: UInt256) -> [UInt8] {
        ERC20.call(
            "approve(address,address,uint160,uint48)",
            Bench.zrx.word,
            Bench.bob.word,
            amount.word,
            expiration.word
        )
    }

    @Test("every rule allows it, for it pays nothing and allows nothing, but its gas counts")
    func policy() throws {
        let strict: [(inout Policy) -> Void] = [
            { $0.tokens = [] }, { $0.spenders = [] }, { $0.recipients = [] },
            { $0.perTrade = [.token(Bench.zrx): 1] }, { $0.perDay = [.token(Bench.usdc): 1] },
            { $0.limitsEverything = true },
        ]
        for data in [try lockdown(Self.pairs), try approve(0, until: 0)] {
            let call = SigningRequest.Content.transaction(
                Bench.transaction(to: Self.permit2, data: data)
            )
            let effects = try Bench().effects(call)
            #expect(effects.isUnderstood && effects.contract == nil)
            #expect(effects.paid.isEmpty && effects.approvals.isEmpty && effects.recipients.isEmpty)
            for change in strict {
                var bench = try Bench()
                change(&bench.policy)
                #expect(bench.refusal(call) == nil)
            }
            var poor = try Bench()
            poor.policy.maximumFee = Wei(1)
            #expect(poor.refusal(call)?.rule == "max_fee")
        }
    }

    @Test("the same data at another contract, an allowance, and ether with it are no revocation")
    func foreign() throws {
        let data = try lockdown(Self.pairs)
        var bench = try Bench()
        bench.policy.perDay = [.token(Bench.zrx): 1]
        func rule(_ transaction: Transaction) -> String? {
            bench.refusal(.transaction(transaction))?.rule
        }
        #expect(rule(Bench.transaction(to: Self.permit2, data: data)) == nil)
        #expect(rule(Bench.transaction(to: Bench.bob, data: data)) == "spenders")
        #expect(
            rule(Bench.transaction(to: Self.permit2, data: try approve(1, until: 7))) == "spenders"
        )
        bench.policy.recipients = []
        let paying = Bench.transaction(to: Self.permit2, ether: "1", data: data)
        #expect(rule(paying) == "recipients")
    }
}
