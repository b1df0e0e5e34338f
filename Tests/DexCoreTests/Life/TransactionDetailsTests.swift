import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// What `dex status` says of a transaction's call, transfers and place.
@Suite("A transaction's call, value, transfers, time and logs")
struct TransactionDetailsTests {
    let market: TestMarket
    let hash = TransactionHash(UInt256(0xabcdef).word)
    let sender = TestMarket.address("0x00000000000000000000000000000000000000a1")
    let bob = TestMarket.address("0x00000000000000000000000000000000000000b0")
    /// No token of the map.
    let stranger = TestMarket.address("0x00000000000000000000000000000000000000aa")

    init() throws {
        market = try TestMarket()
        market.relay.set { $0.orders[OrderHash(hash.word)] = .success(nil) }
    }

    private func call(
        _ data: [UInt8],
        to: Address? = TestMarket.zrx,
        value: Wei = .zero
    ) throws -> TransactionCall? {
        TransactionCall(
            to: to,
            value: value,
            data: data,
            by: sender,
            session: try market.session()
        )
    }

    // MARK: Calls

    @Test("a token's transfer, transferFrom, approve and allowance changes")
    func tokens() throws {
        let five = TokenAmount(raw: 5, token: try market.zrxWeth().base)
        let sent = try #require(try call(ERC20.transfer(to: bob, amount: 5)))
        #expect(sent.function == "transfer" && sent.size == 68)
        #expect(sent.selector == [0xa9, 0x05, 0x9c, 0xbb])
        #expect(sent.action == .transfer(five, owner: nil, to: bob))
        let drawn = ERC20.call(
            "transferFrom(address,address,uint256)",
            stranger.word,
            bob.word,
            UInt256(5).word
        )
        #expect(try call(drawn)?.action == .transfer(five, owner: stranger, to: bob))
        let approval = try call(ERC20.approve(spender: bob, amount: 5))
        #expect(approval?.action == .approve(five, owner: nil, spender: bob))
        let less = ERC20.call("decreaseAllowance(address,uint256)", bob.word, UInt256(5).word)
        #expect(try call(less)?.action == .decreaseAllowance(five, spender: bob))
    }

