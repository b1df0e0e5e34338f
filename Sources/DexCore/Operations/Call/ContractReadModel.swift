package import Ethereum
import ZeroEx

/// `dex call`: calls any contract's function; nothing is signed or sent.
package struct ContractReadModel: Sendable {
    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// The function's result.
    ///
    /// - Parameters:
    ///   - caller: the sender that the contract sees.
    ///   - block: nil is the latest.
    /// - Throws: `DexError`: exit 2 for an invalid function, argument or result type; 4; 6
    ///   `not-a-contract`; 10 `would-revert`, with the contract's reason.
    package func load(
        _ request: ContractRequest,
        caller: Address?,
        block: UInt64? = nil
    ) async throws(DexError) -> ContractReadState {
        let signature = try request.signature()
        let call = try request.call(signature, tokens: session.tokens)
        let tag = block.map { BlockTag.number($0) } ?? .latest
        let message = CallRequest(
            from: caller,
            to: call.address,
            data: call.data,
            value: try request.plainEther()
        )
        var batch = ReadBatch()
        let asked = ChainHead.ask(session, in: &batch)
        let answer = batch.add(.call(message, tag))
        let code = batch.add(.code(call.address, tag))
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(asked)
        if try answers.value(code).isEmpty {
            throw .notAContract(call.address, network: session.network)
        }
        let returned = try Self.returned(answers[answer], by: call, request.abi, session)
        let values: [ContractValue]?
        do {
            values = try ContractValue.results(returned, of: signature)
        } catch {
            let shown = Hex.encode(returned.prefix(96)) + (returned.count > 96 ? "…" : "")
            throw CallError.badResults(count: returned.count, shown: shown, error: error)
        }
        return ContractReadState(
            call: call,
            caller: caller,
            block: block ?? head.number,
            returned: returned,
            values: values
        )
    }

    private static func returned(
        _ answer: Result<[UInt8], ChainError>,
        by call: ContractCall,
        _ abi: ContractABI?,
        _ session: Session
    ) throws(DexError) -> [UInt8] {
        switch answer {
        case .success(let bytes): return bytes
        case .failure(let error) where error.isExecutionFailure:
            let words = RevertReason.words(of: error, by: session.exchangeProtocol, abi: abi)
            throw CallError.readFails(function: call.function, call.address, words: words)
        case .failure(let error): throw DexError(error)
        }
    }
}
