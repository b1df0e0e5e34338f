import Glibc
import ZeroEx

/// Prints the benchmarks of docs/architecture.md as ratios to a peer or a limit of the same run.
///
/// It exits with 1 if one is over its limit.
@main
struct Bench {
    static func main() async {
        guard CommandLine.arguments.count == 3 else {
            print("usage: dex-bench PATH-OF-DEX PYTHON-WITH-ETH-ACCOUNT")
            exit(2)
        }
        let binary = CommandLine.arguments[1]
        let python = CommandLine.arguments[2]
        let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        do {
            exit(try await run(binary: binary, python: python, cores: cores) ? 0 : 1)
        } catch {
            print("The benchmarks ended early: \(error)")
            exit(1)
        }
    }

    /// Every figure is within its limit.
    private static func run(
        binary: String,
        python: String,
        cores: Int
    ) async throws -> Bool {
        var isWithinLimits = true
        func show(_ measurements: [Measurement]) {
            for measurement in measurements {
                print(measurement.line)
                isWithinLimits = isWithinLimits && measurement.isWithinLimit
            }
        }

        print("\(cores) cores; ratios are what counts, times are noise on a shared machine")
        var verifications: [ProtocolVersion: VerificationBenchmark] = [:]
        for version in ProtocolVersion.allCases {
            let verification = try await VerificationBenchmark(version, cores: cores)
            show(try await verification.run())
            verifications[version] = verification
        }
        show(try await BookBenchmark.run(binary: binary, verifications: verifications))
        show(try SlowestBenchmark.run(binary: binary))
        show(try StartUpBenchmark.run(binary: binary))
        show([try UnlockBenchmark.run(binary: binary, python: python)])
        show(try await RoundTripBenchmark.run(binary: binary))
        return isWithinLimits
    }
}
