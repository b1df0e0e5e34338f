import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@Suite("Calls that name a price pay it, as in geth")
struct PricedCallTests {
    private static let price: UInt256 = 5_000_000_000

    /// A fill on a chain where that costs 70,000 times the price of gas.
    private func fill(
        _ test: TestChain,
        gas: UInt64? = nil,
        _ fee: Transaction.Fee?
    ) throws -> CallRequest {
        let signed = try test.limit(by: test.makers[0])
        let call = ExchangeCallV4.limit(.fill(signed.order, signed.signature, amount: 1_000))
        return CallRequest(
            from: test.alice.address,
            to: TestChain.exchangeProxy,
            data: call.data,
            value: Wei(70_000 * Self.price),
            gas: gas,
            fee: fee
        )
    }

    private func test() throws -> TestChain {
        try TestChain { $0.protocolFeeMultiplier = 70_000 }
    }

    private func estimate(_ test: TestChain, _ call: CallRequest) async throws -> UInt64 {
        try await test.client.read(.estimateGas(call))
    }

    @Test("the contract sees the price, and pays its fee to an account that is new")
    func price() async throws {
        let test = try test()
        let legacy = Transaction.Fee.legacy(gasPrice: Wei(Self.price))
        let dynamic = Transaction.Fee.dynamic(
            maxFeePerGas: Wei(Self.price),
            maxPriorityFeePerGas: Wei(1)
        )
        let without = try await estimate(test, fill(test, nil))
        let with = try await estimate(test, fill(test, legacy))
        #expect(with > without + 25_000)
        // The fee is of the price, and not of the most that may be paid: what is left of the value
        // goes back, by a call that costs 9,000 gas and a warm account's 100.
        let back = try await estimate(test, fill(test, dynamic))
        #expect(back > with)
        #expect(back <= with + 9_500)
        let trace = try await test.client.read(.accessList(fill(test, gas: 500_000, dynamic)))
        #expect(trace.failure == nil)
    }

    @Test("all the gas of a call must be owned; a search for a limit stops at what is")
    func owned() async throws {
        let test = try test()
        // 10^12 wei for each of 50,000,000 units of gas are 50 million ether.
        let all = Transaction.Fee.legacy(gasPrice: Wei(1_000_000_000_000_000_000))
        let error = await chainError { _ = try await test.client.call(fill(test, all)) }
        #expect(error?.description.contains("insufficient funds for gas * price + value") == true)
        let search = await chainError { _ = try await estimate(test, fill(test, all)) }
        #expect(search != nil)
    }

    @Test("prices that no block takes are refused, and absurd ones do not trap")
    func refused() async throws {
        let test = try test()
        let fees: [(Transaction.Fee, String)] = [
            (.legacy(gasPrice: Wei(1)), "max fee per gas less than block base fee"),
            (
                .dynamic(maxFeePerGas: Wei(Self.price), maxPriorityFeePerGas: Wei(.max)),
                "max priority fee per gas higher than max fee per gas"
            ),
            (.legacy(gasPrice: Wei(.max)), "insufficient funds"),
            (
                .dynamic(maxFeePerGas: Wei(.max), maxPriorityFeePerGas: Wei(.max)),
                "insufficient funds"
            ),
        ]
        for (fee, words) in fees {
            let call = try fill(test, gas: 500_000, fee)
            let error = await chainError { _ = try await test.client.call(call) }
            #expect(error?.description.contains(words) == true, "\(fee)")
            _ = try? await estimate(test, call)
        }
    }
}
