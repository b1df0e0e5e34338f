import Ethereum
import Testing
import Uniswap

@Suite("The call that proves what arrives, to be simulated alone")
struct ArrivalProofTests {
    private static func address(_ number: UInt64) -> Address {
        Address(truncating: UInt256(number).word)
    }

    private static let account = address(0xa11ce)
    private static let sold = address(0xaa)
    private static let bought = address(0xbb)

    private func call(_ amounts: [(PoolAmount, UInt256)], value: Wei = .zero) throws -> RouterCall {
        let path = try #require(PoolPath([Self.sold, Self.bought], [.v3(fee: 500)]))
        return RouterCall(
            deadline: 77,
            swaps: amounts.map {
                RouterSwap(path: path, amount: $0.0, bound: $0.1, recipient: Self.account)
            },
            refunds: value > .zero,
            value: value
        )
    }

    /// The inner calls of a multicall with a deadline.
    private func calls(_ data: [UInt8]) throws -> (deadline: UInt256, calls: [[UInt8]]) {
        let values = try ABI.decode(Array(data.dropFirst(4)), as: [.uint(256), .array(.bytes)])
        guard case .uint(let deadline) = values[0], case .array(let items) = values[1] else {
            throw ContractReadError.malformed
        }
        return (
            deadline,
            items.compactMap { if case .bytes(let bytes) = $0 { bytes } else { nil } }
        )
    }

    private func sweep(_ minimum: UInt256) -> [UInt8] {
        ERC20.call(
            "sweepToken(address,uint256,address)",
            Self.bought.word,
            minimum.word,
            Self.account.word
        )
    }

    @Test("it empties the router first, swaps into it, and sweeps the sum of the minima")
    func parts() throws {
        let call = try call([(.exactIn(1_000), 900), (.exactIn(2_000), 1_800)])
        let (deadline, parts) = try calls(call.arrivalProof(of: Self.bought, for: Self.account))
        #expect(deadline == 77)
        #expect(parts.count == 4)
        #expect(parts.first == sweep(0) && parts.last == sweep(2_700))
        for (swap, part) in zip(call.swaps, parts[1...2]) {
            var kept = swap
            kept.recipient = RouterSwap.inRouter
            let alone = RouterCall(deadline: 77, swaps: [kept])
            #expect(try calls(alone.data).calls == [part])
        }
    }

    @Test("of a fixed purchase the amount itself has to arrive, and unspent coins come back")
    func fixed() throws {
        let call = try call([(.exactOut(500), 1_000)], value: Wei(1_000))
        let (_, parts) = try calls(call.arrivalProof(of: Self.bought, for: Self.account))
        #expect(parts.count == 4)
        #expect(parts[2] == sweep(500))
        #expect(parts[3] == ERC20.call("refundETH()"))
    }

    @Test("no call that is signed has its form")
    func neverSigned() throws {
        let call = try call([(.exactIn(1_000), 900)])
        let data = call.arrivalProof(of: Self.bought, for: Self.account)
        #expect(throws: RouterFault.self) { try RouterCall(data: data, value: .zero) }
    }
}
