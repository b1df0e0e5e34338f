import DexSigning
import EVM
import Ethereum
import EthereumWallet
import ZeroEx

@testable import DexCore

/// An account with tokens whose code a test writes.
struct SimulationStage {
    static let account = Address(truncating: UInt256(0xACC0).word)
    static let token = Address(truncating: UInt256(0x70C0).word)
    static let other = Address(truncating: UInt256(0x07E0).word)

    let chain = CodeChain()
    let session: Session
    var gasLimit: UInt64 = 500_000

    /// - Parameters:
    ///   - code: of the token that is called; the account has 100 of it, and 100 of `other`.
    ///   - otherCode: of a second token, which does nothing else.
    init(_ code: [UInt8], chainID: UInt64 = 1337, otherCode: [UInt8] = Assembler.token("")) {
        let balance = [UInt256(Self.account.word): UInt256(100)]
        chain.set { state in
            state.chainID = chainID
            state.accounts = [
                Self.account: .init(nonce: 4, balance: Wei(1_000_000_000_000_000_000)),
                Self.token: .init(code: code, words: balance),
                Self.other: .init(code: otherCode, words: balance),
            ]
        }
        session = Session(
            network: Network(
                name: "test",
                chainID: chainID,
                rpc: ["http://127.0.0.1:1"],
                relay: nil,
                protocolVersion: .v1,
                exchange: .zero,
                weth: nil
            ),
            exchangeProtocol: ZeroExV1(),
            chain: chain,
            relay: nil,
            tokens: TokenMap(),
            recoverer: Secp256k1(),
            environment: TestClock().environment
        )
    }

    var call: CallRequest {
        CallRequest(from: Self.account, to: Self.token, data: [1, 2, 3, 4])
    }

    func transaction(_ call: CallRequest? = nil) -> SimulatedTransaction {
        SimulatedTransaction(
            call: call ?? self.call,
            account: Self.account,
            gasLimit: gasLimit,
            fee: .dynamic(
                maxFeePerGas: Wei(2_000_000_000),
                maxPriorityFeePerGas: Wei(100_000_000)
            )
        )
    }

    /// A call of others, of which a node tells what it reads.
    func explore(_ call: CallRequest? = nil) async throws -> SimulationReport {
        let call = call ?? self.call
        if let trace = try? await chain.read(.accessList(call)) {
            session.accesses.learn(trace, of: call)
        }
        chain.set { $0.trips = 0 }
        return try await TransactionSimulator(session: session)
            .explore(transaction(call), head: chain.block, baseFee: Wei(1_000_000_000))
    }

    /// A plan of ours: what it reads is told while it is planned.
    func planned(_ bounds: ChangeBounds?) async throws -> SimulationReport {
        let simulator = TransactionSimulator(session: session)
        var planning = ReadBatch()
        let accesses = planning.add(.accessList(call))
        try await chain.read(planning).learn(accesses, of: call, into: session.accesses)
        chain.set { $0.trips = 0 }
        var batch = ReadBatch()
        let reads = simulator.ask(call, in: &batch)
        let answers = try await chain.read(batch)
        return try await simulator.report(
            transaction(),
            reads,
            in: answers,
            within: bounds,
            head: chain.block,
            baseFee: Wei(1_000_000_000)
        )
    }

    /// What leaves of a token at the most, and arrives at the least.
    static func bounds(
        leaves: UInt256 = .zero,
        arrives: UInt256? = nil,
        of token: Address = SimulationStage.token
    ) -> ChangeBounds {
        var bounds = ChangeBounds(coin: .ether)
        bounds.leaves[.token(token)] = leaves
        if let arrives { bounds.arrives[.token(token)] = arrives }
        return bounds
    }
}
