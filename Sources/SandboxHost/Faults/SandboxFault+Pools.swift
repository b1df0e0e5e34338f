extension SandboxFault {
    /// What is wrong with Uniswap's pools.
    package enum PoolFault: String, CaseIterable, Sendable {
        /// One block moves the price, and the next one moves it back.
        case moved
        /// A block moves the price and moves it back: only its logs show it.
        case within
        /// QuoterV2 answers more than the pools give.
        case quote
        /// A token keeps a part of each transfer.
        case fee
        /// There is next to nothing left to buy.
        case dry

        /// It is done when it was set: there is nothing to end.
        package var isMomentary: Bool { self == .moved || self == .within }

        /// It takes trades of the account that moves pools.
        var needsMover: Bool { self == .moved || self == .within || self == .dry }
    }
}
