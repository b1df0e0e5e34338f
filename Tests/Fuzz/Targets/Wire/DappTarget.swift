import Ethereum
import StrictJSON
import ZeroEx

@testable import DexCore
@testable import DexProvider

extension FuzzTarget {
    /// The requests of dapps, and their Origin headers: what is read is read again the same once it
    /// is written plainly, a refusal is one bounded sentence, and a message is shown harmlessly.
    static let dappRequest = FuzzTarget(
        "dapp-request",
        maximumLength: 4_096,
        seeds: DappTarget.seeds
    ) { input in
        try DappTarget.checkOrigin(String(decoding: input, as: UTF8.self))
        var id = JSONValue.null
        let request: DappRequest
        do throws(DappError) {
            let call = try DappCall(input, id: &id, 50_000)
            request = try DappRequest(method: call.method, parameters: call.parameters)
        } catch {
            let length = error.message.utf8.count
            try require(length < 17_000, "a refusal of \(length) bytes")
            try require(error.message.hasSuffix("."), "a refusal is no sentence: \(error.message)")
            try require(
                [4_200, -32_600, -32_602, -32_700].contains(error.code),
                "a request is refused with \(error.code)"
            )
            return
        }
        let written = try DappCall(DappTarget.body(of: request), id: &id, 50_000)
        try requireEqual(
            try DappRequest(method: written.method, parameters: written.parameters),
            request,
            "a request is read as written"
        )
        switch request {
        case .signMessage(let message, _):
            try DappTarget.checkScreen(
                MessageState(message, account: "alice", origin: nil),
                message
            )
        case .send(let transaction): try DappTarget.checkCall(transaction)
        default: break
        }
    }
}

private enum DappTarget {
    static func checkOrigin(_ header: String) throws {
        guard case .page(let text)? = DappOrigin(header: header) else { return }
        try require(text.utf8.count <= 300, "an origin of \(text.utf8.count) bytes")
        try require(
            text.utf8.allSatisfy { (0x21..<0x7F).contains($0) && !(0x41...0x5A).contains($0) },
            "an origin is no plain text in lower case: \(text)"
        )
        try requireEqual(DappOrigin(header: text), .page(text), "an origin is read as written")
    }

    /// Any call data are read within the bounds; what is behind a known call is said.
    static func checkCall(_ transaction: DappTransaction) throws {
        let network = Network(
            name: "mainnet",
            chainID: 1,
            rpc: [],
            relay: nil,
            protocolVersion: .v4,
            exchange: Address(truncating: UInt256(9).word),
            weth: nil,
            isSandbox: false
        )
        func effects(_ data: [UInt8]) -> CallEffects {
            CallDecoder.effects(of: data, to: transaction.to, by: transaction.from, on: network)
        }
        let known = effects(transaction.data)
        try require(known.list.count <= 1_024, "\(known.list.count) effects")
        guard known.signature != nil, !known.isUnread, !known.isTooLong else { return }
        let longer = effects(transaction.data + [1])
        try requireEqual(longer.signature, known.signature, "a byte more is another function")
        try require(longer.needsData, "a byte more is not said")
    }

    static func checkScreen(_ state: MessageState, _ message: [UInt8]) throws {
        try requireEqual(state.size, message.count, "the size of a message")
        try require(state.lines.count <= 1_000, "\(state.lines.count) lines of a message")
        for line in state.lines {
            try requireEqual(PlainText.clean(line, limit: .max), line, "a line is not harmless")
        }
        let shown = state.lines.joined(separator: "\n")
        try require(
            shown.utf8.elementsEqual(message) || !state.warnings.isEmpty
                || message.contains { [0x09, 0x0D].contains($0) },
            "a message is not shown as it is, and nothing says so"
        )
    }

    /// A request as a program that knows the standards writes it.
    static func body(of request: DappRequest) -> [UInt8] {
        let (method, parameters) = call(request)
        let json: JSONValue = [
            "jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .array(parameters),
        ]
        return Array(json.utf8)
    }

    private static func call(_ request: DappRequest) -> (String, [JSONValue]) {
        switch request {
        case .pair(let code): ("wallet_pair", code.map { [.string($0)] } ?? [])
        case .accounts: ("eth_accounts", [])
        case .chainID: ("eth_chainId", [])
        case .networkVersion: ("net_version", [])
        case .signMessage(let bytes, let account):
            ("personal_sign", [.string(Hex.encode(bytes)), .string(account.checksummed)])
        case .signTypedData(let data, let account):
            ("eth_signTypedData_v4", [.string(account.checksummed), data.json])
        case .send(let transaction): ("eth_sendTransaction", [json(transaction)])
        case .switchChain(let chainID):
            ("wallet_switchEthereumChain", [["chainId": .string(UInt256(chainID).quantity)]])
        case .read(let method, let parameters): (method, parameters)
        }
    }

    private static func json(_ transaction: DappTransaction) -> JSONValue {
        var object = JSONObject()
        object["from"] = .string(transaction.from.checksummed)
        object["to"] = .string(transaction.to.checksummed)
        object["value"] = .string(transaction.value.rawValue.quantity)
        object["data"] = .string(Hex.encode(transaction.data))
        if let chainID = transaction.chainID { object["chainId"] = .string(chainID.quantity) }
        return .object(object)
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let account = Address(truncating: UInt256(0xA1).word)
        let data = try TypedData(
            json: [
                "types": [
                    "EIP712Domain": [["name": "chainId", "type": "uint256"]],
                    "A": [["name": "b", "type": "string"]],
                ],
                "primaryType": "A", "domain": ["chainId": 1], "message": ["b": "c"],
            ]
        )
        let send = try DappRequest(
            method: "eth_sendTransaction",
            parameters: [
                [
                    "from": .string(account.checksummed), "to": .string(account.checksummed),
                    "value": "0x1", "input": "0x0102", "chainId": 1, "gas": "0x5208",
                ]
            ]
        )
        let requests: [DappRequest] = [
            .pair(code: nil), .pair(code: "123 456"), .accounts, .chainID, .networkVersion,
            .signMessage(Array("a\n\u{1B}[2J\u{202E}é\tb\r\n".utf8), account),
            .signMessage([0xFF], account), .signTypedData(data, account), send,
            .switchChain(1), .read(method: "eth_call", parameters: [["to": "0x"], "latest"]),
        ]
        let origins = ["https://app.example:8443", "http://[::1]:3000", "null"]
        return requests.map(body) + origins.map { Array($0.utf8) }
    }
}
