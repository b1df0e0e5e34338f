package import Ethereum
package import StrictJSON

/// A node or program that signs over JSON-RPC.
package protocol SignerNode: Sendable {
    /// One call without retries: the user may have to press a button for each.
    ///
    /// - Throws: `SigningError` if there is no answer.
    func call(
        _ method: String,
        _ parameters: [JSONValue]
    ) async throws(SigningError) -> SignerNodeAnswer
}

/// A node's answer.
package enum SignerNodeAnswer: Sendable {
    case result(JSONValue)
    case refused(code: Int, message: String)
}

/// The method that signs a message of EIP-191.
package enum MessageMethod: String, Sendable, CaseIterable {
    case ethSign = "eth_sign"
    case personalSign = "personal_sign"
}

/// A key held by a node, which signs transactions by `eth_signTransaction`.
///
/// Messages, and orders signed as messages, use `eth_sign` or `personal_sign`. Orders whose hash
/// itself is signed, Permit2 messages and other typed data use `eth_signTypedData_v4`.
package struct NodeKey: KeyHolder {
    package let address: Address
    package let place = KeyPlace.outside
    private let node: any SignerNode
    /// nil: `eth_sign`, or `personal_sign` if the node lacks it.
    private let method: MessageMethod?
    private let answers: SignerAnswers

    /// - Parameter name: its name in messages.
    package init(
        address: Address,
        name: String,
        node: any SignerNode,
        method: MessageMethod?,
        recoverer: any SignatureRecovering
    ) {
        self.address = address
        self.node = node
        self.method = method
        answers = SignerAnswers(name: name, recoverer: recoverer)
    }

    package func signature(
        of authorized: AuthorizedRequest
    ) async throws(SigningError) -> Signature {
        let request = authorized.request
        if case .transaction(let transaction) = request.content {
            let form = SignerCodec.transaction(transaction, from: address)
            let answer = try await node.call("eth_signTransaction", [form])
            return try answers.signature(
                ofTransaction: try result(answer),
                asked: transaction
            )
        }
        let answer: SignerNodeAnswer
        let advice: String?
        if let bytes = SignerCodec.message(of: request) {
            answer = try await sign(message: .string(Hex.encode(bytes)))
            advice =
                "If its eth_sign adds no prefix (EIP-191), set message_method to "
                + "\"personal_sign\"."
        } else {
            answer = try await sign(typedDataOf: request)
            advice = isOrder(request) ? messagesAdvice(request) : nil
        }
        let signature = try answers.signature(try result(answer))
        // nil: no key's
        let signer = try? answers.recoverer.recover(digest: request.digest, signature: signature)
        guard signer == address else {
            throw SigningError.otherSigner(name: answers.name, address, advice: advice)
        }
        return signature
    }

    private static let typedDataMethod = "eth_signTypedData_v4"
    /// JSON-RPC 2.0: method not found.
    private static let noSuchMethod = -32_601
    /// EIP-1193: user rejected request.
    private static let userRejected = 4_001

    private func sign(message: JSONValue) async throws(SigningError) -> SignerNodeAnswer {
        let answer = try await call(method ?? .ethSign, message)
        guard method == nil, case .refused(let code, _) = answer, code == Self.noSuchMethod else {
            return answer
        }
        return try await call(.personalSign, message)
    }

    private func isOrder(_ request: SigningRequest) -> Bool {
        guard case .order = request.content else { return false }
        return true
    }

    /// Requests a signature over the hash itself of an order or a permit, or over typed data.
    private func sign(
        typedDataOf request: SigningRequest
    ) async throws(SigningError) -> SignerNodeAnswer {
        guard let data = SignerCodec.typedData(of: request) else {
            throw answers.bad("there is no form in which it could be asked for this")
        }
        // As text: every node that takes an object also takes text, and some take only text.
        let answer = try await node.call(
            Self.typedDataMethod,
            [.string(address.checksummed), .string(data.text)]
        )
        guard case .refused(let code, _) = answer, code == Self.noSuchMethod else { return answer }
        switch request.content {
        case .permit:
            throw SigningError.noPermit(name: answers.name, method: Self.typedDataMethod)
        case .typedData:
            throw SigningError.noTypedMessage(name: answers.name, method: Self.typedDataMethod)
        case .transaction, .order, .message: break
        }
        throw SigningError.noTypedData(
            name: answers.name,
            method: Self.typedDataMethod,
            network: request.scope.network,
            advice: messagesAdvice(request)
        )
    }

    private func messagesAdvice(_ request: SigningRequest) -> String {
        "Sign orders as messages (EIP-191): dex config set "
            + "networks.\(request.scope.network).signature ethsign"
    }

    private func call(
        _ method: MessageMethod,
        _ message: JSONValue
    ) async throws(SigningError) -> SignerNodeAnswer {
        let account = JSONValue.string(address.checksummed)
        switch method {
        case .ethSign: return try await node.call(method.rawValue, [account, message])
        case .personalSign: return try await node.call(method.rawValue, [message, account])
        }
    }

    private func result(_ answer: SignerNodeAnswer) throws(SigningError) -> JSONValue {
        switch answer {
        case .result(let json): return json
        case .refused(let code, let message):
            throw answers.refused(message, isDeclined: code == Self.userRejected)
        }
    }
}
