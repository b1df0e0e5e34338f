package import Ethereum

/// A request that policy and log have let pass; only `AuthorizedSigner` makes one, so that no key
/// signs anything else.
package struct AuthorizedRequest: Sendable {
    package let request: SigningRequest

    init(_ request: SigningRequest) {
        self.request = request
    }
}

/// Whoever has a key: this process, an agent, a program, a node.
package protocol KeyHolder: Sendable {
    /// The account of the key.
    var address: Address { get }

    /// The key's signature over the request's digest; whoever calls checks it.
    ///
    /// - Throws: `SigningError` of the kind `key`, `refused` or `interrupted`.
    func signature(of authorized: AuthorizedRequest) async throws(SigningError) -> Signature
}

/// A key in the memory of this process.
package struct LocalKey: KeyHolder {
    private let signer: any Signer

    package init(_ signer: any Signer) {
        self.signer = signer
    }

    package var address: Address { signer.address }

    package func signature(
        of authorized: AuthorizedRequest
    ) async throws(SigningError) -> Signature {
        do throws(SignerError) {
            return try await signer.sign(digest: authorized.request.digest)
        } catch {
            throw SigningError(.key, code: "signer-refused", error.description)
        }
    }
}
