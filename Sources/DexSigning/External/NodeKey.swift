package import Ethereum
package import StrictJSON

/// A node or program that is asked over JSON-RPC.
package protocol SignerNode: Sendable {
    /// One call, made once: whoever signs may have to press a button for each.
    ///
    /// - Throws: `SigningError` where no answer came.
    func call(
        _ method: String,
        _ parameters: [JSONValue]
    ) async throws(SigningError) -> SignerNodeAnswer
}

/// What a node answered.
package enum SignerNodeAnswer: Sendable {
    case result(JSONValue)
    case refused(code: Int, message: String)
}

/// The method that signs a message of EIP-191.
package enum MessageMethod: String, Sendable, CaseIterable {
    case ethSign = "eth_sign"
    case personalSign = "personal_sign"
}

/// A key that a node holds: `eth_signTransaction` for transactions, and for orders and messages
/// `eth_sign` or `personal_sign`.
package struct NodeKey: KeyHolder {
    package let address: Address
    package let place = KeyPlace.outside
    private let node: any SignerNode
    /// nil: `eth_sign`, and `personal_sign` where the node does not have that.
    private let method: MessageMethod?
    private let answers: SignerAnswers

    /// - Parameter name: what it is called in messages.
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
            let form = SignerForms.transaction(transaction, from: address)
            let answer = try await node.call("eth_signTransaction", [form])
            return try answers.signature(
                ofTransaction: try result(answer),
                asked: transaction
            )
        }
        guard let bytes = SignerForms.message(of: request) else {
            throw SigningError(
                .key,
                code: "no-typed-data",
                "\(answers.name) signs an order only as a message (EIP-191), and the network "
                    + "\(request.scope.network) is set to sign orders' hashes themselves (EIP-712).",
                hint: "Sign them as messages: dex config set "
                    + "networks.\(request.scope.network).signature ethsign"
            )
        }
        let message = JSONValue.string(Hex.encode(bytes))
        var answer = try await call(method ?? .ethSign, message)
        if method == nil, case .refused(let code, _) = answer, code == Self.noSuchMethod {
            answer = try await call(.personalSign, message)
        }
        let signature = try answers.signature(try result(answer))
        let signer = try? answers.recoverer.recover(digest: request.digest, signature: signature)
        guard signer == address else {
            throw SigningError(
                .key,
                code: "wrong-signature",
                "The signature of \(answers.name) was not made by \(address.checksummed) over what "
                    + "was asked for; it was not used.",
                hint: "If its eth_sign adds no prefix (EIP-191), set message_method to "
                    + "\"personal_sign\"."
            )
        }
        return signature
    }

    /// JSON-RPC 2.0's code for a method that is not there.
    private static let noSuchMethod = -32_601
    /// EIP-1193's code for a user who says no.
    private static let userRejected = 4_001

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
