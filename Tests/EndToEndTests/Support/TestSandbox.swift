import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

/// A sandbox that a test drives by hand, beside `dex`.
struct TestSandbox: Sendable {
    let rpc: String
    let relay: String
    /// The base URL of its swap API.
    let swap: String
    let seed: UInt64

    /// Calls the node by raw JSON-RPC and returns the result.
    @discardableResult
    func call(_ method: String, _ parameters: String = "") throws -> JSONValue {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":[\#(parameters)]}"#
        let answer = try answer(to: text)
        return try #require(JSONParser.parse(text: answer)["result"], "\(method): \(answer)")
    }

    /// A transaction with the account's next nonce, at a price that goes before others.
    func signed(
        by signer: any Signer,
        to address: Address,
        data: [UInt8] = [],
        gasLimit: UInt64 = 200_000
    ) async throws -> [UInt8] {
        let parameters = "\"\(signer.address.checksummed)\",\"latest\""
        let count = try #require(call("eth_getTransactionCount", parameters).stringValue)
        let transaction = Transaction(
            chainID: 1337,
            nonce: try #require(UInt64(count.dropFirst(2), radix: 16)),
            fee: .legacy(gasPrice: Wei(UInt256(500_000_000_000))),
            gasLimit: gasLimit,
            to: address,
            data: data
        )
        return try await signer.sign(transaction, chainID: 1337).raw
    }

    /// Hands a signed transaction to the node.
    func send(_ raw: [UInt8]) throws {
        try call("eth_sendRawTransaction", "\"\(Hex.encode(raw))\"")
    }

    /// The node's answers to a request, but for the calls of a method, which revert.
    func answer(to request: ScriptedRequest, failing method: String) throws -> String {
        let calls = try JSONParser.parse(request.body)
        let answers = try (calls.arrayValue ?? [calls]).map { call in
            let id = call["id"]?.numberText ?? "0"
            if call["method"]?.stringValue == method {
                return #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":3,"data":"0x","message":"#
                    + #""execution reverted: \u001b[31mon\nstrike"}}"#
            }
            return try answer(to: call.text)
        }
        return calls.arrayValue == nil ? answers.joined() : "[\(answers.joined(separator: ","))]"
    }

    /// The node's answer to one call or a batch, as JSON text.
    func answer(to call: String) throws -> String {
        let answer = try ScriptedRequest.post("/", call).send(to: rpc)
        let start = try #require(answer.firstRange(of: Array("\r\n\r\n".utf8))).upperBound
        return String(decoding: answer[start...], as: UTF8.self)
    }
}

extension DexBinary {
    /// Runs a body against a sandbox, which is stopped however the body ends.
    ///
    /// - Parameter options: with any it is made again, in memory; without, it goes on in a copy of
    ///   the prepared one.
    func withSandbox(
        _ options: String...,
        body: (TestSandbox) async throws -> Void
    ) async throws {
        if options.isEmpty { try await PreparedSandbox.copy(into: self) }
        let memory = options.isEmpty ? [] : ["--memory"]
        let up = try await run(["sandbox", "up", "--detach", "--json"] + memory + options)
        try #require(up.status == 0, "\(up.stdout) \(up.stderr)")
        var failure: (any Error)?
        do {
            let data = try #require(up.json()["data"])
            let sandbox = TestSandbox(
                rpc: try #require(data["rpcUrl"]?.stringValue),
                relay: try #require(data["relay"]?.stringValue),
                swap: try #require(data["swapUrl"]?.stringValue),
                seed: try #require(data["seed"]?.stringValue.flatMap { UInt64($0) })
            )
            try await body(sandbox)
        } catch {
            failure = error
        }
        let down = try await run("sandbox", "down")
        // One that is gone stops no less well: it has died under the body, and its log may say why.
        #expect(
            down.status == 0 && down.stdout.contains("is stopped"),
            "\(down.stdout) \(down.stderr) \(log)"
        )
        if let failure { throw failure }
    }

    /// The sandbox's own last words; empty where it left none.
    private var log: Substring {
        let file = home.appending(path: "sandbox/sandbox.log")
        return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").suffix(4_000)
    }
}
