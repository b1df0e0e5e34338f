import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A call that another program asks for, before it is signed")
struct CallReviewTests {
    private static let unknown: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF]

    /// The plan of a dapp's call; the node takes any call.
    private func plan(
        _ market: LiveMarket,
        _ data: [UInt8],
        to contract: Address,
        value: Wei = .zero,
        fails: @escaping @Sendable (CallRequest) -> Bool = { _ in false },
        by failure: ChainError = .lost
    ) async throws -> TransactPlan {
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                switch read {
                case .call(let call, _) where call.data == data: .success(.bytes([]))
                case .estimateGas: .success(.number(60_000 + 40 * UInt64(data.count)))
                case .code: .success(.bytes([1]))
                case .call(let call, _) where fails(call): .failure(failure)
                default: answer
                }
            }
        }
        let request = ContractRequest(contract: contract, data: data, value: value)
        let planned = try await market.contracts().plan(request, account: market.trader.address)
        return planned.content
    }

    @Test("an approval with a byte behind it is as loud as one without, and all data are shown")
    func tail() async throws {
        let market = try LiveMarket()
        let rival = market.rival.address
        let data = ERC20.approve(spender: rival, amount: .max)
        let plain = try await plan(market, data, to: TestMarket.zrx)
        let warning =
            "IT APPROVES: \(rival.checksummed) may then move ALL ZRX of this account."
        #expect(plain.warnings == [warning])
        #expect(!plain.review.showsData && plain.word == nil)
        let hidden = try await plan(market, data + [0], to: TestMarket.zrx)
        #expect(hidden.warnings.contains(warning))
        #expect(hidden.warnings.contains { $0.hasPrefix("BYTES FOLLOW: 1 behind") })
        #expect(hidden.review.showsData && hidden.call.function == "approve(address,uint256)")
        #expect(hidden.call.arguments.map(\.value) == [.address(rival), .uint(.max)])
    }

    @Test("what an allowance is of the balance is said, and a balance that cannot be read")
    func shares() async throws {
        let market = try LiveMarket()
        func warning(_ amount: String, fails: Bool = false) async throws -> String? {
            let data = ERC20.approve(
                spender: market.rival.address,
                amount: TestMarket.units(amount)
            )
            let isBalance: @Sendable (CallRequest) -> Bool = { call in
                fails && call.data.starts(with: ERC20.balanceOf(.zero).prefix(4))
            }
            return try await plan(market, data, to: TestMarket.zrx, fails: isBalance)
                .warnings.first { $0.hasPrefix("IT APPROVES") }
        }
        #expect(
            try await warning("2500")?.hasSuffix("That is 25.0 % of what the account holds.")
                == true
        )
        #expect(
            try await warning("10000")?.hasSuffix("THAT IS ALL that the account holds.") == true
        )
        #expect(
            try await warning("10001")?.hasSuffix("THAT IS ALL that the account holds.") == true
        )
        #expect(
            try await warning("1", fails: true)?.hasSuffix("balance could not be read.") == true
        )
    }

    @Test("an unknown function of a contract without anything is unknown, and wants a word")
    func harmless() async throws {
        let market = try LiveMarket()
        let plan = try await plan(market, Self.unknown, to: Fixed.stranger)
        #expect(plan.word == "blind" && plan.review.showsData)
        #expect(plan.warnings.contains { $0.contains("The function 0xdeadbeef is not known") })
    }

    @Test("what Permit2 does not answer of the called contract is unknown, not nothing")
    func unreadPermit2() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(hasPermit2: true))
        let permit2 = ZeroExSwapContracts.permit2
        let approval = ERC20.approve(spender: permit2, amount: 9)
        try await market.send(from: market.trader, to: TestMarket.zrx, approval)
        let selector = ERC20.call("allowance(address,address,address)")
        let isOfPermit2: @Sendable (CallRequest) -> Bool = { $0.data.starts(with: selector) }
        for (fails, isUnread) in [(isOfPermit2, true), ({ _ in false }, false)]
            as [(@Sendable (CallRequest) -> Bool, Bool)]
        {
            let plan = try await plan(
                market,
                Self.unknown,
                to: Fixed.stranger,
                fails: fails,
                by: .reverted(data: [], message: "execution reverted")
            )
            #expect(
                plan.warnings.contains {
                    $0 == "What the called contract may move of this account could not be read."
                } == isUnread
            )
            #expect(plan.warnings.contains { $0.contains("is not known") } != isUnread)
        }
    }

    @Test("an unknown function of a token, of Permit2 or of a contract with an allowance is not")
    func dangerous() async throws {
        let market = try LiveMarket()
        let token = try await plan(market, Self.unknown, to: TestMarket.zrx)
        #expect(token.word == "blind")
        #expect(
            token.warnings.contains { $0.hasPrefix("IT CALLS A TOKEN: 10000 ZRX of this account") }
        )
        #expect(!token.warnings.contains { $0.contains("is not known") })
        // A token that no list has.
        let heavy = try await plan(market, Self.unknown, to: LiveMarket.heavy)
        #expect(heavy.warnings.contains { $0.hasPrefix("IT CALLS A TOKEN: ") })
        let permit2 = try await plan(market, Self.unknown, to: ZeroExSwapContracts.permit2)
        #expect(permit2.warnings.contains { $0.hasPrefix("IT CALLS PERMIT2") })
        #expect(!permit2.warnings.contains { $0.contains("is not known") })
        for contract in [TestMarket.proxy] {
            let plan = try await plan(market, Self.unknown, to: contract)
            let warning = plan.warnings.first { $0.hasPrefix("THE CALLED CONTRACT MAY MOVE") }
            #expect(warning?.contains("ALL ZRX") == true)
            #expect(!plan.warnings.contains { $0.contains("is not known") })
        }
    }

    @Test("a known function of a strange contract with an allowance is not what it is called")
    func disguised() async throws {
        let market = try LiveMarket()
        let data = ERC20.approve(spender: market.rival.address, amount: 0)
        let strange = try await plan(market, data, to: TestMarket.proxy)
        #expect(strange.word == "blind")
        #expect(strange.warnings.contains { $0.hasPrefix("THE CALLED CONTRACT MAY MOVE") })
        let deposit = try await plan(market, ERC20.call("deposit()"), to: TestMarket.proxy)
        #expect(deposit.word == "blind")
    }

    @Test("the addresses in unread data that matter are named, also packed ones")
    func addresses() async throws {
        let market = try LiveMarket()
        let account = market.trader.address
        let packed = TestMarket.zrx.word.bytes.suffix(20) + [7]
        let data =
            Self.unknown + account.word.bytes + TestMarket.proxy.word.bytes
            + Fixed.stranger.word.bytes + LiveMarket.heavy.word.bytes + packed
        let plan = try await plan(market, data, to: Fixed.stranger)
        func warning(_ address: Address) -> String? {
            plan.warnings.first { $0.hasPrefix("\(address.checksummed) IS IN THE DATA") }
        }
        #expect(warning(account)?.contains("it is this account") == true)
        #expect(warning(TestMarket.proxy)?.contains("it may move ALL ") == true)
        #expect(warning(TestMarket.zrx)?.contains("this account holds 10000 ZRX") == true)
        #expect(warning(LiveMarket.heavy)?.contains("this account holds") == true)
        #expect(warning(Fixed.stranger) == nil)
    }

    @Test("what cannot be read is never an all-clear")
    func unreadable() async throws {
        let market = try LiveMarket()
        let plan = try await plan(market, Self.unknown, to: Fixed.stranger) { call in
            call.to == TestMarket.zrx
                && call.data.starts(with: ERC20.allowance(owner: .zero, spender: .zero).prefix(4))
        }
        #expect(plan.warnings.contains { $0.contains("could not be read") })
        #expect(!plan.warnings.contains { $0.contains("is not known") })
    }

    @Test("too many calls inside are refused")
    func many() async throws {
        let market = try LiveMarket()
        let approval = ERC20.approve(spender: market.rival.address, amount: 1)
        let data = try ABIFunction("multicall(bytes[])").encode([
            .array((0..<300).map { _ in .bytes(approval) })
        ])
        let error = await refusal { try await plan(market, data, to: TestMarket.zrx) }
        #expect(error?.code == "too-many-calls")
    }

    @Test("what the user's own call carries inside is named too")
    func ownCall() async throws {
        let market = try LiveMarket()
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                switch read {
                case .call(let call, _) where call.data.count > 100: .success(.bytes([]))
                case .estimateGas: .success(.number(60_000))
                default: answer
                }
            }
        }
        let rival = market.rival.address
        let inner = Hex.encode(ERC20.approve(spender: rival, amount: .max))
        let planned = try await market.plan("ZRX", "multicall(bytes[])", ["[\(inner)]"])
        #expect(
            planned.content.warnings.contains {
                $0.hasPrefix("CALL 1 INSIDE: IT APPROVES: \(rival.checksummed)")
            }
        )
    }

    private enum Fixed {
        static let stranger = TestMarket.address("0x5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d")
    }

    /// An unknown call with many addresses that mean nothing, and one at the end.
    private static func padded(_ count: Int, last: Address) -> [UInt8] {
        let head = [UInt8](repeating: 0xAB, count: 17)
        var addresses: [Address] = []
        for number in 0..<count {
            let tail: [UInt8] = [UInt8(1 + number / 250), UInt8(1 + number % 250), 0xCD]
            if let address = Address(bytes: head + tail) { addresses.append(address) }
        }
        addresses.append(last)
        return unknown + addresses.flatMap(\.word.bytes)
    }

    @Test("an address behind many others is looked up too: a token, the account, an allowance")
    func manyAddresses() async throws {
        let market = try LiveMarket()
        let contract = market.rival.address
        for count in [128, 600] {
            for (last, fact) in [
                (TestMarket.zrx, "this account holds"), (market.trader.address, "it is this"),
                (TestMarket.contracts.transferContract, "it may move"),
            ] {
                let data = Self.padded(count, last: last)
                let plan = try await plan(market, data, to: contract)
                #expect(
                    plan.warnings.contains {
                        $0.hasPrefix("\(last.checksummed) IS IN THE DATA: ") && $0.contains(fact)
                    },
                    "\(count) \(fact): \(plan.warnings)"
                )
                #expect(plan.word != nil)
            }
        }
    }

    @Test("more addresses than are looked up are refused, in a call and in a message")
    func tooManyAddresses() async throws {
        let market = try LiveMarket()
        let data = Self.padded(1_100, last: TestMarket.zrx)
        let error = await refusal {
            try await plan(market, data, to: market.rival.address)
        }
        #expect(error?.code == "too-long-to-show" && error?.exit == .refused)
        #expect(market.node.sent.isEmpty)
    }
}
