import DexSandbox
import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import SandboxHost
import StrictJSON
import Testing
import ZeroEx

/// An account of its own in a sandbox, with ether, tokens and approvals.
struct FaultTrader: Sendable {
    let signer: PrivateKeySigner
    /// For DEX_PRIVATE_KEY.
    let key: String

    static let zrx = SandboxTokens.zrx.address
    static let weth = SandboxTokens.weth.address

    init(_ number: Int) throws {
        let word = Keccak256.hash("dex test trader \(number)".utf8)
        key = word.hex
        signer = try PrivateKeySigner(key: word)
    }

    var address: Address { signer.address }
}

extension TestSandbox {
    private static let milliether = UInt256(1_000_000_000_000_000)

    /// The result of each call of a batch.
    ///
    /// - Throws: where one has none.
    @discardableResult
    func batch(_ calls: [(method: String, parameters: String)]) throws -> [JSONValue] {
        var results: [JSONValue] = []
        for start in stride(from: 0, to: calls.count, by: 500) {
            let texts = calls[start..<min(calls.count, start + 500)].enumerated().map {
                #"{"jsonrpc":"2.0","id":\#($0),"method":"\#($1.method)","params":[\#($1.parameters)]}"#
            }
            let text = "[\(texts.joined(separator: ","))]"
            let json = try #require(try JSONParser.parse(text: answer(to: text)).arrayValue)
            for item in json { results.append(try #require(item["result"], "\(item.text)")) }
        }
        return results
    }

    /// Makes the traders of these numbers, with 100 milliether, 20 WETH-milliether and 5 ZRX each.
    ///
    /// - Parameters:
    ///   - isApproved: whether they have approved both tokens.
    ///   - isForSwap: whether they have approved ZRX for the swap API as well.
    func traders(
        _ numbers: Range<Int>,
        isApproved: Bool = true,
        isForSwap: Bool = false
    ) async throws -> [FaultTrader] {
        let traders = try numbers.map { try FaultTrader($0) }
        let funder = try #require(try SandboxAccounts(seed: seed).signer(named: "alice"))
        let spender = SandboxTokens.contracts.transferContract
        var raws: [[UInt8]] = []
        let account = "\"\(funder.address.checksummed)\",\"latest\""
        let used = try call("eth_getTransactionCount", account).stringValue
        var nonce = try #require(used.flatMap { UInt64($0.dropFirst(2), radix: 16) })
        for trader in traders {
            let to = trader.address
            for (target, data, value) in [
                (to, [], 100 * Self.milliether),
                (FaultTrader.weth, ERC20.transfer(to: to, amount: 20 * Self.milliether), 0),
                (FaultTrader.zrx, ERC20.transfer(to: to, amount: 5_000 * Self.milliether), 0),
            ] {
                raws.append(try await signed(funder, nonce, target, data, value))
                nonce += 1
            }
            guard isApproved else { continue }
            let holder = ZeroExSwapContracts.allowanceHolder(chainID: 1337)
            var approvals = [(FaultTrader.weth, spender), (FaultTrader.zrx, spender)]
            if isForSwap { approvals.append((FaultTrader.zrx, holder)) }
            for (index, (token, spender)) in approvals.enumerated() {
                let approval = ERC20.approve(spender: spender, amount: .max)
                raws.append(try await signed(trader.signer, UInt64(index), token, approval, 0))
            }
        }
        try batch(raws.map { ("eth_sendRawTransaction", "\"\(Hex.encode($0))\"") })
        return traders
    }

    private func signed(
        _ signer: PrivateKeySigner,
        _ nonce: UInt64,
        _ to: Address,
        _ data: [UInt8],
        _ value: UInt256
    ) async throws -> [UInt8] {
        let transaction = Transaction(
            chainID: 1337,
            nonce: nonce,
            fee: .legacy(gasPrice: Wei(UInt256(20_000_000_000))),
            gasLimit: 100_000,
            to: to,
            value: Wei(value),
            data: data
        )
        return try await signer.sign(transaction, chainID: 1337).raw
    }

    /// Posts an order of a trader: 1 ZRX for a hundredth of a WETH.
    func postOrder(of trader: FaultTrader) throws -> OrderHash {
        let version = ZeroExV1()
        let draft = OrderDraft(
            exchange: SandboxTokens.contracts.exchange,
            maker: trader.address,
            makerToken: FaultTrader.zrx,
            takerToken: FaultTrader.weth,
            makerAmount: 1_000 * Self.milliether,
            takerAmount: 10 * Self.milliether,
            expiry: UInt256(UInt64(Date().timeIntervalSince1970) + 86_400),
            salt: 1
        )
        let fees = try relayAnswer("/fees", version.encodeDraft(draft).text)
        var priced = draft
        priced.fees = OrderFees(
            recipient: try Address(lenient: try #require(fees["feeRecipient"]?.stringValue)),
            makerFee: try #require(fees["makerFee"]?.stringValue.flatMap { UInt256(decimal: $0) }),
            takerFee: try #require(fees["takerFee"]?.stringValue.flatMap { UInt256(decimal: $0) })
        )
        let digest = EthereumMessage.hash(version.hash(of: priced).word.bytes)
        let order = SignedOrderV1(
            terms: priced,
            signature: try trader.signer.signature(over: digest)
        )
        _ = try relayAnswer("/order", version.encodeOrder(order).text)
        return order.hash
    }

    /// POSTs to the relay; null for an answer without a body.
    private func relayAnswer(_ path: String, _ text: String) throws -> JSONValue {
        let answer = try ScriptedRequest.post("/v0\(path)", text).send(to: relay)
        let story = String(decoding: answer, as: UTF8.self)
        try #require(story.hasPrefix("HTTP/1.1 20"), "\(story)")
        let start = try #require(answer.firstRange(of: Array("\r\n\r\n".utf8))).upperBound
        return start == answer.count ? .null : try JSONParser.parse(Array(answer[start...]))
    }

    /// How many orders of a maker are on the relay.
    func orders(of trader: FaultTrader) throws -> Int {
        let target = "/v0/orders?maker=\(trader.address.lowercaseHex)"
        let request = ScriptedRequest(
            lines: ["GET \(target) HTTP/1.1", "Host: 127.0.0.1"],
            body: []
        )
        let answer = try request.send(to: relay)
        let start = try #require(answer.firstRange(of: Array("\r\n\r\n".utf8))).upperBound
        return try #require(try JSONParser.parse(Array(answer[start...])).arrayValue).count
    }

    /// How many transactions of a trader are mined, its two approvals left out, and how many wait.
    ///
    /// - Parameter approvals: how many it has sent before.
    func sent(
        by trader: FaultTrader,
        after approvals: Int = 2
    ) throws -> (mined: Int, waiting: Int) {
        let account = "\"\(trader.address.checksummed)\""
        let counts = try batch([
            ("eth_getTransactionCount", "\(account),\"latest\""),
            ("eth_getTransactionCount", "\(account),\"pending\""),
        ]).map { try #require($0.stringValue.flatMap { Int($0.dropFirst(2), radix: 16) }) }
        return (counts[0] - approvals, counts[1] - counts[0])
    }
}
