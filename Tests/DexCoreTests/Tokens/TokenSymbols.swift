@testable import DexCoreTestSupport

/// Symbols that more than one mainnet contract uses, from the facts behind Resources/tokens.json.
enum TokenSymbols {
    /// One contract at most is in use; COSS and REP have none.
    static let replaced = """
        ADX ANT AURA BCAP CDAI COIN COSS CRPT DGTX DGX DNA DUBI EDU EXC FKX FUCK GANA HEX
        JOB KICK KNC LGO LOOM LRC LYM MESH MET MKR MLN MORPHO MVP MYST NIO NXX OCEAN OPEN
        ORN PAL PCL PRE QBIT REP RSR SKM SKRP SNX SUB SUSD SWM TICO TRX TUSD UTK VGX VIDT
        VRS WETH WHO YEED
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// Several contracts are in use.
    static let ambiguous = """
        A18 ACRV ADAI AIX ALI ALPHA APT ARB ARC ARX ATH ATTN AVA AVT AWBTC BEERCOIN BIT BKB
        BKN BLX BMC BNC BOB BOX BTL BTR BTT CAR CARD CAS CAT CCC CCS CDX CNDL CO2 CPT CTC
        CTX DAO DATA DEPO DEX DOW DRC DROP DRP DST DTX DUCK DYP EGT EUSD EVN FANX FARM FLMC
        FLX FTC FXC GMT GROW GTC HDP.Ф HOT IETH IMT INV INX JET KEY LA LCT LEMO LG LIZ LNC
        MEME MIT MNT MOC MTC MTL MUSD NAVI NCASH NCC NET NTK OHNI ORME OX PASS PAT PCH PEPE
        PLA POOL POP PRO PRPS QUICK RED RETH RNDR RPL SCC SENSE SEXY SGT SMT SOL SPC SPX SS
        SYN TBTC TEL TGT TIME TKN USC USDS UST WCT WIC XGG YUP
        """.split(whereSeparator: \.isWhitespace).map(String.init)
}
