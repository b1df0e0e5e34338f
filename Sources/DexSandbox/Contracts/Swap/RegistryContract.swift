import Ethereum

/// The registry: names the genuine Settler of a feature, and the one before.
///
/// It knows only the feature of taker-submitted trades.
struct RegistryContract {
    let frame: ContractFrame

    /// The feature of Settlers that a taker calls.
    private static let takerSubmitted = UInt256(2)

    private enum Function: UInt32 {
        case ownerOf = 0x6352_211e
        case prev = 0xe260_3dc2
    }

    func run() throws(CallFailure) -> [UInt8] {
        try frame.execution.charge(.view)
        try frame.refuseEther()
        guard let function = frame.selector.flatMap({ Function(rawValue: $0) }) else {
            throw .revert([])
        }
        var input = ProxyCalldata(frame.message.data)
        let feature = try input.number()
        guard feature == Self.takerSubmitted else {
            throw .failed("ERC721NonexistentToken(uint256)", feature.word)
        }
        let execution = frame.execution
        let state = try SwapRegistryState(of: frame.address) { key throws(CallFailure) in
            try execution.load(key)
        }
        switch function {
        case .ownerOf:
            guard !state.isPaused else {
                throw .failed("ERC721NonexistentToken(uint256)", feature.word)
            }
            return Words.bytes(state.current.word)
        case .prev: return Words.bytes(state.previous.word)
        }
    }
}
