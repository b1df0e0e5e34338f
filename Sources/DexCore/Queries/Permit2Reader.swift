import DexSigning
import Ethereum
import ZeroEx

/// Reads the allowances that an account gives inside Permit2.
struct Permit2Reader {
    let session: Session
    let names: ContractNames

    private static let batchSize = 250

    /// The allowances at a block that are neither zero nor expired; none on a chain without Permit2.
    ///
    /// What Permit2 does not answer properly is unknown, and among them.
    ///
    /// - Throws: `DexError`, exit 4, if the node does not answer.
    func grants(
        _ pairs: [TokenSpender],
        of owner: Address,
        at block: UInt64
    ) async throws(DexError) -> [TokenGrant] {
        guard !pairs.isEmpty else { return [] }
        var first = ReadBatch()
        let code = first.add(.code(ZeroExSwapContracts.permit2, .number(block)))
        let head = first.add(.block(.number(block)))
        let reported = try await first.send(to: session.chain)
        // An unread code is not an absent one.
        if reported.optional(code)?.isEmpty == true { return [] }
        // Without the block's time nothing counts as expired.
        let now = reported.optional(head)?.timestamp ?? 0
        var found: [(pair: TokenSpender, allowance: Permit2Allowance?, inToken: UInt256?)] = []
        for start in stride(from: 0, to: pairs.count, by: Self.batchSize) {
            let part = pairs[start..<min(start + Self.batchSize, pairs.count)]
            var batch = ReadBatch()
            let slots = part.map { pair in
                (
                    pair,
                    batch.add(.call(Permit2Allowance.request(pair, of: owner), .number(block))),
                    batch.add(
                        .allowance(
                            of: pair.token,
                            by: owner,
                            to: ZeroExSwapContracts.permit2,
                            .number(block)
                        )
                    )
                )
            }
            let answers = try await batch.send(to: session.chain)
            for (pair, own, inToken) in slots {
                let allowance = try answers.returned(own).flatMap { Permit2Allowance($0) }
                if let allowance, allowance.amount == .zero || allowance.expiration < now {
                    continue
                }
                found.append((pair, allowance, try answers.word(inToken)))
            }
        }
        let tokens = try await TokenResolver(session: session).tokens(at: found.map(\.pair.token))
        return found.map { pair, allowance, inToken in
            TokenGrant(
                token: tokens[pair.token] ?? session.tokens.token(at: pair.token),
                spender: pair.spender,
                name: names.name(of: pair.spender),
                allowance: allowance?.amount,
                permit2: Permit2Terms(expiration: allowance?.expiration, tokenAllowance: inToken)
            )
        }
    }
}
