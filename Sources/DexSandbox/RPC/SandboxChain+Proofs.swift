import Ethereum
import StrictJSON

extension SandboxChain {
    /// The most words of one eth_getProof, as in geth.
    static let maximumProvenWords = 1_024
    /// The work of one path of a proof, in gas of equal time.
    private static let workOfProof: UInt64 = 12_000

    /// eth_getProof: what an account and its words are, with the nodes that prove it under the
    /// block's `stateRoot`.
    ///
    /// Source: EIP-1186.
    func proofJSON(_ parameters: RPCParameters) throws(NodeError) -> JSONValue {
        let address = try parameters.address(0)
        guard case .array(let keys) = try parameters.value(1) else {
            throw .invalidParameters("invalid argument 1: an array is wanted")
        }
        guard keys.count <= Self.maximumProvenWords else {
            throw .invalidParameters(
                "too many keys (got \(keys.count), max \(Self.maximumProvenWords))"
            )
        }
        var places: [(key: JSONValue, place: UInt256)] = []
        for key in keys { places.append((key, try RPCParameters.place(key, "argument 1"))) }
        let view = try view(at: try tag(parameters.block(2)))
        guard let tries = view.tries else { throw Self.unprovable }
        work(Self.workOfProof * UInt64(keys.count + 1 + view.past.count))
        let account = tries.account(address) { view[$0] }
        return [
            "address": .string(address.lowercaseHex),
            "accountProof": Self.json(tries.proof(of: address)),
            "balance": RPCEncoding.quantity(account.balance.rawValue),
            "codeHash": .string(account.codeHash.hex),
            "nonce": RPCEncoding.quantity(account.nonce),
            "storageHash": .string(account.storageRoot.hex),
            "storageProof": .array(
                places.map { key, place in
                    [
                        "key": Self.echo(key, place),
                        "value": RPCEncoding.quantity(view[StorageKey(address, .word(place))]),
                        "proof": Self.json(tries.proof(of: place, at: address)),
                    ]
                }
            ),
        ]
    }

    private static let unprovable = NodeError.refused(
        "this chain is a fork, and nobody can prove its state: its blocks' stateRoot is a hash over "
            + "what each one changed, and not the root of a trie"
    )

    /// The same for an in-process client.
    func proof(
        of address: Address,
        _ slots: [Bytes32],
        at tag: BlockTag
    ) throws(NodeError) -> AccountProof {
        let view = try view(at: tag)
        guard let tries = view.tries else { throw Self.unprovable }
        return AccountProof(
            address: address,
            account: tries.proof(of: address),
            storage: slots.map { slot in
                StorageProof(slot: slot, nodes: tries.proof(of: UInt256(slot), at: address))
            }
        )
    }

    private static func json(_ proof: TrieProof) -> JSONValue {
        .array(proof.nodes.map(RPCEncoding.data))
    }

    /// A key as geth repeats it: 32 bytes as they are, a shorter one as a quantity.
    private static func echo(_ key: JSONValue, _ place: UInt256) -> JSONValue {
        let isWhole = key.stringValue?.utf8.count == 66
        return isWhole ? .string(place.word.hex) : RPCEncoding.quantity(place)
    }
}

extension RPCParameters {
    func place(_ index: Int) throws(NodeError) -> UInt256 {
        try Self.place(try value(index), "argument \(index)")
    }

    /// The place of a word in a contract's storage: at most 32 bytes in hexadecimal, of any length.
    static func place(_ json: JSONValue, _ name: @autoclosure () -> String) throws(NodeError)
        -> UInt256
    {
        guard let text = json.stringValue, let place = UInt256(quantity: text) else {
            throw .invalidParameters(
                "invalid \(name()): 1 to 64 hex digits are wanted for a storage key"
            )
        }
        return place
    }
}
