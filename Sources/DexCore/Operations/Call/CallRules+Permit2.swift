import Ethereum

/// Permit2's functions: allowances in it, and transfers by it.
///
/// Source: Permit2's IAllowanceTransfer.sol and ISignatureTransfer.sol
extension CallRules {
    private static let single =
        "((address token,uint160 amount,uint48 expiration,uint48 nonce) details,address spender,"
        + "uint256 sigDeadline) permitSingle"
    private static let batch =
        "((address token,uint160 amount,uint48 expiration,uint48 nonce)[] details,"
        + "address spender,uint256 sigDeadline) permitBatch"
    private static let transfer =
        "((address token,uint256 amount) permitted,uint256 nonce,uint256 deadline) permit,"
        + "(address to,uint256 requestedAmount) transferDetails"
    private static let transfers =
        "((address token,uint256 amount)[] permitted,uint256 nonce,uint256 deadline) permit,"
        + "(address to,uint256 requestedAmount)[] transferDetails"
    private static let witness = "bytes32 witness,string witnessTypeString,"

    static let permit2: [Line] = [
        (
            "approve(address token,address spender,uint160 amount,uint48 expiration)",
            { decoder, call in
                decoder.note(
                    call,
                    token: call.address(0),
                    .allow(
                        low(call.number(2), 160),
                        owner: call.sender,
                        spender: call.address(1),
                        until: low(call.number(3), 48)
                    )
                )
            }
        ),
        (
            "transferFrom(address from,address to,uint160 amount,address token)",
            { decoder, call in
                decoder.note(
                    call,
                    token: call.address(3),
                    .move(low(call.number(2), 160), owner: call.address(0), to: call.address(1))
                )
            }
        ),
        (
            "transferFrom((address from,address to,uint160 amount,address token)[] details)",
            { transferBatch(&$0, $1) }
        ),
        (
            "permit(address owner,\(single),bytes signature)",
            { decoder, call in
                allow(&decoder, call, at: 32, owner: call.address(0), spender: call.address(5))
            }
        ),
        (
            "permit(address owner,\(batch),bytes signature)",
            { permitBatch(&$0, $1, at: 32, owner: $1.address(0)) }
        ),
        ("permitTransferFrom(\(transfer),address owner,bytes signature)", moveOne),
        ("permitTransferFrom(\(transfers),address owner,bytes signature)", moveMany),
        ("permitWitnessTransferFrom(\(transfer),address owner,\(witness)bytes signature)", moveOne),
        (
            "permitWitnessTransferFrom(\(transfers),address owner,\(witness)bytes signature)",
            moveMany
        ),
        ("lockdown((address token,address spender)[] approvals)", quietly),
        ("invalidateNonces(address token,address spender,uint48 newNonce)", quietly),
        ("invalidateUnorderedNonces(uint256 wordPos,uint256 mask)", quietly),
    ]

    private static let quietly: Read = { decoder, call in
        decoder.note(call, token: nil, .nothing)
    }

    /// A number of fewer bits: contracts cut the rest off, or refuse.
    static func low(_ number: UInt256, _ bits: Int) -> UInt256 {
        number & ((UInt256(1) << bits) &- 1)
    }

    /// Permit2's details at a position: token, amount, expiration, nonce.
    @discardableResult
    static func allow(
        _ decoder: inout CallDecoder,
        _ call: CallDecoder.Frame,
        at position: Int,
        owner: Address,
        spender: Address
    ) -> Bool {
        decoder.note(
            call,
            token: call.words.address(position),
            .allow(
                low(call.words.number(position + 32), 160),
                owner: owner,
                spender: spender,
                until: low(call.words.number(position + 64), 48)
            )
        )
    }

    /// Allowances of a batch, whose tuple's offset is at a position.
    static func permitBatch(
        _ decoder: inout CallDecoder,
        _ call: CallDecoder.Frame,
        at position: Int,
        owner: Address
    ) -> Bool {
        guard let tuple = call.words.target(position),
            let start = call.words.target(tuple, from: tuple),
            let list = call.words.elements(start, width: 128)
        else { return false }
        let spender = call.words.address(tuple + 32)
        for at in list.positions {
            allow(&decoder, call, at: at, owner: owner, spender: spender)
        }
        return true
    }

    /// Transfers in a list: from, to, amount, token.
    static func transferBatch(
        _ decoder: inout CallDecoder,
        _ call: CallDecoder.Frame
    ) -> Bool {
        guard let start = call.words.target(0), let list = call.words.elements(start, width: 128)
        else { return false }
        for at in list.positions {
            decoder.note(
                call,
                token: call.words.address(at + 96),
                .move(
                    low(call.words.number(at + 64), 160),
                    owner: call.words.address(at),
                    to: call.words.address(at + 32)
                )
            )
        }
        return true
    }

    /// A transfer by a signature: token, amount, nonce, deadline, receiver, asked amount, owner.
    private static let moveOne: Read = { decoder, call in
        decoder.note(
            call,
            token: call.address(0),
            .move(call.number(5), owner: call.address(6), to: call.address(4))
        )
    }

    private static let moveMany: Read = { decoder, call in
        guard let permit = call.words.target(0),
            let permitted = call.words.target(permit, from: permit),
            let tokens = call.words.elements(permitted, width: 64),
            let details = call.words.target(32),
            let receivers = call.words.elements(details, width: 64)
        else { return false }
        for (token, receiver) in zip(tokens.positions, receivers.positions) {
            decoder.note(
                call,
                token: call.words.address(token),
                .move(
                    call.words.number(receiver + 32),
                    owner: call.address(2),
                    to: call.words.address(receiver)
                )
            )
        }
        return tokens.positions.count == receivers.positions.count
    }
}
