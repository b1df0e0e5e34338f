import Ethereum

/// Call data of the swap venue's contracts, encoded apart from what `dex` reads and writes.
enum SwapCalldata {
    /// A selector and static arguments.
    static func call(_ signature: String, _ words: Bytes32...) -> [UInt8] {
        selector(signature) + words.flatMap(\.bytes)
    }

    static func selector(_ signature: String) -> [UInt8] {
        Array(Keccak256.hash(signature.utf8).bytes.prefix(4))
    }

    /// `exec` of the AllowanceHolder.
    static func exec(
        operator spender: Address,
        token: Address,
        amount: UInt256,
        target: Address,
        _ data: [UInt8]
    ) -> [UInt8] {
        call(
            "exec(address,address,uint256,address,bytes)",
            spender.word,
            token.word,
            amount.word,
            target.word,
            UInt256(5 * 32).word
        ) + tail(data)
    }

    /// What `execute` of Settler has before its actions.
    struct Head {
        var recipient: Address
        var token: Address
        var minimum: UInt256
    }

    /// `execute` of Settler.
    static func execute(_ head: Head, _ actions: [[UInt8]]) -> [UInt8] {
        start(head, count: actions.count) + array(actions.map(tail), first: 0)
    }

    /// The same as a Permit2 quote with its signature: the first action comes last, says that it is
    /// 0xffff bytes long, and ends with the signature.
    static func execute(
        _ head: Head,
        permit: [UInt8],
        signature: [UInt8],
        _ rest: [[UInt8]]
    ) -> [UInt8] {
        // Without the offset, the length and the empty signature at the end it is five words.
        let first =
            UInt256(0xffff).word.bytes + permit.prefix(4 + 5 * 32) + UInt256(6 * 32).word.bytes
            + UInt256(UInt64(signature.count)).word.bytes + signature
        return start(head, count: rest.count + 1)
            + array(rest.map(tail) + [first], first: rest.count)
    }

    private static func start(_ head: Head, count: Int) -> [UInt8] {
        call(
            "execute((address,address,uint256),bytes[],bytes32)",
            head.recipient.word,
            head.token.word,
            head.minimum.word,
            UInt256(5 * 32).word,
            .zero,
            UInt256(UInt64(count)).word
        )
    }

    /// Offsets and elements; the one at an index is the first of the array.
    private static func array(_ elements: [[UInt8]], first: Int) -> [UInt8] {
        var position = 32 * elements.count
        var offsets: [Bytes32] = []
        for element in elements {
            offsets.append(UInt256(UInt64(position)).word)
            position += element.count
        }
        if first > 0 { offsets.insert(offsets.remove(at: first), at: 0) }
        return offsets.flatMap(\.bytes) + elements.flatMap { $0 }
    }

    /// A byte string: its length, and its bytes with zeros up to a word.
    static func tail(_ data: [UInt8]) -> [UInt8] {
        UInt256(UInt64(data.count)).word.bytes + data
            + Array(repeating: 0, count: (32 - data.count % 32) % 32)
    }
}

/// A Permit2 message.
struct PlannedPermit {
    var token: Address
    var amount: UInt256
    var nonce: UInt256
    var deadline: UInt256

    /// What its owner signs for a spender.
    func hash(spender: Address, contract: Address) -> Bytes32 {
        func word(_ text: String) -> Bytes32 { Keccak256.hash(text.utf8) }
        func hash(_ words: Bytes32...) -> Bytes32 { Keccak256.hash(words.flatMap(\.bytes)) }
        let permissions = "TokenPermissions(address token,uint256 amount)"
        let domain = hash(
            word("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
            word("Permit2"),
            UInt256(World.chainID).word,
            contract.word
        )
        let message = hash(
            word(
                "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,"
                    + "uint256 deadline)" + permissions
            ),
            hash(word(permissions), token.word, amount.word),
            spender.word,
            nonce.word,
            deadline.word
        )
        return Keccak256.hash([0x19, 0x01] + domain.bytes + message.bytes)
    }

    /// The action that fetches the token, with a signature as ABI has it.
    func action(to recipient: Address, signature: [UInt8] = []) -> [UInt8] {
        SwapCalldata.call(
            "TRANSFER_FROM(address,((address,uint256),uint256,uint256),bytes)",
            recipient.word,
            token.word,
            amount.word,
            nonce.word,
            deadline.word,
            UInt256(6 * 32).word
        ) + SwapCalldata.tail(signature)
    }
}
