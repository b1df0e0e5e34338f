import CFuzzer
import Dispatch
import Glibc
import Synchronization

// What `scripts/fuzz` runs:
//
//   dex-fuzz --list                   the targets, their longest inputs, their slowness
//   dex-fuzz --seeds TARGET FOLDER    writes the target's seeds
//   DEX_FUZZ_TARGET=TARGET dex-fuzz   libFuzzer with its own arguments
//
// The target is named by the environment, since libFuzzer starts itself again with its arguments.

/// Writes a line to standard error, unbuffered, since an abort may follow.
func tell(_ message: String) {
    let line = Array((message + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

func fail(_ message: String) -> Never {
    tell("dex-fuzz: \(message)")
    exit(2)
}

func target(_ name: String) -> FuzzTarget {
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        fail("there is no target \"\(name)\"; see --list")
    }
    return target
}

/// Runs a suspending check to its end on this thread's time.
func wait(for target: FuzzTarget, _ input: [UInt8]) -> String? {
    let done = DispatchSemaphore(value: 0)
    let problem = Mutex<String?>(nil)
    Task.detached {
        do {
            try await target.run(input)
        } catch {
            problem.withLock { $0 = String(describing: error) }
        }
        done.signal()
    }
    done.wait()
    return problem.withLock { $0 }
}

/// What an input breaks; nil where everything holds.
func problem(_ target: FuzzTarget, _ input: [UInt8]) -> String? {
    guard case .plain(let check) = target.check else { return wait(for: target, input) }
    do {
        try check(input)
        return nil
    } catch {
        return String(describing: error)
    }
}

func writeSeeds(of target: FuzzTarget, to folder: String) throws {
    for (index, seed) in try target.seeds().enumerated() {
        let number = String(index)
        let name = String(repeating: "0", count: max(0, 2 - number.count)) + number
        guard let file = fopen("\(folder)/seed-\(name)", "wb") else {
            fail("cannot write \(folder)")
        }
        fwrite(seed, 1, seed.count, file)
        fclose(file)
    }
}

/// The target of this process; libFuzzer's callback takes no other arguments.
let chosen = Mutex<FuzzTarget?>(nil)

func run() throws -> Int32 {
    let arguments = CommandLine.arguments
    if arguments.count == 2, arguments[1] == "--list" {
        for target in FuzzTarget.all {
            puts("\(target.name) \(target.maximumLength) \(target.slowness)")
        }
        return 0
    }
    if arguments.count == 4, arguments[1] == "--seeds" {
        try writeSeeds(of: target(arguments[2]), to: arguments[3])
        return 0
    }
    guard let name = getenv("DEX_FUZZ_TARGET") else { fail("DEX_FUZZ_TARGET names no target") }
    let target = target(String(cString: name))
    chosen.withLock { $0 = target }
    var count = CommandLine.argc
    var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    return LLVMFuzzerRunDriver(&count, &pointer) { data, size in
        let input = Array(UnsafeBufferPointer(start: data, count: size))
        guard let target = chosen.withLock({ $0 }) else { abort() }
        if let problem = problem(target, input) {
            tell("VIOLATION of \(target.name): \(problem)")
            abort()
        }
        return 0
    }
}

do {
    exit(try run())
} catch {
    fail(String(describing: error))
}
