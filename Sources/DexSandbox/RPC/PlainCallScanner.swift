import Ethereum
import StrictJSON

/// Scans a batch of calls directly from its text in the form that most clients use.
///
/// All are eth_call, with a whole number as id, at most a caller besides contract and data, and a
/// block. Other forms that `RPCRequest` accepts fail here; accepted ones give the same result.
struct PlainCallScanner {
    /// The last request's block; a batch usually repeats the same one.
    private var block: (text: [UInt8], reference: BlockReference)?

    /// The bytes of a call without data.
    private static let shortestRequest = 130

    /// The requests of a batch; nil if a part is not in the plain form.
    static func batch(_ body: UnsafeBufferPointer<UInt8>) -> [RPCRequest]? {
        JSONCursor.read(body) { cursor in
            guard cursor.take("[") else { return nil }
            var scanner = PlainCallScanner()
            var requests: [RPCRequest] = []
            requests.reserveCapacity(
                min(SandboxChain.maximumBatch, body.count / Self.shortestRequest)
            )
            repeat {
                guard requests.count < SandboxChain.maximumBatch,
                    let request = scanner.request(&cursor)
                else { return nil }
                requests.append(request)
            } while cursor.take(",")
            return cursor.take("]") ? requests : nil
        }
    }

    private mutating func request(_ cursor: inout JSONCursor) -> RPCRequest? {
        var hasVersion = false
        var hasMethod = false
        var parameters: (CallMessage, BlockReference)?
        var id: JSONValue?
        guard cursor.take("{") else { return nil }
        repeat {
            if !hasVersion, cursor.take(name: "jsonrpc") {
                hasVersion = cursor.take(string: "2.0")
                guard hasVersion else { return nil }
            } else if !hasMethod, cursor.take(name: "method") {
                hasMethod = cursor.take(string: "eth_call")
                guard hasMethod else { return nil }
            } else if parameters == nil, cursor.take(name: "params") {
                parameters = self.parameters(&cursor)
                guard parameters != nil else { return nil }
            } else if id == nil, cursor.take(name: "id"), let digits = cursor.digits() {
                id = .number(String(decoding: digits, as: UTF8.self))
            } else {
                return nil
            }
        } while cursor.take(",")
        guard cursor.take("}"), hasVersion, hasMethod, let parameters, let id else { return nil }
        return RPCRequest(id: id, call: parameters.0, at: parameters.1)
    }

    private mutating func parameters(
        _ cursor: inout JSONCursor
    ) -> (CallMessage, BlockReference)? {
        guard cursor.take("["), let call = Self.call(&cursor), cursor.take(","),
            let block = block(&cursor), cursor.take("]")
        else { return nil }
        return (call, block)
    }

    private static func call(_ cursor: inout JSONCursor) -> CallMessage? {
        var from: Address?
        var to: Address?
        var data: [UInt8]?
        guard cursor.take("{") else { return nil }
        repeat {
            if to == nil, cursor.take(name: "to") {
                to = cursor.text(length: 42).flatMap { Address(hex: $0) }
                guard to != nil else { return nil }
            } else if data == nil, cursor.take(name: "data") || cursor.take(name: "input") {
                data = cursor.text().flatMap { Hex.decode($0) }
                guard data != nil else { return nil }
            } else if from == nil, cursor.take(name: "from") {
                from = cursor.text(length: 42).flatMap { Address(hex: $0) }
                guard from != nil else { return nil }
            } else {
                return nil
            }
        } while cursor.take(",")
        guard cursor.take("}"), let to, let data else { return nil }
        return CallMessage(from: from, to: to, data: data)
    }

    private mutating func block(_ cursor: inout JSONCursor) -> BlockReference? {
        guard let text = cursor.text() else { return nil }
        if let block, block.text.elementsEqual(text) { return block.reference }
        // No name of a block needs an escape.
        let value = JSONValue.string(String(decoding: text, as: UTF8.self))
        guard let reference = try? RPCParameters.block(value, "block") else { return nil }  // none
        block = (Array(text), reference)
        return reference
    }
}
