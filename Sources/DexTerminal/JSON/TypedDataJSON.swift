package import DexCore
import DexSigning
import Ethereum
package import StrictJSON

/// The `data` of `wallet sign-typed`.
package enum TypedDataJSON {
    package static func plan(_ state: TypedDataState) -> JSONValue {
        [
            "address": JSONFormat.address(state.account),
            "network": .string(state.network),
            "chainId": state.data.domain.chainID.map { JSONFormat.integer($0) } ?? .null,
            "contract": state.data.domain.verifyingContract.map { JSONFormat.address($0) } ?? .null,
            "primaryType": .string(state.data.primaryType),
            "hash": .string(state.data.digest.hex),
            "kind": .string(state.kind.rawValue),
            "unread": .bool(state.isBlind),
            "takes": .list(state.shares) { share in
                [
                    "amount": JSONFormat.amount(share.amount, share.token),
                    "unlimited": .bool(share.isUnlimited),
                    "parts": JSONFormat.integer(UInt64(share.parts)),
                    "balance": balance(share),
                ]
            },
            "allows": state.grant.map { allows($0, state) } ?? .null,
            "typedData": state.data.json,
        ]
    }

    private static func allows(_ grant: TypedGrant, _ state: TypedDataState) -> JSONValue {
        [
            "kind": .string(grant.kind.rawValue),
            "owner": JSONFormat.address(grant.owner ?? state.account),
            "spender": JSONFormat.address(grant.spender),
            "tokens": .list(grant.parts) { part in
                [
                    "amount": JSONFormat.amount(part.amount, token(part.token, state)),
                    "unlimited": .bool(part.isUnlimited),
                    "expires": part.expires.map { JSONFormat.integer($0) } ?? .null,
                ]
            },
            "receives": grant.receives.map {
                JSONFormat.amount($0.amount, token($0.token, state))
            } ?? .null,
            "taker": grant.receives?.taker.map { JSONFormat.address($0) } ?? .null,
            "deadline": JSONFormat.integer(grant.deadline),
            "witness": .bool(grant.hasWitness),
        ]
    }

    /// null where it is not known.
    private static func balance(_ share: TypedDataShare) -> JSONValue {
        guard case .known(let amount) = share.balance else { return .null }
        return JSONFormat.amount(amount, share.token)
    }

    private static func token(_ address: Address, _ state: TypedDataState) -> Token {
        state.tokens[address]
            ?? Token(address: address, symbol: address.checksummed, name: "", decimals: nil)
    }
}
