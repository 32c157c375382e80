# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of foretime for bash: foretime itself says what may stand at the cursor.
_foretime() {
	local line word gap rest=$COMP_LINE at before words=() typed=()

	# bash parts words at = and : too; foretime has them whole. What no blank stands before belongs to the word before it.
	for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
		gap=${rest%%[![:blank:]]*}
		rest=${rest#"$gap$word"}
		if [[ -n $gap || ${#typed[@]} -eq 0 ]]; then typed+=("$word"); else typed[-1]+=$word; fi
	done
	while IFS= read -r line; do
		case $line in
		:files) compopt -o default ;;
		:commands) mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}") && return ;;
		:open) compopt -o nospace ;;
		*) words+=("${line%%$'\t'*}") ;;
		esac
	done < <("${typed[0]}" --complete "${typed[@]:1}" 2>/dev/null)
	# Only the last part is replaced: nothing of it is = or : itself.
	word=${typed[-1]}
	at=${COMP_WORDS[COMP_CWORD]}
	before=${word%"${at##*[=:]}"}
	mapfile -t COMPREPLY < <(compgen -W "${words[*]}" -- "$word")
	COMPREPLY=("${COMPREPLY[@]#"$before"}")
}
complete -F _foretime foretime
