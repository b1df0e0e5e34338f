import Ethereum

/// The commands of Uniswap's Universal Router: what they take from the sender.
///
/// Source: Universal Router's Commands.sol and Dispatcher.sol
extension CallRules {
    /// The bits of a command besides the one that lets it fail, 0x80.
    ///
    /// Routers before version 2.1 ignore the bit 0x40 too, and later ones do not: such a command is
    /// read as theirs, and counts as unread beside that.
    private static let mask: UInt8 = 0x3F
    private static let unsure: UInt8 = 0x40

    /// One byte a command, and its arguments in a list.
    static func commands(_ decoder: inout CallDecoder, _ call: CallDecoder.Frame) -> Bool {
        guard let start = call.words.target(0), let commands = call.words.content(start),
            let list = call.words.target(32),
            let inputs = call.words.elements(list, width: 32),
            inputs.positions.count == commands.count
        else { return false }
        var isRead = true
        for (index, command) in commands.enumerated() {
            guard let target = call.words.target(inputs.positions[index], from: inputs.base),
                let input = call.words.content(target)
            else {
                isRead = false
                continue
            }
            guard let place = decoder.enter(call, index + 1) else { return true }
            let frame = CallDecoder.Frame(
                words: CallWords(bytes: input),
                contract: call.contract,
                sender: call.sender,
                place: place,
                function: call.function
            )
            isRead = read(command & mask, &decoder, frame) && command & unsure == 0 && isRead
        }
        return isRead
    }

    private static func read(
        _ command: UInt8,
        _ decoder: inout CallDecoder,
        _ call: CallDecoder.Frame
    ) -> Bool {
        switch command {
        case 0x00: swap(&decoder, call, amount: 1, isLast: false, isPacked: true)
        case 0x01: swap(&decoder, call, amount: 2, isLast: true, isPacked: true)
        case 0x08: swap(&decoder, call, amount: 1, isLast: false, isPacked: false)
        case 0x09: swap(&decoder, call, amount: 2, isLast: false, isPacked: false)
        // A transfer by Permit2: token, receiver, amount.
        case 0x02:
            decoder.note(
                call,
                token: call.address(0),
                .move(low(call.number(2), 160), owner: call.sender, to: call.address(1))
            )
        case 0x03: permitBatch(&decoder, call, at: 0, owner: call.sender)
        case 0x0A:
            allow(&decoder, call, at: 0, owner: call.sender, spender: call.address(4))
        case 0x0D: transferBatch(&decoder, call)
        // Sweep, transfer, share: the token that the router holds goes to the second argument.
        case 0x04, 0x05, 0x06: pay(&decoder, call, call.address(0), to: call.address(1))
        // Unwrap: the coin that the router holds goes to the first argument.
        case 0x0C: pay(&decoder, call, nil, to: call.address(0))
        // Wrap, balance check: nothing leaves the router.
        case 0x0B, 0x0E: true
        case 0x21: commands(&decoder, call)
        default: false
        }
    }

    /// A swap: the receiver, amounts, the path, and whether the sender pays.
    private static func swap(
        _ decoder: inout CallDecoder,
        _ call: CallDecoder.Frame,
        amount: Int,
        isLast: Bool,
        isPacked: Bool
    ) -> Bool {
        guard let contract = call.contract, let start = call.words.target(96) else { return false }
        let ends: (first: Address?, last: Address?)
        if isPacked {
            let path = call.words.content(start) ?? []
            ends = (Address(bytes: path.prefix(20)), Address(bytes: path.suffix(20)))
        } else {
            let path = call.words.elements(start, width: 32)?.positions ?? []
            ends = (
                path.first.map { call.words.address($0) }, path.last.map { call.words.address($0) }
            )
        }
        // The path of an exact purchase begins at what is bought.
        let (paid, bought) = isLast ? (ends.last, ends.first) : (ends.first, ends.last)
        guard let paid, let bought else { return false }
        // The sender pays, or the router does from what it holds.
        if call.number(4) != .zero {
            decoder.note(
                call,
                token: paid,
                .move(call.number(amount), owner: call.sender, to: contract)
            )
        }
        return pay(&decoder, call, bought, to: call.address(0))
    }

    /// What the router pays out, in whatever amount; it is the sender's, and shown where another
    /// account gets it.
    ///
    /// - Parameter token: nil for the chain's coin.
    private static func pay(
        _ decoder: inout CallDecoder,
        _ call: CallDecoder.Frame,
        _ token: Address?,
        to receiver: Address
    ) -> Bool {
        guard let contract = call.contract else { return false }
        // The router's words for the sender and for itself.
        let (sender, itself) = (UInt256(1).word, UInt256(2).word)
        guard receiver != call.sender, receiver != contract,
            ![sender, itself].contains(receiver.word)
        else { return true }
        return decoder.note(
            call,
            token: token ?? decoder.wrapper,
            .move(.max, owner: contract, to: receiver)
        )
    }
}
