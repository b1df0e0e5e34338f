import DexSandbox
import DexStore
import Ethereum
import EthereumWallet

@testable import DexCore

/// What the tests of sends, wraps, allowances and calls share.
extension LiveMarket {
    func settings(_ change: (inout TradeSettings) -> Void) -> TradeSettings {
        var settings = TradeSettings()
        change(&settings)
        return settings
    }

    func transfers(
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> TransferModel {
        TransferModel(session: try session(), journal: journal, settings: settings(change))
    }

    func plan(_ request: TransferRequest) async throws -> Plan<TransferPlan> {
        try await transfers().plan(request, account: trader.address)
    }

    /// Plans and does it.
    func transfer(
        _ request: TransferRequest,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> TransferOutcome {
        let model = try transfers(change)
        return try await model.execute(
            try await model.plan(request, account: trader.address),
            signer: signer
        )
    }

    func send(
        _ amount: String,
        _ asset: String,
        to recipient: Address? = nil
    ) -> TransferRequest {
        .send(asset: asset, amount: amount, to: (recipient ?? rival.address).checksummed)
    }

    func contracts() throws -> TransactModel {
        TransactModel(session: try session(), journal: journal, settings: TradeSettings())
    }

    func plan(
        _ contract: String,
        _ function: String,
        _ arguments: [String],
        value: String = "0"
    ) async throws -> Plan<TransactPlan> {
        try await contracts().plan(
            ContractRequest(
                contract: contract,
                function: function,
                arguments: arguments,
                value: value
            ),
            account: trader.address
        )
    }

    func ether(of owner: Address) async throws -> UInt256 {
        try await chain.read(.balance(owner, .latest)).rawValue
    }

    /// The rival may move the trader's ZRX, for moving it away behind its back.
    func letRivalMove(_ token: Address) async throws {
        try await send(
            from: trader,
            to: token,
            ERC20.approve(spender: rival.address, amount: .max)
        )
    }

    /// Moves all of a token of the trader to the rival.
    func rob(_ token: Address) async throws {
        let all = try await balance(token, of: trader.address)
        let call = try ABIFunction("transferFrom(address,address,uint256)").encode([
            .address(trader.address), .address(rival.address), .uint(all),
        ])
        try await send(from: rival, to: token, call)
    }
}
