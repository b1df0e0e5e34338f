import DexCore
import DexRelay
import Logging
import Synchronization
import ZeroEx

/// Reads a relay's settings again; a faulty file changes nothing.
struct SettingsReload: Sendable {
    /// Reads and checks the file.
    let read: @Sendable () throws(DexError) -> RelaySettings
    let contracts: [ProtocolVersion: ExchangeContracts]
    let live: [ProtocolVersion: LiveConfiguration]
    let log: RelayLog

    /// Takes what is reloadable, names what waits for a restart, and says so in the log.
    ///
    /// - Parameters:
    ///   - current: the settings in use.
    ///   - started: those that the relay started with.
    /// - Returns: the settings in use from now on.
    func reload(_ current: RelaySettings, started: RelaySettings) -> RelaySettings {
        let logger = log.logger
        let next: RelaySettings
        var configurations: [ProtocolVersion: RelayConfiguration] = [:]
        do throws(DexError) {
            next = try read()
            // A version that appears only now waits for the restart.
            for version in live.keys where next.network(version) != nil {
                guard let contracts = contracts[version] else { continue }
                configurations[version] = try next.configuration(version, contracts: contracts)
            }
        } catch {
            let hint = error.hint.map { " \($0)" } ?? ""
            logger.error(
                "The settings are unchanged, since the file is faulty: \(error.message)\(hint)"
            )
            return current
        }
        for (version, configuration) in configurations {
            live[version]?.replace(settings: configuration)
        }
        log.level = next.logLevel
        let changed = current.changed(in: next)
        logger.notice(
            changed.isEmpty
                ? "The settings were read again; nothing that can be taken now has changed."
                : "The settings were read again; changed: \(changed.joined(separator: ", "))."
        )
        let waiting = started.waiting(for: next)
        if !waiting.isEmpty {
            logger.warning(
                "These changes wait for a restart of the relay: \(waiting.joined(separator: ", "))."
            )
        }
        return next
    }
}
