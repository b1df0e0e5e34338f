import DexCommandLine

/// All else is in `DexCommandLine`: so only the program is linked as programs are, tests are not.
@main
enum Main {
    static func main() async {
        await Program.run()
    }
}
