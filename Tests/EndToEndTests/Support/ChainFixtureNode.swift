import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Synchronization
import Testing

/// How a node of a chain prices transactions, and what it refuses.
struct ChainKind: Sendable, CustomTestStringConvertible {
    /// The bundled network.
    let name: String
    let chainID: UInt64
    let coin: String
    /// The base fee and the tips of others, in wei per gas; nil: the node has no fee history.
    let base: UInt256
    let tip: UInt256?
    let gasPrice: UInt256
    /// What the chain's oracle takes for a call, in wei; nil without one.
    var dataFee: UInt256?
    /// `linea_estimateGas`: the tip of the very call.
    var ownTip: UInt256?
    /// Why a node of the chain does not take a transaction; nil: it does.
    let refusal: @Sendable (Transaction) -> String?

    var testDescription: String { name }
}

/// A node of some chain before a sandbox: it tells that chain's id and prices, refuses by its rules,
/// and has the sandbox mine what it takes.
final class ChainFixtureNode: Sendable {
    private struct State {
        var taken: [Transaction] = []
        var refused: [String] = []
        /// The hash on the chain, and that of the same call on the sandbox.
        var hashes: [(own: String, below: String)] = []
    }

    private let kind: ChainKind
    private let sandbox: TestSandbox
    private let key: PrivateKeySigner
    private let state = Mutex(State())
    private let server = Mutex<Interposer?>(nil)

    init(_ kind: ChainKind, before sandbox: TestSandbox, key: PrivateKeySigner) throws {
        (self.kind, self.sandbox, self.key) = (kind, sandbox, key)
        let interposer = try Interposer(before: sandbox.rpc) { [weak self] request, _ in
            let node = self
            return .take { connection in
                // nil: the test is over
                let body = (try? node?.answer(to: request)) ?? ""
                connection.write(
                    ScriptedAnswer(
                        headers: ["Content-Type: application/json", "Connection: close"],
                        body: body
                    ).bytes
                )
            }
        }
        server.withLock { $0 = interposer }
    }

    var url: String { server.withLock { $0?.url ?? "" } }
    var taken: [Transaction] { state.withLock(\.taken) }
    var refused: [String] { state.withLock(\.refused) }

    // MARK: Answers

    private func answer(to request: ScriptedRequest) throws -> String {
        let asked = try JSONParser.parse(request.body)
        let answers = try (asked.arrayValue ?? [asked]).map { try answer(to: $0) }
        return asked.arrayValue == nil ? answers.joined() : "[\(answers.joined(separator: ","))]"
    }

    private func answer(to call: JSONValue) throws -> String {
        let id = call["id"]?.numberText ?? "0"
        func result(_ text: String) -> String {
            #"{"jsonrpc":"2.0","id":\#(id),"result":\#(text)}"#
        }
        func failure(_ message: String) -> String {
            #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32000,"message":"\#(message)"}}"#
        }
        func quantity(_ number: UInt256) -> String { "\"0x\(Self.hex(number))\"" }
        let parameters = call["params"]?.arrayValue ?? []
        switch call["method"]?.stringValue {
        case "eth_chainId": return result(quantity(UInt256(kind.chainID)))
        case "eth_gasPrice": return result(quantity(kind.gasPrice))
        case "eth_maxPriorityFeePerGas": return result(quantity(kind.tip ?? .zero))
        case "eth_feeHistory":
            guard let tip = kind.tip else { return failure("Unsupported method") }
            let (base, reward) = (quantity(kind.base), quantity(tip))
            let row = "[\(reward),\(reward),\(reward)]"
            return result(
                #"{"oldestBlock":"0x0","baseFeePerGas":[\#(base),\#(base),\#(base)],"#
                    + #""gasUsedRatio":[0.5,0.5],"reward":[\#(row),\#(row)]}"#
            )
        case "linea_estimateGas":
            guard let own = kind.ownTip else { return failure("Unsupported method") }
            return result(
                #"{"gasLimit":"0x5208","baseFeePerGas":\#(quantity(kind.base)),"#
                    + #""priorityFeePerGas":\#(quantity(own))}"#
            )
        case "eth_call":
            let to = parameters.first?["to"]?.stringValue?.lowercased() ?? ""
            if let fee = kind.dataFee, to.hasSuffix("00000000000f") || to.hasSuffix("0000000002") {
                return result("\"\(fee.word.hex)\"")
            }
            return try sandbox.answer(to: call.text)
        case "eth_getBlockByNumber", "eth_getBlockByHash":
            let below = try JSONParser.parse(text: try sandbox.answer(to: call.text))
            guard var block = below["result"]?.objectValue else { return below.text }
            block["baseFeePerGas"] = .string("0x\(Self.hex(kind.base))")
            return result(JSONValue.object(block).text)
        case "eth_sendRawTransaction":
            let raw = parameters.first?.stringValue.flatMap(Hex.bytes) ?? []
            return try take(raw).map { failure($0) }
                ?? result("\"\(state.withLock { $0.hashes.last?.own ?? "" })\"")
        default:
            var text = call.text
            let known = state.withLock(\.hashes)
            for hash in known {
                text = text.replacingOccurrences(of: hash.own, with: hash.below)
            }
            var reported = try sandbox.answer(to: text)
            for hash in known {
                reported = reported.replacingOccurrences(of: hash.below, with: hash.own)
            }
            return reported
        }
    }

    /// A price of gas at which the sandbox mines at once.
    private static let mined = Wei(3_000_000_000)

    private static func maximum(_ fee: Transaction.Fee) -> Wei {
        switch fee {
        case .legacy(let price), .accessList(let price): price
        case .dynamic(let maximum, _): maximum
        }
    }

    /// Why it does not take a transaction; nil if it is mined on the sandbox.
    private func take(_ raw: [UInt8]) throws -> String? {
        let signed = try SignedTransaction(raw: raw, recoverer: Secp256k1())
        let transaction = signed.transaction
        let refusal =
            transaction.chainID == kind.chainID ? kind.refusal(transaction) : "invalid chain id"
        if let refusal {
            state.withLock { $0.refused.append(refusal) }
            return refusal
        }
        if state.withLock({ $0.hashes.contains { $0.own == signed.hash.hex } }) {
            return "already known"
        }
        let below = Transaction(
            chainID: 1337,
            nonce: transaction.nonce,
            // What the chain takes may be below the sandbox's own base fee.
            fee: Self.maximum(transaction.fee) >= Self.mined
                ? transaction.fee : .legacy(gasPrice: Self.mined),
            gasLimit: transaction.gasLimit,
            to: transaction.to,
            value: transaction.value,
            data: transaction.data,
            accessList: transaction.accessList
        )
        let mined = SignedTransaction(
            transaction: below,
            signature: try key.signature(over: below.signingHash),
            sender: key.address
        )
        try sandbox.send(mined.raw)
        state.withLock { state in
            state.taken.append(transaction)
            state.hashes.append((signed.hash.hex, mined.hash.hex))
        }
        return nil
    }

    private static func hex(_ number: UInt256) -> String {
        let digits = number.word.hex.dropFirst(2).drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }
}
