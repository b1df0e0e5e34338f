import Ethereum

/// What an instruction does that only moves words and computes.
enum Step: UInt8 {
    /// More than that.
    case other
    case add, multiply, subtract, divide, remainder
    case below, above, signedBelow, signedAbove, equal, isZero
    case and, or, xor, not, shiftLeft, shiftRight
    case loadInput, pop, load, store, jump, jumpIf, counter, gas, destination
    case zero, push, pushLong, copy, swap
}

extension Machine {
    /// Runs a frame up to an instruction that does more than a step.
    ///
    /// Nothing is called here, so that all of it stays in the processor's registers: with calls of
    /// what is rare in the same loop, every instruction takes twice as long. What a step cannot do in
    /// the memory that is in use, or with numbers that are large, it leaves to `run`.
    ///
    /// - Returns: the instruction, paid and with its words on the stack; nil if the frame failed.
    @inline(never)
    func step(
        _ place: inout Int,
        _ highest: inout UnsafeMutablePointer<UInt256>,
        _ left: inout Int64,
        _ frame: Frame,
        _ code: Code,
        _ input: UnsafeBufferPointer<UInt8>,
        _ memory: UnsafeMutablePointer<UInt8>,
        _ memoryCount: Int
    ) -> UInt8? {
        let instructions = UnsafePointer(self.instructions)
        let base = UInt(bitPattern: frame.stack)
        let (start, end) = (UnsafePointer(code.start), UInt64(code.count))
        let destinations = code.destinations
        // Where words can begin in the memory in use, and in the input.
        let memoryWords = UInt64(max(0, memoryCount - 31))
        let inputWords = UInt64(max(0, input.count - 31))
        let inputStart = input.baseAddress ?? UnsafePointer(memory)
        var next = start + place
        var (top, gas) = (highest, left)
        defer { (place, highest, left) = (next - start, top, gas) }

        while true {
            let byte = next.pointee
            let instruction = instructions[Int(byte)]
            // In bytes: a difference of pointers would be divided by the size of a word.
            let height = UInt(bitPattern: top) &- base
            gas &-= Int64(instruction.gas)
            guard gas >= 0, height &- UInt(instruction.takes) <= UInt(instruction.room) else {
                if gas >= 0 {
                    failure = instruction.isNone ? .invalidInstruction(byte) : .stack
                }
                return nil
            }
            next += 1
            switch instruction.step {
            case .other: return byte
            case .add:
                top -= 1
                top[-1] = top[0].adding(top[-1])
            case .multiply:
                guard top[-1].isSmall, top[-2].isSmall else { return byte }
                top -= 1
                let product = top[0].w0.multipliedFullWidth(by: top[-1].w0)
                top[-1] = UInt256(w0: product.low, w1: product.high, w2: 0, w3: 0)
            case .subtract:
                top -= 1
                top[-1] = top[0].subtracting(top[-1])
            case .divide:
                guard top[-1].isSmall, top[-2].isSmall, top[-2].w0 != 0 else { return byte }
                top -= 1
                top[-1] = UInt256(small: top[0].w0 / top[-1].w0)
            case .remainder:
                guard top[-1].isSmall, top[-2].isSmall, top[-2].w0 != 0 else { return byte }
                top -= 1
                top[-1] = UInt256(small: top[0].w0 % top[-1].w0)
            case .below:
                top -= 1
                top[-1] = UInt256(top[0].isBelow(top[-1]))
            case .above:
                top -= 1
                top[-1] = UInt256(top[-1].isBelow(top[0]))
            case .signedBelow:
                top -= 1
                top[-1] = UInt256(top[0].isSignedBelow(top[-1]))
            case .signedAbove:
                top -= 1
                top[-1] = UInt256(top[-1].isSignedBelow(top[0]))
            case .equal:
                top -= 1
                let (a, b) = (top[0], top[-1])
                top[-1] = UInt256(
                    (a.w0 ^ b.w0) | (a.w1 ^ b.w1) | (a.w2 ^ b.w2) | (a.w3 ^ b.w3) == 0
                )
            case .isZero: top[-1] = UInt256(top[-1].isZero)
            case .and:
                top -= 1
                let (a, b) = (top[0], top[-1])
                top[-1] = UInt256(
                    w0: a.w0 & b.w0,
                    w1: a.w1 & b.w1,
                    w2: a.w2 & b.w2,
                    w3: a.w3 & b.w3
                )
            case .or:
                top -= 1
                let (a, b) = (top[0], top[-1])
                top[-1] = UInt256(
                    w0: a.w0 | b.w0,
                    w1: a.w1 | b.w1,
                    w2: a.w2 | b.w2,
                    w3: a.w3 | b.w3
                )
            case .xor:
                top -= 1
                let (a, b) = (top[0], top[-1])
                top[-1] = UInt256(
                    w0: a.w0 ^ b.w0,
                    w1: a.w1 ^ b.w1,
                    w2: a.w2 ^ b.w2,
                    w3: a.w3 ^ b.w3
                )
            case .not: top[-1] = top[-1].inverted
            case .shiftLeft:
                top -= 1
                top[-1] = top[-1].leftShift(by: top[0])
            case .shiftRight:
                top -= 1
                top[-1] = top[-1].rightShift(by: top[0])
            case .loadInput:
                let offset = top[-1]
                guard offset.isSmall, offset.w0 < inputWords else { return byte }
                top[-1] = UInt256(loading: inputStart + Int(offset.w0))
            case .pop: top -= 1
            case .load:
                let offset = top[-1]
                guard offset.isSmall, offset.w0 < memoryWords else { return byte }
                top[-1] = UInt256(loading: memory + Int(offset.w0))
            case .store:
                let offset = top[-1]
                guard offset.isSmall, offset.w0 < memoryWords else { return byte }
                top -= 2
                top[0].store(to: memory + Int(offset.w0))
            case .jump:
                top -= 1
                let target = top[0]
                guard target.isSmall, target.w0 < end,
                    Code.isDestination(Int(target.w0), destinations)
                else {
                    failure = .badJump
                    return nil
                }
                next = start + Int(target.w0)
            case .jumpIf:
                top -= 2
                guard !top[0].isZero else { continue }
                let target = top[1]
                guard target.isSmall, target.w0 < end,
                    Code.isDestination(Int(target.w0), destinations)
                else {
                    failure = .badJump
                    return nil
                }
                next = start + Int(target.w0)
            case .counter:
                top.pointee = UInt256(small: UInt64(next - start - 1))
                top += 1
            case .gas:
                top.pointee = UInt256(small: UInt64(gas))
                top += 1
            case .destination: break
            case .zero:
                top.pointee = .zero
                top += 1
            case .push:
                let number = UInt64(
                    bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self)
                )
                let count = Int(instruction.count)
                top.pointee = UInt256(small: number &>> UInt64(64 &- 8 &* count))
                top += 1
                next += count
            case .pushLong:
                let count = Int(instruction.count)
                top.pointee = UInt256(loading: next).shiftedRight(UInt64(256 &- 8 &* count))
                top += 1
                next += count
            case .copy:
                top.pointee = top[-Int(instruction.count)]
                top += 1
            case .swap:
                let other = -Int(instruction.count)
                (top[-1], top[other]) = (top[other], top[-1])
            }
        }
    }
}
