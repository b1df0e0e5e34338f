#compdef dex
# zsh completion of dex; save it as _dex in a folder of $fpath.
_dex() {
    local line value note
    local -a items
    # Words without the quotes of the line, as the program would get them.
    for line in "${(@f)$("${words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        value=${line%%$'\t'*}
        note=${line#*$'\t'}
        case $value in
        '') ;;
        :files) _files; return ;;
        *) value=${value//\\/\\\\}; items+=("${value//:/\\:}${note:+:$note}") ;;
        esac
    done
    # Without -Q zsh quotes what it puts on the line.
    _describe -V dex items
}
# Called by its own name when it was autoloaded, sourced otherwise.
if [[ ${funcstack[1]} == _dex ]]; then _dex "$@"; else compdef _dex dex; fi
