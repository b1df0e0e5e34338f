#compdef dex
# zsh completion of dex; save it as _dex in a folder of $fpath.
_dex() {
    local line value note
    local -a items
    for line in "${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        value=${line%%$'\t'*}
        note=${line#*$'\t'}
        case $value in
        '') ;;
        :files) _files; return ;;
        *) items+=("${value//:/\\:}${note:+:$note}") ;;
        esac
    done
    _describe -V dex items
}
# Called by its own name when it was autoloaded, sourced otherwise.
if [[ ${funcstack[1]} == _dex ]]; then _dex "$@"; else compdef _dex dex; fi
