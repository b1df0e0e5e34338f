import DexCore

/// Ours, not ArgumentParser's of the same name.
typealias ExitCode = DexCore.ExitCode
