public import Ethereum
import Secp256k1Points
import Synchronization

/// Checks signatures, at a quarter of the cost if it knows their makers' public keys.
///
/// An account whose signatures libsecp256k1 has confirmed often enough is given a table of
/// multiples of its public key, with which later ones are confirmed many at once. Each answer is
/// that of libsecp256k1's recovery: what the table does not confirm is recovered and compared.
///
/// Costs: a table takes 262 144 bytes, and as long to make as about 15 recoveries, once for 32
/// confirmed signatures until the number of tables is reached. From then on one is replaced at
/// most every 256 recoveries, so that any number of fresh accounts adds at most a sixteenth to the
/// cost of plain recovery. A wrong claim about a known account takes a quarter of a recovery more
/// than a recovery, and two fifths more if it is alone.
///
/// Any number of threads may use it at once. It is not constant-time: it sees no secrets.
public final class SignatureVerifier: Sendable {
    private let recoverer: any SignatureRecovering
    private let accounts: Mutex<KnownAccounts>

    /// - Parameter recoverer: decides what no table confirms.
    public convenience init(recoverer: any SignatureRecovering = Secp256k1()) {
        self.init(recoverer: recoverer, limits: KnownAccounts.Limits())
    }

    package init(
        recoverer: any SignatureRecovering = Secp256k1(),
        limits: KnownAccounts.Limits
    ) {
        self.recoverer = recoverer
        accounts = Mutex(KnownAccounts(limits: limits))
    }

    /// How claims were decided until now.
    package var counts: SignatureCounts {
        accounts.withLock { $0.counts }
    }

    /// For each claim, whether the account made the signature over the digest.
    ///
    /// It is decided as by `Secp256k1.recover(digest:signature:)`: a high s is accepted.
    public func outcomes(of claims: [SignatureClaim]) -> [SignatureOutcome] {
        var outcomes = [SignatureOutcome](repeating: .signed, count: claims.count)
        var recovered = 0
        var confirmed: [SignatureClaim] = []
        for (index, isConfirmed) in confirmedByTables(claims).enumerated() where !isConfirmed {
            outcomes[index] = recover(claims[index])
            recovered += 1
            if outcomes[index] == .signed { confirmed.append(claims[index]) }
        }
        let tableless = accounts.withLock { accounts in
            accounts.note(recovered: recovered, confirmed: confirmed)
        }
        for claim in tableless {
            let table = Self.table(for: claim)
            accounts.withLock { $0.finish(claim.signer, table) }
        }
        return outcomes
    }

    /// Whether each claim is confirmed by the table of its account.
    private func confirmedByTables(_ claims: [SignatureClaim]) -> [Bool] {
        let tables = accounts.withLock { accounts in
            claims.map { accounts.table(of: $0.signer) }
        }
        var equations: [SignatureEquation] = []
        var places: [Int] = []
        for (index, table) in tables.enumerated() {
            guard let table,
                let equation = SignatureEquation(
                    digest: claims[index].digest,
                    signature: claims[index].signature,
                    table: table
                )
            else { continue }
            equations.append(equation)
            places.append(index)
        }
        var confirmed = [Bool](repeating: false, count: claims.count)
        guard !equations.isEmpty else { return confirmed }
        var count = 0
        for (place, isConfirmed) in zip(places, SignatureEquation.areConfirmed(equations)) {
            confirmed[place] = isConfirmed
            if isConfirmed { count += 1 }
        }
        accounts.withLock { $0.counts.confirmedByTables += count }
        return confirmed
    }

    private func recover(_ claim: SignatureClaim) -> SignatureOutcome {
        do throws(SignatureError) {
            let signer = try recoverer.recover(
                digest: claim.digest,
                signature: claim.signature
            )
            return signer == claim.signer ? .signed : .otherSigner(signer)
        } catch {
            return .invalid(error)
        }
    }

    /// The table of the account of a confirmed claim.
    private static func table(for claim: SignatureClaim) -> PointTable? {
        // nil: not of a confirmed claim, which recovers as it did before
        let key = try? Secp256k1().recoverKey(digest: claim.digest, signature: claim.signature)
        guard let key, key.address == claim.signer else { return nil }
        return PointTable(key.point)
    }
}

/// The way claims were decided.
package struct SignatureCounts: Hashable, Sendable {
    package var confirmedByTables = 0
    package var recovered = 0
    package var tables = 0
}