    @Test("deposit and withdraw mean wrapping at wrapped ether alone")
    func wraps() throws {
        let weth = try market.zrxWeth().quote
        let deposit = ERC20.call("deposit()")
        let withdraw = ERC20.call("withdraw(uint256)", UInt256(7).word)
        #expect(
            try call(deposit, to: weth.address, value: Wei(9))?.action
                == .wrap(TokenAmount(raw: 9, token: weth))
        )
        #expect(
            try call(withdraw, to: weth.address)?.action
                == .unwrap(TokenAmount(raw: 7, token: weth))
        )
        for data in [deposit, withdraw] {
            let foreign = try #require(try call(data, to: stranger))
            #expect(foreign.function == nil && foreign.action == .other)
        }
    }

    @Test("a fill and a cancel of the exchange, and a function that it does not have")
    func exchange() async throws {
        let ask = try await market.ask(by: market.makers[0], "100", for: "1")
        let session = try market.session()
        let fill = session.exchangeProtocol.fillCall(
            PlannedFill(order: ask, takerAmount: TestMarket.units("0.5")),
            mode: .skipping,
            contracts: TestMarket.contracts
        )
        let pair = try market.zrxWeth()
        let filled = try #require(try call(fill.data, to: TestMarket.exchange))
        #expect(
            filled.action
                == .fill(
                    pays: [TokenAmount(raw: TestMarket.units("0.5"), token: pair.quote)],
                    receives: [pair.base]
                )
        )
        let cancel = session.exchangeProtocol.cancelCall([ask], contracts: TestMarket.contracts)
        #expect(try call(cancel.data, to: TestMarket.exchange)?.action == .cancel)
        let odd = try #require(try call([1, 2, 3, 4, 5], to: TestMarket.exchange))
        #expect(odd.function == nil && odd.action == .other)
        // The same bytes at another contract are not the exchange's.
        #expect(try call(fill.data, to: stranger)?.function == nil)
    }

    @Test("data that are not in the usual encoding are read as contracts read them, and it is said")
    func hostile() throws {
        #expect(try call([]) == nil)
        #expect(try call([1], to: nil) == nil)
        let short = try #require(try call([0xa9]))
        #expect(short.selector == [0xa9] && short.size == 1 && short.action == .other)
        let data = ERC20.transfer(to: bob, amount: 5)
        let zrx = try market.zrxWeth().base
        func amount(_ raw: UInt256) -> TokenAmount { TokenAmount(raw: raw, token: zrx) }
        for tail in [[0], [UInt8](repeating: 7, count: 32), [UInt8](repeating: 7, count: 99)] {
            let long = try #require(try call(data + tail))
            #expect(long.function == "transfer")
            #expect(long.action == .transfer(amount(5), owner: nil, to: bob))
            #expect(long.effects?.extraBytes == tail.count)
            let approved = try call(ERC20.approve(spender: bob, amount: .max) + tail)
            #expect(approved?.action == .approve(amount(.max), owner: nil, spender: bob))
        }
        let cut = try #require(try call(Array(data.dropLast())))
        #expect(cut.action == .transfer(amount(0), owner: nil, to: bob))
        #expect(cut.effects?.missingBytes == 1)
        var dirty = data
        dirty[4] = 1
        #expect(try call(dirty)?.action == .transfer(amount(5), owner: nil, to: bob))
        #expect(try call(dirty)?.effects?.isDirty == true)
        // Wrapped ether too, and only there.
        let weth = try market.zrxWeth().quote
        let withdraw = ERC20.call("withdraw(uint256)", UInt256(7).word) + [1]
        #expect(
            try call(withdraw, to: weth.address)?.action
                == .unwrap(TokenAmount(raw: 7, token: weth))
        )
        #expect(
            try call(ERC20.call("deposit()") + [1], to: weth.address, value: Wei(9))?.action
                == .wrap(TokenAmount(raw: 9, token: weth))
        )
        #expect(try call(withdraw, to: stranger)?.function == nil)
    }

    @Test("calls inside of a wrapper, and what is hidden in unknown data, are among the effects")
    func wrapped() throws {
        let approval = ERC20.approve(spender: bob, amount: .max)
        let multicall = try ABIFunction("multicall(bytes[])").encode([.array([.bytes(approval)])])
        let several = try #require(try call(multicall))
        #expect(several.function == "multicall" && several.action == .other)
        let allow = CallEffect.Action.allow(.max, owner: sender, spender: bob, until: nil)
        #expect(several.effects?.list.contains { $0.action == allow } == true)
        let hidden = try #require(try call([1, 2, 3, 4] + approval))
        #expect(hidden.function == nil && hidden.action == .other)
        #expect(
            hidden.effects?.list.contains { $0.action == allow && $0.place == .found(4) } == true
        )
        // The exchange's own functions alone are read there, but nothing hides.
        let tailed = try #require(try call([1, 2, 3, 4] + approval, to: TestMarket.exchange))
        #expect(tailed.effects?.list.contains { $0.action == allow } == true)
    }

    @Test("what moves and to whom: the recipient or spender, else the called contract")
    func subjects() throws {
        func subject(_ data: [UInt8], to: Address?, value: UInt256 = 0) throws -> TransactionSubject
        {
            TransactionSubject(
                try call(data, to: to, value: Wei(value)),
                to: to,
                value: Wei(value),
                coin: .ether
            )
        }
        let sent = try subject(ERC20.transfer(to: bob, amount: 5), to: TestMarket.zrx)
        #expect(sent.amount == 5 && sent.currency.symbol == "ZRX" && sent.recipient == bob)
        let allowed = try subject(ERC20.approve(spender: bob, amount: .max), to: TestMarket.zrx)
        #expect(allowed.isAllowance && allowed.amount == .max && allowed.recipient == bob)
        let ether = try subject([], to: bob)
        #expect(ether.amount == 0 && ether.currency == .coin(.ether) && ether.recipient == bob)
        let other = try subject([1, 2, 3, 4], to: stranger)
        #expect(other.amount == nil && other.recipient == stranger)
        #expect(try subject([1, 2, 3, 4], to: stranger, value: 3).amount == 3)
        #expect(try subject([1], to: nil).recipient == nil)
    }

    // MARK: Of a node

    private func status() async throws -> TransactionStatus {
        let state = try await StatusModel(session: try market.session()).load(hash.word)
        guard case .transaction(let status) = state else {
            throw DexError(.fault, code: "test", message: "It is an order.")
        }
        return status
    }

    private func info(_ data: [UInt8], block: UInt64?) -> TransactionInfo {
        TransactionInfo(
            hash: hash,
            from: bob,
            to: TestMarket.zrx,
            nonce: 7,
            value: .zero,
            gasLimit: 200_000,
            data: data,
            blockNumber: block,
            blockHash: block.map { TestMarket.blockHash($0) }
        )
    }

    @Test("somebody else's transaction: in two requests, tokens outside the map by their address")
    func foreign() async throws {
        let logs = [
            Log(
                address: TestMarket.zrx,
                topics: [ERC20.transferTopic, bob.word, stranger.word],
                data: UInt256(5).bigEndianBytes,
                logIndex: 1
            ),
            Log(
                address: stranger,
                topics: [ERC20.transferTopic, bob.word, bob.word],
                data: UInt256(6).bigEndianBytes,
                logIndex: 2
            ),
            // An NFT's, one with a dirty address and one that is too short.
            Log(
                address: stranger,
                topics: [ERC20.transferTopic, bob.word, bob.word, bob.word],
                data: []
            ),
            Log(
                address: stranger,
                topics: [ERC20.transferTopic, .init(limbs: (1, 0, 0, 0)), bob.word],
                data: UInt256(7).bigEndianBytes
            ),
            Log(address: stranger, topics: [ERC20.transferTopic, bob.word, bob.word], data: [1]),
        ]
        let receipt = market.receipt(hash, block: TestMarket.head, to: TestMarket.zrx, logs: logs)
        let info = info(ERC20.transfer(to: stranger, amount: 5), block: TestMarket.head)
        market.chain.set { state in
            state.receipts[hash] = .some(receipt)
            state.transactions[hash] = .some(info)
        }
        let details = try await status().details
        // The decimals of listed tokens are compared with their contracts.
        #expect(market.chain.rounds.count == 2)
        #expect(details.value == .zero && details.call?.function == "transfer")
        #expect(details.time == TestMarket.now)
        #expect(details.blockHash == TestMarket.blockHash(TestMarket.head))
        #expect(details.logs == logs)
        #expect(details.transfers.map(\.amount.raw) == [5, 6])
        #expect(details.transfers[0].amount.token.symbol == "ZRX")
        #expect(details.transfers[1].amount.token.decimals == nil)
        #expect(details.transfers[0].from == bob && details.transfers[0].to == stranger)
    }

    @Test("the accounts that signed to run other code, or none any more, on this chain")
    func delegations() async throws {
        let signer = market.trader
        func authorization(
            _ delegate: Address,
            chainID: UInt256,
            isSpoiled: Bool = false
        ) throws -> Transaction.Authorization {
            let hash = Transaction.Authorization.signingHash(
                chainID: chainID,
                delegate: delegate,
                nonce: 0
            )
            let signature = try signer.signature(over: hash)
            return Transaction.Authorization(
                chainID: chainID,
                delegate: delegate,
                nonce: 0,
                yParity: isSpoiled ? 2 : signature.yParity,
                r: UInt256(signature.r),
                s: UInt256(signature.s)
            )
        }
        let list = [
            try authorization(stranger, chainID: 1337),
            try authorization(.zero, chainID: 0),
            try authorization(stranger, chainID: 1),
            try authorization(stranger, chainID: 1337, isSpoiled: true),
        ]
        let receipt = market.receipt(hash, block: TestMarket.head, to: TestMarket.zrx)
        let info = TransactionInfo(
            hash: hash,
            from: bob,
            to: TestMarket.zrx,
            nonce: 7,
            value: .zero,
            gasLimit: 200_000,
            data: [],
            authorizations: list,
            blockNumber: TestMarket.head,
            blockHash: TestMarket.blockHash(TestMarket.head)
        )
        market.chain.set { state in
            state.receipts[hash] = .some(receipt)
            state.transactions[hash] = .some(info)
        }
        #expect(
            try await status().details.delegations == [
                SignedDelegation(account: signer.address, delegate: stranger),
                SignedDelegation(account: signer.address, delegate: nil),
            ]
        )
    }

    @Test("decimals that the contract contradicts are a warning, not a line of progress")
    func otherDecimals() async throws {
        let receipt = market.receipt(hash, block: TestMarket.head, to: TestMarket.zrx)
        let info = info(ERC20.transfer(to: stranger, amount: 5), block: TestMarket.head)
        market.chain.set { state in
            state.receipts[hash] = .some(receipt)
            state.transactions[hash] = .some(info)
        }
        market.chain.answer(
            TestMarket.zrx,
            ERC20.decimals,
            with: .success(UInt256(20).bigEndianBytes)
        )
        _ = try await status()
        #expect(market.clock.warnings.count == 1)
        #expect(market.clock.warnings.first?.contains("decimals") == true)
        #expect(market.clock.messages.allSatisfy { !$0.contains("decimals") })
    }

    @Test("one in an older block has that block's time; one in a pool has call and value only")
    func places() async throws {
        market.mine(96, timestamp: TestMarket.now - 9)
        let receipt = market.receipt(hash, block: 96, to: TestMarket.zrx)
        market.chain.set { state in
            state.receipts[hash] = .some(receipt)
            state.transactions[hash] = .some(nil)
        }
        let mined = try await status().details
        #expect(mined.time == TestMarket.now - 9)
        // The node has the receipt and not the transaction.
        #expect(mined.value == nil && mined.call == nil && mined.logs == [])

        let pending = info([1, 2, 3, 4], block: nil)
        market.chain.set { state in
            state.receipts[hash] = .some(nil)
            state.transactions[hash] = .some(pending)
            state.minedNonces[bob] = 7
        }
        let waiting = try await status().details
        #expect(waiting.call?.selector == [1, 2, 3, 4] && waiting.value == .zero)
        #expect(waiting.time == nil && waiting.logs == nil && waiting.blockHash == nil)
    }
}
