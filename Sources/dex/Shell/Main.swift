import DexCore
import DexNetwork
import Glibc

@main
enum Main {
    static func main() async {
        Descriptors.reserveStandard()
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Scripts ask for the version often: nothing is set up for that.
        if arguments == ["--version"] {
            exit(Console.print(version: Dex.version).rawValue)
        }
        if let shortage = Descriptors.shortage() ?? MemoryLimit.shortage() {
            exit(
                CommandRunner(arguments: arguments, environment: .process).refused(shortage)
                    .rawValue
            )
        }
        // The sandbox is a server that keeps a whole chain, and goes on until it is ended.
        let moved = LeadingOptions.moved(arguments)
        if moved.first != SandboxCommand.name {
            MemoryLimit.set(isJSON: CommandRunner.wantsJSON(arguments))
        }
        if arguments.first == AgentCommand.name {
            AgentConfinement.confineFiles(.process)
        }
        if Dex.talksToServers(arguments) { CurlTransport.prepare() }
        let runner = CommandRunner(arguments: moved, environment: .process)
        let status = await Interruption.run { interruption in
            await runner.run(interruption)
        }
        Terminal.showTyping()
        // Threads that wait (libcurl's, the signals') may still run: what exit(3) tears down for the
        // libraries would be pulled from under them. All output is written already.
        fflush(nil)
        _exit(status.rawValue)
    }
}
