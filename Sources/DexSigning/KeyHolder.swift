package import Ethereum

/// A request that passed policy and log; only `AuthorizedSigner` makes one.
package struct AuthorizedRequest: Sendable {
    package let request: SigningRequest

    init(_ request: SigningRequest) {
        self.request = request
    }
}

/// The holder of a key: this process, an agent, a program, a node.
package protocol KeyHolder: Sendable {
    var address: Address { get }

    /// The key's location, for the audit log.
    var place: KeyPlace { get }

    /// Checks whether it would sign all of this now, one after another, without a prompt.
    ///
    /// - Parameter planned: replacing: it replaces the transaction with its nonce.
    func check(_ planned: [PlannedRequest]) throws(SigningError)

    /// The key's signature over the request's digest; the caller checks it.
    ///
    /// - Throws: `SigningError` of the kind `key`, `refused` or `interrupted`.
    func signature(of authorized: AuthorizedRequest) async throws(SigningError) -> Signature
}

extension KeyHolder {
    package func check(_ planned: [PlannedRequest]) throws(SigningError) {}
}

/// A request that will be made.
package struct PlannedRequest: Sendable {
    package let request: SigningRequest
    /// Its nonce is known: earlier signatures with it no longer count.
    package let replacing: Bool

    init(_ request: SigningRequest, replacing: Bool) {
        (self.request, self.replacing) = (request, replacing)
    }
}

/// The location of a key.
package enum KeyPlace: String, Sendable {
    /// In the memory of this process.
    case own = "dex"
    /// In the process that `dex unlock` started.
    case agent
    /// With a node or a program of the user's.
    case outside = "signer"
}

/// A key that never signs, for showing a request to the real one.
package struct NoKey: KeyHolder {
    package let address: Address
    package let place = KeyPlace.own

    package init(_ address: Address) {
        self.address = address
    }

    package func signature(
        of authorized: AuthorizedRequest
    ) async throws(SigningError) -> Signature {
        throw SigningError.noKey(address)
    }
}

/// A key in the memory of this process.
package struct LocalKey: KeyHolder {
    package let place = KeyPlace.own
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
            throw SigningError.signer(error)
        }
    }
}
