import Ethereum

extension Machine {
    /// Begins a creation inside a frame whose stack has what it takes.
    ///
    /// - Returns: how the frame goes on elsewhere; nil if it just goes on.
    func enterCreation(_ frame: Frame, hasSalt: Bool) -> Exit? {
        guard !frame.isStatic else { return .fail }
        frame.top -= hasSalt ? 4 : 3
        let top = frame.top
        let shift = hasSalt ? 1 : 0
        let (value, offset, size) = (top[2 + shift], top[1 + shift], top[shift])
        guard pays(frame, offset, size), size.w0 <= UInt64(SizeLimit.initCode) else {
            return .fail
        }
        let words = Int64((size.w0 + 31) / 32)
        frame.gas -= words * (prices.initCodeWord + (hasSalt ? prices.keccakWord : 0))
        guard frame.gas >= 0 else { return .fail }
        frame.returned = []
        let creator = frame.account
        guard depth < Self.maximumDepth, creator.balance >= value, creator.nonce < .max else {
            return push(.zero, frame)
        }
        let code = frame.memory.bytes(offset, size)
        let address =
            hasSalt
            ? Self.address(of: creator.address, salt: top[0], code: code)
            : Message.contract(of: creator.address, nonce: creator.nonce)
        guard let account = world.account(address) else { return .unknown }
        let given = frame.gas - frame.gas / 64
        frame.gas -= given
        world.set(nonce: creator.nonce + 1, of: creator)
        _ = world.warm(account)
        guard !account.isOccupied else { return push(.zero, frame) }
        let inner = begin(at: depth + 1, account, Code(code), world.checkpoint)
        (inner.caller, inner.value, inner.input) = (creator.address, value, [])
        (inner.gas, inner.isStatic, inner.isCreation) = (given, false, true)
        world.create(account)
        world.transfer(value, from: creator, to: account)
        return .enter
    }

    /// Begins a call inside a frame whose stack has what it takes.
    ///
    /// - Parameter byte: of CALL, CALLCODE, DELEGATECALL or STATICCALL.
    /// - Returns: as `enterCreation`.
    func enterCall(_ frame: Frame, _ byte: UInt8) -> Exit? {
        let (isCall, isCallCode, isDelegate, isStaticCall) = (
            byte == 0xF1, byte == 0xF2, byte == 0xF4, byte == 0xFA
        )
        let hasValue = isCall || isCallCode
        frame.top -= hasValue ? 7 : 6
        let top = frame.top
        let wanted = top[hasValue ? 6 : 5]
        let address = Address(truncating: top[hasValue ? 5 : 4].word)
        let value = hasValue ? top[4] : .zero
        guard !frame.isStatic || !isCall || value.isZero else { return .fail }
        guard pays(frame, top[3], top[2]), pays(frame, top[1], top[0]) else { return .fail }
        guard let account = world.account(address) else { return .unknown }
        var price = access(account)
        if !value.isZero {
            price += prices.callValue
            if isCall, account.isEmpty { price += prices.newAccount }
        }
        frame.gas -= price
        guard frame.gas >= 0 else { return .fail }
        guard let own = world.code(of: account) else { return .unknown }
        if let delegate = delegate(of: own) {
            guard let other = world.account(delegate) else { return .unknown }
            frame.gas -= access(other)
            guard frame.gas >= 0 else { return .fail }
        }
        guard let code = executed(by: account) else { return .unknown }
        let maximum = frame.gas - frame.gas / 64
        var given = wanted.isSmall && wanted.w0 <= UInt64(maximum) ? Int64(wanted.w0) : maximum
        frame.gas -= given
        if !value.isZero { given += prices.callStipend }
        frame.answer = (top[0].isZero ? 0 : Int(top[1].w0), Int(top[0].w0))
        guard depth < Self.maximumDepth, value.isZero || frame.account.balance >= value else {
            frame.gas += given
            frame.returned = []
            return push(.zero, frame)
        }
        let checkpoint = world.checkpoint
        let input = frame.memory.bytes(top[3], top[2])
        if isCall { world.transfer(value, from: frame.account, to: account) }
        if isStaticCall { world.touch(account) }
        if let number = account.precompile {
            switch run(number, input, gas: given) {
            case .answer(let output, let price):
                frame.gas += given - price
                frame.returned = output
                frame.memory.write(output, at: frame.answer.offset, atMost: frame.answer.size)
                return push(UInt256(true), frame)
            case .fail:
                world.revert(to: checkpoint)
                frame.returned = []
                return push(.zero, frame)
            case .unsupported: return .unknown
            }
        }
        guard code.count > 0 else {
            frame.gas += given
            frame.returned = []
            return push(UInt256(true), frame)
        }
        let runs = isCall || isStaticCall ? account : frame.account
        let inner = begin(at: depth + 1, runs, code, checkpoint)
        inner.caller = isDelegate ? frame.caller : frame.account.address
        inner.value = isDelegate ? frame.value : value
        (inner.input, inner.gas) = (input, given)
        inner.isStatic = frame.isStatic || isStaticCall
        return .enter
    }

