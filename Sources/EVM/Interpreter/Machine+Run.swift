import Ethereum

extension Machine {
    /// Runs a frame until it ends, or another one begins inside it.
    ///
    /// Before each instruction `step` checks its constant price and the height of the stack: all that
    /// the instructions below read and write is then in the frame's stack.
    func run(_ frame: Frame) -> Exit {
        // Lent once: the input of a frame stays as it is.
        let input = frame.input
        return input.withUnsafeBufferPointer { run(frame, input: $0) }
    }

    private func run(_ frame: Frame, input: UnsafeBufferPointer<UInt8>) -> Exit {
        let (code, account) = (frame.code, frame.account)
        let bytes = code.start
        var counter = frame.counter
        var top = frame.top
        var gas = frame.gas
        // Of the frame's memory: a property of an object is checked for overlap at every access.
        var memory = frame.memory.start
        var memoryCount = frame.memory.count

        @inline(__always)
        func pays(_ price: Int64) -> Bool {
            gas &-= price
            return gas >= 0
        }
        @inline(__always)
        func grows(_ offset: UInt256, _ size: UInt256) -> Bool {
            if offset.isSmall, size.isSmall, offset.w0 < UInt64(memoryCount),
                size.w0 <= UInt64(memoryCount) &- offset.w0
            {
                return true
            }
            guard let price = frame.memory.grow(to: offset, size, gas: gas, prices) else {
                return false
            }
            memory = frame.memory.start
            memoryCount = frame.memory.count
            gas &-= price
            return true
        }
        @inline(__always)
        func push(_ word: UInt256) {
            top.pointee = word
            top += 1
        }
        @inline(__always)
        func words(_ size: UInt256) -> Int64 { Int64((size.w0 &+ 31) / 32) }

        while true {
            guard
                let byte = step(&counter, &top, &gas, frame, code, input, memory, memoryCount)
            else { return .fail }
            switch byte {
            case 0x00:  // STOP
                frame.gas = gas
                frame.output = []
                return .stop

            // MARK: Numbers
            case 0x02:  // MUL
                top -= 1
                top[-1] = top[0].multiplied(by: top[-1])
            case 0x04:  // DIV
                top -= 1
                top[-1] = top[0].divided(by: top[-1])
            case 0x05:  // SDIV
                top -= 1
                top[-1] = top[0].signedDivided(by: top[-1])
            case 0x06:  // MOD
                top -= 1
                top[-1] = top[0].remainder(dividingBy: top[-1])
            case 0x07:  // SMOD
                top -= 1
                top[-1] = top[0].signedRemainder(dividingBy: top[-1])
            case 0x08:  // ADDMOD
                top -= 2
                top[-1] = top[1].adding(top[0], modulo: top[-1])
            case 0x09:  // MULMOD
                top -= 2
                top[-1] = top[1].multiplied(by: top[0], modulo: top[-1])
            case 0x0A:  // EXP
                top -= 1
                guard pays(prices.exponentByte * top[-1].byteCount) else { return .fail }
                top[-1] = top[0].raised(to: top[-1])
            case 0x0B:  // SIGNEXTEND
                top -= 1
                top[-1] = top[-1].signExtended(from: top[0])
            case 0x1A:  // BYTE
                top -= 1
                top[-1] = top[-1].byte(at: top[0])
            case 0x1D:  // SAR
                top -= 1
                top[-1] = top[-1].signedRightShift(by: top[0])
            case 0x1E:  // CLZ
                top[-1] = UInt256(small: UInt64(top[-1].leadingZeroBitCount))
            case 0x20:  // KECCAK256
                top -= 1
                let (offset, size) = (top[0], top[-1])
                guard grows(offset, size), pays(prices.keccakWord * words(size)) else {
                    return .fail
                }
                let start = size.isZero ? 0 : Int(offset.w0)
                let range = UnsafeRawBufferPointer(
                    start: memory + start,
                    count: Int(size.w0)
                )
                top[-1] = UInt256(hashes?.hash(range) ?? Keccak256.hash(range))

            // MARK: Surroundings
            case 0x30: push(UInt256(account.address.word))  // ADDRESS
            case 0x31:  // BALANCE
                guard let account = world.account(Address(truncating: top[-1].word)) else {
                    return .unknown
                }
                guard pays(access(account)) else { return .fail }
                top[-1] = account.balance
            case 0x32:  // ORIGIN
                reads.insert(.origin)
                push(UInt256(origin.word))
            case 0x33: push(UInt256(frame.caller.word))  // CALLER
            case 0x34: push(frame.value)  // CALLVALUE
            case 0x35: top[-1] = input.word(at: top[-1])  // CALLDATALOAD
            case 0x36: push(UInt256(small: UInt64(input.count)))  // CALLDATASIZE
            case 0x37, 0x39, 0x3E:  // CALLDATACOPY, CODECOPY, RETURNDATACOPY
                top -= 3
                let (offset, index, size) = (top[2], top[1], top[0])
                if byte == 0x3E, !frame.returned.contains(index, size) { return .fail }
                guard grows(offset, size), pays(prices.copyWord * words(size)) else {
                    return .fail
                }
                guard !size.isZero else { break }
                let (to, count) = (Int(offset.w0), Int(size.w0))
                if byte == 0x3E {
                    frame.returned.withUnsafeBufferPointer {
                        frame.memory.copy($0, from: index, to: to, count: count)
                    }
                } else {
                    let own = UnsafeBufferPointer(start: bytes, count: code.count)
                    let source = byte == 0x37 ? input : own
                    frame.memory.copy(source, from: index, to: to, count: count)
                }
            case 0x38: push(UInt256(small: UInt64(code.count)))  // CODESIZE
            case 0x3A:  // GASPRICE
                reads.insert(.gasPrice)
                push(gasPrice)
            case 0x3B:  // EXTCODESIZE
                guard let account = world.account(Address(truncating: top[-1].word)),
                    let other = world.code(of: account)
                else { return .unknown }
                guard pays(access(account)) else { return .fail }
                top[-1] = UInt256(small: UInt64(other.count))
            case 0x3C:  // EXTCODECOPY
                top -= 4
                let (offset, index, size) = (top[2], top[1], top[0])
                guard let account = world.account(Address(truncating: top[3].word)),
                    let other = world.code(of: account)
                else { return .unknown }
                guard grows(offset, size), pays(access(account)),
                    pays(prices.copyWord * words(size))
                else { return .fail }
                guard !size.isZero else { break }
                let source = UnsafeBufferPointer(start: other.start, count: other.count)
                frame.memory.copy(source, from: index, to: Int(offset.w0), count: Int(size.w0))
            case 0x3D: push(UInt256(small: UInt64(frame.returned.count)))  // RETURNDATASIZE
            case 0x3F:  // EXTCODEHASH
                guard let account = world.account(Address(truncating: top[-1].word)) else {
                    return .unknown
                }
                guard pays(access(account)) else { return .fail }
                top[-1] = account.isEmpty ? .zero : UInt256(account.codeHash)
            case 0x40:  // BLOCKHASH
                reads.insert(.blockHash)
                guard let hash = blockHash(top[-1]) else { return .unknown }
                top[-1] = hash
            case 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x48, 0x4A: push(blockWord(byte))
            case 0x47: push(account.balance)  // SELFBALANCE
            case 0x49:  // BLOBHASH
                let index = top[-1]
                let isThere = index.isSmall && index.w0 < UInt64(blobHashes.count)
                top[-1] = isThere ? blobHashes[Int(index.w0)] : .zero

            // MARK: Memory and storage
            case 0x51:  // MLOAD
                guard grows(top[-1], UInt256(small: 32)) else { return .fail }
                top[-1] = UInt256(loading: memory + Int(top[-1].w0))
            case 0x52:  // MSTORE
                top -= 2
                guard grows(top[1], UInt256(small: 32)) else { return .fail }
                top[0].store(to: memory + Int(top[1].w0))
            case 0x53:  // MSTORE8
                top -= 2
                guard grows(top[1], UInt256(small: 1)) else { return .fail }
                memory[Int(top[1].w0)] = UInt8(truncatingIfNeeded: top[0].w0)
            case 0x54:  // SLOAD
                guard let (index, wasWarm) = world.word(top[-1], of: account) else {
                    return .unknown
                }
                guard pays(wasWarm ? prices.warm : prices.coldSlot) else { return .fail }
                top[-1] = account.slots[index].current
            case 0x55:  // SSTORE
                top -= 2
                guard !frame.isStatic, gas > prices.storageStipend else { return .fail }
                guard let price = store(top[0], at: top[1], of: account, gas: gas) else {
                    return .unknown
                }
                guard pays(price) else { return .fail }
            case 0x59: push(UInt256(small: UInt64(memoryCount)))  // MSIZE
            case 0x5C: top[-1] = account.transient[top[-1]] ?? .zero  // TLOAD
            case 0x5D:  // TSTORE
                guard !frame.isStatic else { return .fail }
                top -= 2
                world.set(transient: top[0], at: top[1], of: account)
            case 0x5E:  // MCOPY
                top -= 3
                let (to, from, size) = (top[2], top[1], top[0])
                guard grows(to.isBelow(from) ? from : to, size),
                    pays(prices.copyWord * words(size))
                else { return .fail }
                if !size.isZero {
                    frame.memory.move(
                        from: Int(from.w0),
                        to: Int(to.w0),
                        count: Int(size.w0)
                    )
                }
            case 0xA0...0xA4:  // LOG0 to LOG4
                guard !frame.isStatic else { return .fail }
                let count = Int(byte) &- 0xA0
                top -= 2 + count
                let (offset, size) = (top[1 + count], top[count])
                guard grows(offset, size), pays(prices.logByte * Int64(size.w0)) else {
                    return .fail
                }
                world.append(
                    EventLog(
                        address: account.address,
                        topics: (0..<count).map { top[count - 1 - $0].word },
                        data: frame.memory.bytes(offset, size)
                    )
                )

            // MARK: Calls and ends
            case 0xF3, 0xFD:  // RETURN, REVERT
                top -= 2
                guard grows(top[1], top[0]) else { return .fail }
                frame.gas = gas
                frame.output = frame.memory.bytes(top[1], top[0])
                return byte == 0xF3 ? .stop : .revert
            case 0xF0, 0xF1, 0xF2, 0xF4, 0xF5, 0xFA:
                (frame.counter, frame.top, frame.gas) = (counter, top, gas)
                let exit =
                    byte == 0xF0 || byte == 0xF5
                    ? enterCreation(frame, hasSalt: byte == 0xF5) : enterCall(frame, byte)
                if let exit { return exit }
                (top, gas) = (frame.top, frame.gas)
                memory = frame.memory.start
                memoryCount = frame.memory.count
            case 0xFF:  // SELFDESTRUCT
                guard !frame.isStatic else { return .fail }
                top -= 1
                frame.gas = gas
                return selfDestruct(frame, heir: Address(truncating: top[0].word))
            default: return .fail
            }
        }
    }
}

extension [UInt8] {
    /// A range is all within the bytes.
    fileprivate func contains(_ index: UInt256, _ size: UInt256) -> Bool {
        guard index.isSmall, size.isSmall else { return false }
        let (end, overflow) = index.w0.addingReportingOverflow(size.w0)
        return !overflow && end <= UInt64(count)
    }
}
