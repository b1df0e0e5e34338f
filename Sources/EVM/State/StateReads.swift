package import Ethereum

/// Parts of a chain's state, asked of a node in one batch.
package struct StateReads {
    private struct AccountSlots {
        let address: Address
        let nonce: ReadSlot<UInt64>
        let balance: ReadSlot<Wei>
        let code: ReadSlot<[UInt8]>
    }

    private var accounts: [AccountSlots] = []
    private var words: [(address: Address, slot: UInt256, word: ReadSlot<UInt256>)] = []
    private var blocks: [(number: UInt64, block: ReadSlot<Block?>)] = []

    /// The most values of one batch: far more than a trade reads.
    package static let maximum = 2_000

    /// Asks for values at a block.
    ///
    /// An account comes with its code; more than `maximum` values are not asked for.
    package static func ask(
        _ keys: Set<StateKey>,
        at tag: BlockTag,
        in batch: inout ReadBatch
    ) -> StateReads {
        var reads = StateReads()
        for key in keys.prefix(maximum) {
            switch key {
            case .account(let address):
                reads.accounts.append(
                    AccountSlots(
                        address: address,
                        nonce: batch.add(.transactionCount(address, tag)),
                        balance: batch.add(.balance(address, tag)),
                        code: batch.add(.code(address, tag))
                    )
                )
            case .word(let slot, let address):
                let word = batch.add(.storage(address, slot.word, tag))
                reads.words.append((address, slot, word))
            case .blockHash(let number):
                reads.blocks.append((number, batch.add(.block(.number(number)))))
            // Comes with the account that has it.
            case .code: break
            }
        }
        return reads
    }

    /// Puts what the node said into a state.
    ///
    /// - Throws: `ChainError`, of the first value without an answer.
    package func put(into state: FetchedState, _ answers: ReadAnswers) throws(ChainError) {
        for account in accounts {
            state.set(
                account.address,
                nonce: try answers[account.nonce].get(),
                balance: try answers[account.balance].get(),
                code: try answers[account.code].get()
            )
        }
        for read in words {
            state.set(try answers[read.word].get(), at: read.slot, of: read.address)
        }
        for read in blocks {
            if let block = try answers[read.block].get() { state.set(block.hash, of: read.number) }
        }
    }
}
