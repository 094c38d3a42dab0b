#!/bin/sh
# complete.sh PATC SHELL: completions for bash, zsh or fish, from the lines of --help, which the table of options makes.
set -e
patc=$1 shell=$2
commands=$("$patc" --help | sed -n '/^Also:/,/)/p' | grep -oE 'patc [a-z]+' | sed 's/patc //' | sort -u | tr '\n' ' ' | sed 's/ $//')

# options COMMAND: "name<tab>letter<tab>argument<tab>help" for each
options() {
	"$patc" $1 --help | awk '/^  -/ {
		text = $0; sub(/^  /, "", text)
		help = text; sub(/^[^ ]+( [A-Z][^ ]*)?  +/, "", help)
		word = text; sub(/  .*/, "", word)
		name = letter = argument = ""
		if (word ~ /^--/) {
			name = argument = substr(word, 3)
			if (!sub(/^[^=]*=/, "", argument))
				argument = ""
			sub(/\]$/, "", argument)
			sub(/\[?=.*/, "", name)
		} else { letter = substr(word, 2, 1); argument = substr(word, 4) }
		print name "\t" letter "\t" argument "\t" help
	}'
}
# words COMMAND: as they are typed
words() { options "$1" | awk -F '\t' '{ printf "%s%s%s", sep, $1 ? "--" $1 ($3 ? "=" : "") : "-" $2, ""; sep = " " }'; }
targets=$("$patc" --list-targets | awk '!seen[$1]++ { printf "%s%s", sep, $1; sep = " " }')
archs=$("$patc" --list-targets | grep -oE -- '--arch=[^ ]+' | sed 's/--arch=//' | tr '\n' ' ')

case $shell in
bash)
	echo "# Completions of patc for bash, made from its --help."
	echo '_patc() {'
	echo '	local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words'
	echo '	[ "$now" = = ] && now=""'
	echo '	[ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD-2]}'
	echo '	case $before in'
	echo "	--target | -target) COMPREPLY=(\$(compgen -W '$targets' -- \"\$now\")); return ;;"
	echo "	--arch) COMPREPLY=(\$(compgen -W '$archs' -- \"\$now\")); return ;;"
	echo '	esac'
	echo '	case ${COMP_WORDS[1]} in'
	for c in $commands; do
		echo "	$c) words='$(words $c)' ;;"
	done
	echo "	*) words='$(words "")'; [ \$COMP_CWORD = 1 ] && words=\"\$words $commands\" ;;"
	echo '	esac'
	echo '	case $now in'
	echo '	-*) COMPREPLY=($(compgen -W "$words" -- "$now")); [[ ${COMPREPLY[0]:-} = *= ]] && compopt -o nospace ;;'
	echo '	*) COMPREPLY=($(compgen -f -X "!*.@(pat|json|npy|sched)" -- "$now") $(compgen -d -- "$now") $([ $COMP_CWORD = 1 ] && compgen -W "'"$commands"'" -- "$now")) ;;'
	echo '	esac'
	echo '}'
	echo 'shopt -s extglob'
	echo 'complete -o filenames -F _patc patc'
	;;
zsh)
	echo '#compdef patc'
	echo '# Completions of patc for zsh, made from its --help.'
	echo '_patc() {'
	echo '	local -a options'
	echo '	case $words[2] in'
	for c in $commands ""; do
		echo "	${c:-*}) options=("
		options "$c" | awk -F '\t' -v q="'" '{ gsub(/\[/, "\\[", $4); gsub(/\]/, "\\]", $4); gsub(/:/, "\\:", $4); gsub(q, q "\\" q q, $4)
			gsub(/:/, "/", $3); if ($1) printf "\t\t%s--%s%s[%s]%s%s\n", q, $1, $3 ? "=" : "", $4, $3 ? ":" $3 ":_files" : "", q
			else printf "\t\t%s-%s+[%s]:%s:_files%s\n", q, $2, $4, $3 ? $3 : "value", q }'
		echo '	) ;;'
	done
	echo '	esac'
	echo "	(( CURRENT == 2 )) && compadd $commands"
	echo '	_arguments $options "*:file:_files"'
	echo '}'
	echo '_patc "$@"'
	;;
fish)
	echo '# Completions of patc for fish, made from its --help.'
	echo "complete -c patc -n __fish_use_subcommand -a '$commands'"
	for c in $commands ""; do
		when="not __fish_seen_subcommand_from $commands"
		[ -z "$c" ] || when="__fish_seen_subcommand_from $c"
		options "$c" | awk -F '\t' -v q="'" -v when="$when" '{ gsub(q, "\\" q, $4)
			printf "complete -c patc -n %s%s%s%s%s -d %s%s%s\n", q, when, q, $1 ? " -l " $1 : " -s " $2, $3 ? " -r" : "", q, $4, q }'
	done
	;;
esac
