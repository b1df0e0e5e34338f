import DexCore
import DexRelay
import Logging

/// Takes over the keys of clients that the operator adds and removes while the relay runs.
struct KeyWatch: Sendable {
    /// Between two looks at the file, and two beats of an instance.
    static let milliseconds: UInt64 = 1_000

    let keys: RelayKeys
    let log: RelayLog
    let sleep: @Sendable (UInt64) async throws -> Void

    /// Follows a file until cancelled; a faulty one changes nothing.
    func run(_ file: KeyFile) async {
        var reading = ModerationWatch.Reading()
        var known: [RelayKey]?
        var isFaulty = false
        while !Task.isCancelled {
            do { try await sleep(Self.milliseconds) } catch { return }
            guard reading.isDue(file.identity) else { continue }
            do throws(DexError) {
                take(try file.keys(), &known)
                isFaulty = false
            } catch {
                reading.fail()
                if !isFaulty {
                    log.logger.error(
                        "The keys of clients are unchanged, since the file is faulty: \(error.message)"
                    )
                }
                isFaulty = true
            }
        }
    }

    /// Follows a store until cancelled, or until it is closed; while it is away the keys stay.
    func run(_ shared: any SharedKeys) async {
        var known: [RelayKey]?
        for await _ in shared.operatorWakeUps() {
            var isSilent = false
            while !Task.isCancelled {
                do throws(OrderStoreError) {
                    take(try await shared.keys(), &known)
                    break
                } catch {
                    if !isSilent {
                        log.logger.warning("The keys of clients stay as they are: \(error)")
                    }
                    isSilent = true
                }
                do { try await sleep(Self.milliseconds) } catch { return }
            }
        }
    }

    /// Says each second that this instance serves, and takes its share of the limits.
    ///
    /// While the store is away the last share stays.
    func beat(_ shared: any SharedKeys, instance: String) async {
        var known = 0
        while !Task.isCancelled {
            do throws(OrderStoreError) {
                let instances = try await shared.beat(instance)
                if instances != known {
                    keys.share(among: instances)
                    log.logger.debug("Instances that share the limits of clients: \(instances).")
                }
                known = instances
            } catch {
                log.logger.debug("The share of clients' limits stays as it is: \(error)")
            }
            do { try await sleep(Self.milliseconds) } catch { break }
        }
        do throws(OrderStoreError) {
            try await shared.leave(instance)
        } catch {
            // The others leave it out 5 s later.
            log.logger.debug("This instance stays in the store for 5 s: \(error)")
        }
    }

    private func take(_ read: [RelayKey], _ known: inout [RelayKey]?) {
        guard read != known else { return }
        known = read
        keys.replace(with: read)
        if !read.isEmpty { log.logger.notice("The keys of clients were read: \(read.count).") }
    }
}
