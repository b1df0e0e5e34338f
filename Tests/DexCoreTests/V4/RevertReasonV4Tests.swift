import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport
@testable import Ethereum

@Suite("Why an Exchange Proxy reverted, as commands tell it")
struct RevertReasonV4Tests {
    private static let zeroEx = ZeroExV4(
        domain: ExchangeDomainV4(chainID: 1337, exchange: TestMarket.exchange),
        signatureKind: .ethSign
    )
    private static let hash = OrderHash(UInt256(0xABC).word)
    private static let one = TestMarket.address("0x0000000000000000000000000000000000000001")
    private static let two = TestMarket.address("0x0000000000000000000000000000000000000002")

    /// Every error with what of its arguments a sentence has to have.
    private static let reverts: [(ExchangeRevertV4, [String])] = [
        (.orderNotFillable(hash, status: 2), [hash.hex, "filled"]),
        (.orderNotFillable(hash, status: 3), [hash.hex, "cancelled"]),
        (.orderNotFillable(hash, status: 4), [hash.hex, "expired"]),
        (
            .orderNotFillableByTaker(hash, taker: one, orderTaker: two),
            [hash.hex, one.checksummed, two.checksummed]
        ),
        (
            .orderNotFillableBySender(hash, sender: one, orderSender: two),
            [hash.hex, one.checksummed, two.checksummed]
        ),
        (
            .orderNotFillableByOrigin(hash, txOrigin: one, orderTxOrigin: two),
            [hash.hex, one.checksummed, two.checksummed]
        ),
        (
            .orderNotSignedByMaker(hash, signer: one, maker: two),
            [hash.hex, one.checksummed, two.checksummed]
        ),
        (.signatureValidation(code: 5, hash.word), [hash.hex, "upper half"]),
        (.fillOrKillFailed(hash, filled: 3, wanted: 4), [hash.hex, "3 of 4"]),
        (.batchFillIncomplete(hash, filled: 5, wanted: 6), [hash.hex, "5 of 6"]),
        (
            .onlyOrderMakerAllowed(hash, sender: one, maker: two),
            [hash.hex, one.checksummed, two.checksummed]
        ),
        (.cancelSaltTooLow(minValidSalt: 71, oldMinValidSalt: 72), ["71", "72"]),
        (.invalidSigner(maker: one, signer: two), [one.checksummed, two.checksummed]),
        (.protocolFeeRefundFailed(receiver: one, amount: 70_000), [one.checksummed, "70000 wei"]),
        (.notImplemented(selector: 0xf627_4f66), ["0xf6274f66"]),
        (.words("FixinProtocolFees/ETHER_TRANSFER_FALIED"), ["too little of the coin"]),
        (.words("no luck"), ["no luck"]),
        (
            .transferFailed(
                token: one,
                from: two,
                to: .zero,
                amount: 7,
                ExchangeRevertV4.words("too poor").data
            ), [one.checksummed, two.checksummed, "7 base units", "too poor"]
        ),
    ]

    private static func call(_ subject: String) -> PlannedCall {
        PlannedCall(
            purpose: .fill,
            summary: "fill an order",
            subject: subject,
            request: CallRequest(from: two, to: TestMarket.exchange, data: [1])
        )
    }

    private static func simulated(_ data: [UInt8], message: String = "reverted") -> DexError? {
        var session = SimulationStage([]).session
        session.exchangeProtocol = zeroEx
        var batch = ReadBatch()
        let simulation = call("the fill").ask(session, in: &batch)
        let answers = ReadAnswers(
            results:
                batch.questions.map { _ in .failure(.reverted(data: data, message: message)) }
        )
        do throws(DexError) {
            _ = try answers.value(simulation)
            return nil
        } catch {
            return error
        }
    }

    @Test("every typed error becomes one sentence with its arguments, in a simulation's refusal")
    func simulations() throws {
        #expect(Set(Self.reverts.map(\.0.kind)) == Set(ExchangeRevertV4.Kind.allCases))
        for (revert, words) in Self.reverts {
            let error = try #require(Self.simulated(revert.data))
            #expect(error.code == "would-revert")
            #expect(error.exit == .simulationFailed)
            #expect(error.message.hasPrefix("The simulation of the fill fails ("))
            #expect(error.message.hasSuffix("); nothing was signed."))
            for word in words { #expect(error.message.contains(word), "\(error.message)") }
            #expect(!error.message.contains(".)"), "no sentence ends within the sentence")
        }
    }

    @Test("the same where a mined transaction reverted: by the call at its block")
    func mined() async throws {
        let board = try BoardV4()
        let session = try board.session()
        let call = CallRequest(from: Self.two, to: TestMarket.exchange, data: [1, 2])
        for (revert, words) in Self.reverts {
            board.market.chain.answer(
                call.to,
                call.data,
                with: .failure(.reverted(data: revert.data, message: "execution reverted"))
            )
            let reported = try #require(
                await RevertReason.read(of: call, in: TestMarket.head, session)
            )
            #expect(reported.hasPrefix("The contract's reason: "))
            #expect(reported.hasSuffix("."))
            #expect(!reported.hasSuffix(".."))
            for word in words { #expect(reported.contains(word), "\(reported)") }
        }
        board.market.chain.answer(call.to, call.data, with: .success([]))
        let passes = await RevertReason.read(of: call, in: TestMarket.head, session)
        #expect(passes == nil, "it would pass by now")
    }

    @Test("words from a token within an error are stripped of what a terminal would obey, and cut")
    func hostile() throws {
        let inner = ExchangeRevertV4.words(
            "\u{1B}[2J\u{202E}paid\n\n\(String(repeating: "x", count: 5_000))"
        )
        let reverts: [ExchangeRevertV4] = [
            .transferFailed(token: Self.one, from: Self.two, to: .zero, amount: 7, inner.data),
            .words("FixinProtocolFees/\u{1B}]0;owned\u{7}" + String(repeating: "y", count: 5_000)),
            inner,
        ]
        for revert in reverts {
            let message = try #require(Self.simulated(revert.data)).message
            #expect(message.count < 800)
            #expect(!message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
    }

    @Test("errors of others stay others': a token's own, a panic, words, and nothing at all")
    func others() throws {
        let panic = try ABIFunction("Panic(uint256)").encode([.uint(0x11)])
        #expect(Self.simulated(panic)?.message.contains("a number overflows") == true)
        let own = try ABIFunction("InsufficientBalance(uint256)").encode([.uint(5)])
        #expect(Self.simulated(own)?.message.contains(Hex.encode(own)) == true)
        #expect(Self.simulated([], message: "")?.message.contains("no reason given") == true)
        #expect(Self.simulated([], message: "out of luck")?.message.contains("out of luck") == true)
        // Cut off in the middle of its arguments it is no error of the exchange's.
        let cut = Array(ExchangeRevertV4.orderNotFillable(Self.hash, status: 2).data.dropLast())
        #expect(Self.simulated(cut)?.message.contains("an error of the contract's own") == true)
    }
}
