import Ethereum

/// Writes EVM code from words: instructions, numbers, `@name` for a place and `:name` to push it.
///
/// Example: `0x01 0x02 ADD :end JUMP @end STOP`.
enum Assembler {
    private static let codes: [Substring: UInt8] = [
        "STOP": 0x00, "ADD": 0x01, "MUL": 0x02, "SUB": 0x03, "EQ": 0x14, "ISZERO": 0x15,
        "XOR": 0x18, "NOT": 0x19, "SHR": 0x1c, "ADDRESS": 0x30, "BALANCE": 0x31, "ORIGIN": 0x32,
        "CALLER": 0x33, "CALLVALUE": 0x34, "CALLDATALOAD": 0x35, "GASPRICE": 0x3a,
        "COINBASE": 0x41, "TIMESTAMP": 0x42, "NUMBER": 0x43, "POP": 0x50, "MLOAD": 0x51,
        "MSTORE": 0x52, "SLOAD": 0x54, "SSTORE": 0x55, "JUMP": 0x56, "JUMPI": 0x57, "GAS": 0x5a,
        "DUP1": 0x80, "DUP2": 0x81, "SWAP1": 0x90, "LOG3": 0xa3, "LOG4": 0xa4, "CREATE": 0xf0,
        "BLOCKHASH": 0x40, "CALL": 0xf1, "RETURN": 0xf3, "REVERT": 0xfd,
    ]

    static func code(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var places: [Substring: Int] = [:]
        var pushes: [(at: Int, name: Substring)] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            if word.hasPrefix("@") {
                places[word.dropFirst()] = bytes.count
                bytes.append(0x5b)
            } else if word.hasPrefix(":") {
                pushes.append((bytes.count + 1, word.dropFirst()))
                bytes += [0x61, 0, 0]
            } else if let code = codes[word] {
                bytes.append(code)
            } else {
                guard let number = Hex.bytes(String(word)), (1...32).contains(number.count) else {
                    preconditionFailure("\(word) is no instruction")
                }
                bytes.append(0x5f + UInt8(number.count))
                bytes += number
            }
        }
        for push in pushes {
            guard let place = places[push.name] else {
                preconditionFailure("\(push.name) is no place")
            }
            bytes[push.at] = UInt8(place >> 8)
            bytes[push.at + 1] = UInt8(place & 0xff)
        }
        return bytes
    }

    /// A token whose balances are at the slots of their owners, and allowances at
    /// `~owner ^ spender`; its owner is at slot 1, operators at `operator ^ 2`.
    ///
    /// - Parameter act: what every other function does, for the caller.
    static func token(_ act: String) -> [UInt8] {
        code(
            """
            0x00 CALLDATALOAD 0xe0 SHR
            DUP1 0x70a08231 EQ :balance JUMPI
            DUP1 0xdd62ed3e EQ :allowance JUMPI
            DUP1 0x8da5cb5b EQ :owner JUMPI
            DUP1 0xe985e9c5 EQ :operator JUMPI
            :act JUMP
            @balance 0x04 CALLDATALOAD SLOAD :return JUMP
            @allowance 0x04 CALLDATALOAD NOT 0x24 CALLDATALOAD XOR SLOAD :return JUMP
            @owner 0x01 SLOAD :return JUMP
            @operator 0x24 CALLDATALOAD 0x02 XOR SLOAD :return JUMP
            @return 0x00 MSTORE 0x20 0x00 RETURN
            @act \(act) STOP
            """
        )
    }

    /// The caller has so much less.
    static func take(_ amount: UInt8) -> String {
        "\(Hex.encode([amount])) CALLER SLOAD SUB CALLER SSTORE"
    }

    /// The caller has so much more.
    static func give(_ amount: UInt8) -> String {
        "CALLER SLOAD \(Hex.encode([amount])) ADD CALLER SSTORE"
    }

    /// A Transfer event from the caller to an account.
    static func log(_ amount: UInt8, to account: Address) -> String {
        "\(Hex.encode([amount])) 0x00 MSTORE \(Hex.encode(account.bytes)) CALLER "
            + "\(ERC20.transferTopic.hex) 0x20 0x00 LOG3"
    }
}
