import DexTestSupport
import Ethereum
import StrictJSON

extension NodeLie {
    private static let word = String(repeating: "0", count: 63)
    private static let hash = "\"0x\(String(repeating: "ab", count: 32))\""

    /// Every lie of docs/security.md, in its order.
    static var all: [NodeLie] { state + blocks + noAnswers + outcomes + harmless }

    /// About what a signature rests on.
    private static let state: [NodeLie] = [
        NodeLie("another chain id") { $0.method == "eth_chainId" ? $0.answering("\"0x1\"") : nil },
        NodeLie("more ether") {
            $0.method == "eth_getBalance" ? $0.answering("\"0xffffffffffffffff\"") : nil
        },
        NodeLie("balances of one base unit") {
            $0.calls("70a08231") ? $0.answering("\"0x\(word)1\"") : nil
        },
        NodeLie("balances of one base unit, of an order to sign", limit) {
            $0.calls("70a08231") ? $0.answering("\"0x\(word)1\"") : nil
        },
        NodeLie("no allowances") { $0.calls("dd62ed3e") ? $0.answering("\"0x\(word)0\"") : nil },
        NodeLie("orders that are partly filled") {
            $0.calls("7e9abb50") ? $0.answering("\"0x\(word)1\"") : nil
        },
        NodeLie("another transfer contract of the exchange") {
            $0.calls("add1cbc5") ? $0.answering("\"0x\(word.dropLast(3))beef\"") : nil
        },
        NodeLie("another transfer contract of the exchange, of an order to sign", limit) {
            $0.calls("add1cbc5") ? $0.answering("\"0x\(word.dropLast(3))beef\"") : nil
        },
        NodeLie("the code of a contract where there is none", send) {
            $0.method == "eth_getCode" ? $0.answering("\"0x60\"") : nil
        },
        NodeLie("another result of the very call") { call in
            call.method == "eth_call" && call.parameters.contains("\"from\"")
                ? call.answering("\"0x\(word)1\"") : nil
        },
        NodeLie("that the very call fails") { call in
            call.method == "eth_call" && call.parameters.contains("\"from\"")
                ? #"{"jsonrpc":"2.0","id":\#(call.id),"error":{"code":3,"message":"execution reverted","data":"0x"}}"#
                : nil
        },
    ]

    private static func block(
        _ call: NodeCall,
        _ members: (_ number: UInt64, _ time: UInt64) -> [String: JSONValue]
    ) -> String? {
        guard call.method == "eth_getBlockByNumber",
            let number = call.result?["number"]?.stringValue.flatMap(quantity),
            let time = call.result?["timestamp"]?.stringValue.flatMap(quantity)
        else { return nil }
        return call.answering(with: members(number, time))
    }

    private static func quantity(_ text: String) -> UInt64? { UInt64(text.dropFirst(2), radix: 16) }
    private static func hex(_ number: UInt64) -> JSONValue {
        .string("0x" + String(number, radix: 16))
    }

    /// About the block.
    private static let blocks: [NodeLie] = [
        NodeLie("another hash of the block") { call in
            block(call) { _, _ in ["hash": .string(String(hash.dropFirst().dropLast()))] }
        },
        NodeLie("another time of the block") { call in
            block(call) { _, time in ["timestamp": hex(time - 1)] }
        },
        NodeLie("another base fee of the block") { call in
            block(call) { _, _ in ["baseFeePerGas": "0xffffff"] }
        },
        NodeLie("a block of an hour ago as the latest") { call in
            guard call.parameters.contains("latest") else { return nil }
            return block(call) { _, time in ["number": "0x1", "timestamp": hex(time - 3_600)] }
        },
        NodeLie("a block that nobody has yet as the latest") { call in
            guard call.parameters.contains("latest") else { return nil }
            return block(call) { number, time in
                ["number": hex(number + 1_000), "timestamp": hex(time + 3_600)]
            }
        },
        NodeLie("the block before the latest, with a hash of its own") { call in
            block(call) { number, _ in
                [
                    "number": call.parameters.contains("latest") ? hex(number - 1) : hex(number),
                    "hash": .string(String(hash.dropFirst().dropLast())),
                ]
            }
        },
    ]

    /// What is no answer.
    private static let noAnswers: [NodeLie] = [
        .acting("is silent", like: "silence"),
        .acting("answers a gigabyte", like: "a gigabyte"),
        .acting("answers HTML", like: "HTML"),
        NodeLie("answers each question with an error") { $0.failing("no") },
        NodeLie("answers the ether with an error") {
            $0.method == "eth_getBalance" ? $0.failing("no") : nil
        },
        .several("answers each question twice, and differently") { call in
            [call.answering("\"0x1\""), call.answering("\"0x2\"")]
        },
        NodeLie("answers questions that were not asked") { call in
            #"{"jsonrpc":"2.0","id":\#(call.id)99999,"result":"0x1"}"#
        },
        .several("answers nothing of a batch") { _ in [] },
        .acting("answers numbers beyond 256 bits", like: "numbers beyond 256 bits"),
    ]

    private static func receipt(_ call: NodeCall, _ members: [String: JSONValue]) -> String? {
        call.method == "eth_getTransactionReceipt" ? call.answering(with: members) : nil
    }

    /// About the outcome of what was sent.
    private static let outcomes: [NodeLie] = [
        NodeLie("a receipt of failure for a success") { receipt($0, ["status": "0x0"]) },
        NodeLie("a receipt without events") { receipt($0, ["logs": .array([])]) },
        NodeLie("a receipt of another block") {
            receipt($0, ["blockHash": .string(String(hash.dropFirst().dropLast()))])
        },
        NodeLie("no receipt") {
            ["eth_getTransactionReceipt", "eth_getTransactionByHash"].contains($0.method)
                ? $0.answering("null") : nil
        },
    ]

    /// What moves nothing.
    private static let harmless: [NodeLie] = [
        .several("answers each question twice, and alike") { call in
            call.result.map { [call.answering($0.text), call.answering($0.text)] }
        },
        NodeLie("a nonce that leaves a gap") { call in
            call.method == "eth_getTransactionCount" && call.parameters.contains("pending")
                ? call.answering("\"0xff\"") : nil
        },
        NodeLie("a nonce that is used") { call in
            call.method == "eth_getTransactionCount" && call.parameters.contains("pending")
                ? call.answering("\"0x0\"") : nil
        },
        .sending("takes a transaction and keeps it") { call in
            let raw = call.parameters.filter(\.isHexDigit).dropFirst()
            let bytes = try? Hex.decode("0x" + raw)
            return call.answering("\"\(Keccak256.hash(bytes ?? []).hex)\"")
        },
        .sending("refuses every transaction") { $0.failing("nonce too low") },
    ]
}
