import DexSigning
import Ethereum
import ZeroEx

/// An allowance inside Permit2, as `allowance(owner, token, spender)` answers it.
///
/// Source: Permit2's IAllowanceTransfer.sol
struct Permit2Allowance: Hashable {
    /// Base units, 160 bits; `unlimited` is never reduced.
    let amount: UInt256
    /// The last second since 1970 at which it can be used, 48 bits.
    let expiration: UInt64

    static let unlimited = (UInt256(1) << 160) &- 1

    /// Reads three words; nil for another length, and for numbers beyond their types.
    init?(_ answer: [UInt8]) {
        guard answer.count == 96, let amount = UInt256(bigEndian: answer[0..<32]),
            let expiration = UInt256(bigEndian: answer[32..<64])?.uint64,
            let nonce = UInt256(bigEndian: answer[64..<96]), amount <= Self.unlimited,
            expiration >> 48 == 0, nonce >> 48 == .zero
        else { return nil }
        self.amount = amount
        self.expiration = expiration
    }

    /// A call of `allowance`.
    static func request(_ pair: TokenSpender, of owner: Address) -> CallRequest {
        CallRequest(
            to: ZeroExSwapContracts.permit2,
            data: ERC20.call(
                "allowance(address,address,address)",
                owner.word,
                pair.token.word,
                pair.spender.word
            )
        )
    }
}