    func selfDestruct(_ frame: Frame, heir address: Address) -> Exit {
        guard let heir = world.account(address) else { return .unknown }
        let account = frame.account
        if !world.warm(heir) { frame.gas -= prices.coldAccount }
        if !account.balance.isZero, heir.isEmpty { frame.gas -= prices.newAccount }
        guard frame.gas >= 0 else { return .fail }
        if heir !== account {
            world.transfer(account.balance, from: account, to: heir)
        } else if account.isNew {
            // To itself it is burnt.
            world.set(balance: .zero, of: account)
        }
        world.touch(heir)
        world.touch(account)
        if account.isNew { world.destroy(account) }
        frame.output = []
        return .stop
    }

    // MARK: Prices

    /// What an account costs that is named, and from now on is warm.
    @inline(never)
    func access(_ account: Account) -> Int64 {
        world.warm(account) ? prices.warm : prices.coldAccount
    }

    /// Writes a word, with its refund.
    ///
    /// - Parameter gas: what is left for it; with less it is not written.
    /// - Returns: its price; nil if the word is not known.
    @inline(never)
    func store(
        _ word: UInt256,
        at slot: UInt256,
        of account: Account,
        gas: Int64
    ) -> Int64? {
        guard let (known, wasWarm) = world.word(slot, of: account) else { return nil }
        let (original, current) = (known.original, known.current)
        var price = wasWarm ? 0 : prices.coldSlot
        var refund: Int64 = 0
        if word == current {
            price += prices.warm
        } else if current == original {
            price += original.isZero ? prices.storageSet : prices.storageChange
            if !original.isZero, word.isZero { refund += prices.storageClearRefund }
        } else {
            price += prices.warm
            if !original.isZero {
                if current.isZero { refund -= prices.storageClearRefund }
                if word.isZero { refund += prices.storageClearRefund }
            }
            if word == original {
                refund +=
                    original.isZero ? prices.storageUnsetRefund : prices.storageRestoreRefund
            }
        }
        guard price <= gas else { return price }
        world.refund += refund
        if word != current { world.set(word: word, at: slot, of: account) }
        return price
    }

    /// Pays for memory; false if there is not enough gas.
    private func pays(_ frame: Frame, _ offset: UInt256, _ size: UInt256) -> Bool {
        guard let price = frame.memory.grow(to: offset, size, gas: frame.gas, prices) else {
            return false
        }
        frame.gas -= price
        return true
    }

    private func push(_ word: UInt256, _ frame: Frame) -> Exit? {
        frame.top.pointee = word
        frame.top += 1
        return nil
    }
}

extension Machine {
    /// A hash of the 256 blocks before; zero of any other.
    ///
    /// - Returns: nil if it is not known.
    func blockHash(_ number: UInt256) -> UInt256? {
        guard number.isSmall, number.w0 < block.number, block.number - number.w0 <= 256 else {
            return .zero
        }
        guard let hash = block.hashes[number.w0] else {
            world.miss(.blockHash(number.w0))
            return nil
        }
        return UInt256(hash.word)
    }

    /// COINBASE, TIMESTAMP, NUMBER, PREVRANDAO, GASLIMIT, CHAINID, BASEFEE, BLOBBASEFEE.
    func blockWord(_ byte: UInt8) -> UInt256 {
        switch byte {
        case 0x41:
            reads.insert(.coinbase)
            return UInt256(block.coinbase.word)
        case 0x42:
            reads.insert(.timestamp)
            return UInt256(small: block.timestamp)
        case 0x43:
            reads.insert(.number)
            return UInt256(small: block.number)
        case 0x44:
            reads.insert(.random)
            return block.random
        case 0x45:
            reads.insert(.gasLimit)
            return UInt256(small: block.gasLimit)
        case 0x46: return UInt256(small: block.chainID)
        case 0x48:
            reads.insert(.baseFee)
            return block.baseFee.rawValue
        default: return block.blobBaseFee.rawValue
        }
    }
}
