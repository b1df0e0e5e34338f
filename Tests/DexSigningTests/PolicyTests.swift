import DexSigning
import Ethereum
import Testing
import ZeroEx

@Suite("The rules of a policy")
struct PolicyTests {
    typealias Bench = SigningBench

    private func bench(_ change: (inout Policy) -> Void) throws -> SigningBench {
        var bench = try Bench()
        change(&bench.policy)
        return bench
    }

    private static let everything: [SigningRequest.Content] = [
        .transaction(Bench.transaction(to: Bench.bob, ether: "1")),
        .transaction(Bench.transfer(Bench.usdc, "1")),
        .transaction(Bench.approval(Bench.zrx, .max, of: Bench.bob)),
        .transaction(Bench.fill(Bench.order(), "1")),
        .transaction(Bench.transaction(to: nil, data: [1])),
        .transaction(Bench.transaction(to: Bench.bob, data: [1, 2, 3, 4])),
        .order(Bench.ownOrder()), .message([UInt8](repeating: 1, count: 33)),
    ]

    @Test("without a rule everything is allowed")
    func noRules() throws {
        let bench = try Bench()
        for content in Self.everything { #expect(bench.refusal(content, slippage: 5_000) == nil) }
    }

    @Test("networks: only those that are named, and none where the list is empty")
    func networks() throws {
        let transaction = SigningRequest.Content.transaction(Bench.transfer(Bench.zrx, "1"))
        #expect(try bench { $0.networks = ["mainnet"] }.refusal(transaction) == nil)
        let refusal = try bench { $0.networks = ["kovan", "sandbox"] }.refusal(transaction)
        #expect(refusal?.rule == "networks")
        #expect(refusal?.reason == "mainnet is not one of kovan, sandbox")
        let none = try bench { $0.networks = [] }
        #expect(none.refusal(.order(Bench.ownOrder()))?.reason == "mainnet is not one of none")
    }

    @Test("max_fee: the most that the gas of a transaction may cost")
    func fee() throws {
        let transaction = SigningRequest.Content.transaction(Bench.transfer(Bench.zrx, "1"))
        #expect(
            try bench { $0.maximumFee = Wei(Bench.units("0.001")) }.refusal(transaction) == nil
        )
        let strict = try bench { $0.maximumFee = Wei(Bench.units("0.00099")) }
        let refusal = strict.refusal(transaction)
        #expect(refusal?.rule == "max_fee")
        #expect(
            refusal?.reason == "its gas may cost 0.001 ETH, and 0.00099 ETH are allowed"
        )
        #expect(strict.refusal(.order(Bench.ownOrder())) == nil)
    }

    @Test("max_slippage: how much worse than quoted a market order may come out")
    func slippage() throws {
        let bench = try bench { $0.maximumSlippage = 100 }
        let fill = SigningRequest.Content.transaction(Bench.fill(Bench.order(), "1"))
        #expect(bench.refusal(fill, slippage: 100) == nil)
        #expect(bench.refusal(fill) == nil)
        let refusal = bench.refusal(fill, slippage: 101)
        #expect(refusal?.rule == "max_slippage")
        #expect(
            refusal?.reason == "it may come out 1.01 % worse than quoted, and 1 % are allowed"
        )
    }

    @Test("spenders: the only contracts that are called and that get an allowance")
    func spenders() throws {
        let bench = try bench { $0.spenders = [Bench.exchange, Bench.proxy] }
        #expect(bench.refusal(.transaction(Bench.fill(Bench.order(), "1"))) == nil)
        #expect(bench.refusal(.order(Bench.ownOrder())) == nil)
        #expect(bench.refusal(.transaction(Bench.transfer(Bench.zrx, "1"))) == nil)
        let approved = Bench.approval(Bench.zrx, .max, of: Bench.proxy)
        #expect(bench.refusal(.transaction(approved)) == nil)
        let stranger = bench.refusal(
            .transaction(Bench.approval(Bench.zrx, 1, of: Bench.bob))
        )
        #expect(stranger?.rule == "spenders")
        #expect(stranger?.reason.contains(Bench.bob.checksummed) == true)
        // Taking an allowance back is always allowed.
        let revoked = Bench.approval(Bench.zrx, 0, of: Bench.bob)
        #expect(bench.refusal(.transaction(revoked)) == nil)
        let call = Bench.transaction(to: Bench.usdc, data: [1, 2, 3, 4])
        #expect(bench.refusal(.transaction(call))?.rule == "spenders")
        let none = try self.bench { $0.spenders = [] }
        #expect(none.refusal(.transaction(Bench.fill(Bench.order(), "1")))?.rule == "spenders")
        #expect(none.refusal(.order(Bench.ownOrder()))?.rule == "spenders")
    }

    @Test(
        "with a rule about money, what cannot be understood is refused unless its contract is listed"
    )
    func notUnderstood() throws {
        let changes: [@Sendable (inout Policy) -> Void] = [
            { $0.tokens = [.ether] }, { $0.recipients = [Bench.bob] },
            { $0.perTrade = [.ether: 1] }, { $0.perDay = [.ether: 1] },
        ]
        var foreign = Bench.ownOrder()
        foreign.exchange = Bench.bob
        let call = Bench.transaction(to: Bench.bob, data: [1, 2, 3, 4])
        for change in changes {
            let bench = try bench(change)
            #expect(bench.refusal(.transaction(call))?.rule == "spenders")
            #expect(bench.refusal(.order(foreign))?.rule == "spenders")
            let creation = Bench.transaction(to: nil, data: [1])
            #expect(bench.refusal(.transaction(creation))?.rule == "spenders")
            // Whatever it calls, it lets an account run other code.
            var setCode = call
            setCode.authorizations = [Bench.authorization]
            #expect(bench.refusal(.transaction(setCode))?.rule == "spenders")
            var open = bench
            open.policy.spenders = [Bench.bob]
            // What an amount is counted against has to be read.
            #expect((open.refusal(.transaction(call)) == nil) == !open.policy.boundsAmounts)
            #expect(open.refusal(.transaction(creation))?.rule == "spenders")
            #expect(open.refusal(.transaction(setCode))?.rule == "spenders")
        }
    }

    @Test("a message of 32 bytes, which can be an order's hash, is refused with rules and without")
    func messages() throws {
        let changes: [@Sendable (inout Policy) -> Void] = [
            { _ in }, { $0.networks = ["mainnet"] }, { $0.spenders = [Bench.exchange] },
            { $0.tokens = [.ether] }, { $0.perDay = [.token(Bench.zrx): 1] },
            { $0.maximumFee = .zero },
        ]
        for change in changes {
            let bench = try bench(change)
            let refusal = bench.refusal(.message([UInt8](repeating: 1, count: 32)))
            #expect(refusal == .hashMessage, "\(bench.policy)")
            #expect(bench.refusal(.message([UInt8](repeating: 1, count: 31))) == nil)
            #expect(bench.refusal(.message([])) == nil)
            let digits = String(repeating: "7f", count: 32)
            for text in [digits, "0x" + digits, " 0X\(digits.uppercased())\n"] {
                #expect(bench.refusal(.message(Array(text.utf8))) == .hashMessage, "\(text)")
            }
            #expect(bench.refusal(.message(Array((digits + "0").utf8))) == nil)
            let words = String(repeating: "sign", count: 8)
            #expect(bench.refusal(.message(Array(words.utf8))) == .hashMessage)
        }
    }

    @Test("tokens: what is paid, received, sent or approved is in the list")
    func tokens() throws {
        let bench = try bench { $0.tokens = [.token(Bench.weth), .token(Bench.zrx)] }
        #expect(bench.refusal(.transaction(Bench.fill(Bench.order(), "1"))) == nil)
        #expect(bench.refusal(.order(Bench.ownOrder())) == nil)
        let refused: [SigningRequest.Content] = [
            .transaction(Bench.transaction(to: Bench.bob, ether: "1")),
            .transaction(Bench.transfer(Bench.usdc, "1")),
            .transaction(Bench.approval(Bench.usdc, 1, of: Bench.proxy)),
        ]
        for content in refused { #expect(bench.refusal(content)?.rule == "tokens") }
        let revoked = Bench.approval(Bench.usdc, 0, of: Bench.proxy)
        #expect(bench.refusal(.transaction(revoked)) == nil)
        // What comes in counts too: a worthless token is how one is cheated.
        let narrow = try self.bench { $0.tokens = [.token(Bench.weth)] }
        let fill = SigningRequest.Content.transaction(
            Bench.fill(Bench.order(to: .zero), "1")
        )
        #expect(narrow.refusal(fill)?.reason == "ZRX is not in the list")
    }

    @Test("a fee in a token that nobody named is refused by any rule on money")
    func unknownFee() throws {
        var bench = try bench { $0.tokens = [.token(Bench.weth), .token(Bench.zrx)] }
        bench.feeToken = nil
        let refusal = bench.refusal(.transaction(Bench.fill(Bench.order(), "1")))
        #expect(refusal?.rule == "tokens")
        let free = Bench.fill(Bench.order(to: .zero), "1")
        #expect(bench.refusal(.transaction(free)) == nil)
    }

    @Test("recipients: who may be sent ether and tokens, or given an allowance")
    func recipients() throws {
        let carol = Bench.address(0xC0)
        let bench = try bench { $0.recipients = [Bench.bob] }
        #expect(bench.refusal(.transaction(Bench.transfer(Bench.usdc, "1"))) == nil)
        #expect(bench.refusal(.transaction(Bench.transaction(to: Bench.bob, ether: "1"))) == nil)
        let wrap = Bench.transaction(to: Bench.weth, ether: "2", data: ERC20.call("deposit()"))
        #expect(bench.refusal(.transaction(wrap)) == nil)
        let refused = [
            Bench.transfer(Bench.usdc, "1", to: carol),
            Bench.transaction(to: carol, ether: "1"),
            Bench.transaction(to: carol),
            // Ether beside a call of a known function.
            Bench.transaction(
                to: carol,
                ether: "1",
                data: ERC20.transfer(to: Bench.bob, amount: 1)
            ),
            // Whoever has an allowance can send the tokens on.
            Bench.approval(Bench.zrx, 1, of: carol),
        ]
        for transaction in refused {
            #expect(bench.refusal(.transaction(transaction))?.rule == "recipients")
        }
        let proxy = SigningRequest.Content.transaction(
            Bench.approval(Bench.zrx, 1, of: Bench.proxy)
        )
        #expect(bench.refusal(proxy)?.rule == "recipients")
        let trading = try self.bench {
            $0.recipients = []
            $0.spenders = [Bench.exchange, Bench.proxy]
        }
        #expect(trading.refusal(proxy) == nil)
        #expect(trading.refusal(.transaction(Bench.fill(Bench.order(), "1"))) == nil)
    }

    @Test("max_per_trade: the most of a token in one transaction or order")
    func perTrade() throws {
        let bench = try bench {
            $0.perTrade = [.token(Bench.weth): Bench.units("0.5"), .ether: Bench.units("2")]
        }
        #expect(bench.refusal(.transaction(Bench.fill(Bench.order(), "0.5"))) == nil)
        let refusal = bench.refusal(.transaction(Bench.fill(Bench.order(), "0.6")))
        #expect(refusal?.rule == "max_per_trade.WETH")
        #expect(
            refusal?.reason
                == "it may take 0.6 WETH, and 0.5 WETH are allowed at once"
        )
        let ether = Bench.transaction(to: Bench.bob, ether: "2.1")
        #expect(bench.refusal(.transaction(ether))?.rule == "max_per_trade.ETH")
        let order = try self.bench { $0.perTrade = [.token(Bench.zrx): Bench.units("4")] }
        #expect(order.refusal(.order(Bench.ownOrder("5")))?.rule == "max_per_trade.ZRX")
        #expect(order.refusal(.order(Bench.ownOrder("4"))) == nil)
        // The fee in the same token counts.
        #expect(order.refusal(.order(Bench.ownOrder("4", fee: "0.1"))) != nil)
    }

    @Test("max_per_day: with what the last 24 hours took")
    func perDay() async throws {
        let bench = try bench { $0.perDay = [.token(Bench.weth): Bench.units("1")] }
        let fill = SigningRequest.Content.transaction(Bench.fill(Bench.order(), "0.4"))
        try await bench.sign(Bench.transfer(Bench.weth, "0.6"))
        func ledger() throws -> SpendingLedger {
            SpendingLedger(try bench.log.lines(since: 0), since: bench.now - Policy.day)
        }
        #expect(bench.refusal(fill, ledger: try ledger()) == nil)
        try await bench.sign(Bench.transfer(Bench.weth, "0.1", nonce: 1))
        let refusal = bench.refusal(fill, ledger: try ledger())
        #expect(refusal?.rule == "max_per_day.WETH")
        #expect(
            refusal?.reason == "it may take 0.4 WETH after 0.7 WETH in the last 24 hours, open "
                + "orders and allowances included, and 1 WETH are allowed"
        )
    }

    @Test("an allowance beyond a limit is refused, unless its spender is listed")
    func allowances() throws {
        for isDay in [false, true] {
            let bench = try bench {
                if isDay {
                    $0.perDay = [.token(Bench.zrx): Bench.units("10")]
                } else {
                    $0.perTrade = [.token(Bench.zrx): Bench.units("10")]
                }
            }
            let exact = Bench.approval(Bench.zrx, Bench.units("10"), of: Bench.proxy)
            #expect(bench.refusal(.transaction(exact)) == nil)
            let unlimited = SigningRequest.Content.transaction(
                Bench.approval(Bench.zrx, .max, of: Bench.proxy)
            )
            let refusal = bench.refusal(unlimited)
            #expect(refusal?.rule == (isDay ? "max_per_day.ZRX" : "max_per_trade.ZRX"))
            #expect(refusal?.reason.contains("could take everything") == true)
            var listed = bench
            listed.policy.spenders = [Bench.proxy]
            #expect(listed.refusal(unlimited) == nil)
        }
    }

    @Test("a token that no list knows is named by its address and counted in base units")
    func unlisted() throws {
        let bench = try bench { $0.perTrade = [.token(Bench.usdc): 10] }
        let refusal = bench.refusal(.transaction(Bench.transfer(Bench.usdc, "1")))
        #expect(refusal?.rule == "max_per_trade.\(Bench.usdc.checksummed)")
        #expect(refusal?.reason.contains(" 1000000000000000000 ") == true)
    }
}
