import Ethereum

/// The commands of Uniswap's Universal Router: what they take from the sender.
///
/// Source: Universal Router's Commands.sol and Dispatcher.sol
extension CallRules {
    /// The bits of a command besides those that let it fail.
    private static let mask: UInt8 = 0x3F

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
            isRead = read(command & mask, &decoder, frame) && isRead
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
        // Sweep, transfer, share, wrap, unwrap, balance check: what the router holds.
        case 0x04, 0x05, 0x06, 0x0B, 0x0C, 0x0E: true
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
        guard call.number(4) != .zero else { return true }
        guard let contract = call.contract, let start = call.words.target(96) else { return false }
        let token: Address?
        if isPacked {
            let path = call.words.content(start) ?? []
            token = Address(bytes: isLast ? path.suffix(20) : path.prefix(20))
        } else {
            token = call.words.elements(start, width: 32)?.positions.first.map {
                call.words.address($0)
            }
        }
        guard let token else { return false }
        return decoder.note(
            call,
            token: token,
            .move(call.number(amount), owner: call.sender, to: contract)
        )
    }
}
