# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of foretime for bash: commands, their options, names in the store, files.

# The words that begin as the one at the cursor does.
_foretime_words() {
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "${COMP_WORDS[COMP_CWORD]}")
}

_foretime() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words i

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		_foretime_words "$(foretime help --names 2>/dev/null) --help --version"
		return
	fi
	for ((i = 2; i < COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} == -- ]]; then # the program and its arguments
			compopt -o default
			((i == COMP_CWORD - 1)) && mapfile -t COMPREPLY < <(compgen -c -- "$current")
			return
		fi
	done
	case $previous in
	--store | --output | -o | --trace | --sizes | --replay | --cases | --runs | --file | --predictions | --fit | --keep-from | --resources | --sinfo | --links | --progress | --progress-log | --progress-like | --table | --hosts | --folder | --into)
		compopt -o default
		return
		;;
	--method) words='adaptive gbbp gbbp_naive naive naive_bisect rand' ;;
	--resource | -r) words='wall_s cpu_s user_s system_s run_delay_s peak_rss_bytes peak_tree_bytes read_bytes written_bytes input_bytes output_bytes instructions cycles energy_j all' ;;
	--energy) words='rapl nvidia rapl,nvidia' ;;
	--meter-unit) words='W kW J kJ Wh kWh' ;;
	--class) words='laws power polylog' ;;
	--format)
		if [[ $command == export ]]; then
			words='csv json extrap extrap-lines knots'
		elif [[ $command == request ]]; then
			words='slurm sbatch-array pbs lsf htcondor snakemake nextflow tpv json'
		elif [[ $command == plan ]]; then
			words='multi-prog mpiexec parallel slurm snakemake starpu csv dot json'
		else
			words='csv snakemake nextflow sacct hyperfine gbench extrap extrap-lines foretime'
		fi
		;;
	--via)
		words='local mpiexec srun parallel'
		[[ $command == machine ]] && words='ssh'
		[[ $command == build ]] && words='slurm parallel mpiexec'
		;;
	--mode) words='dag concurrent sequential hybrid' ;;
	--load) words='idle usual now' ;;
	--start)
		if [[ $command == surrogate ]]; then
			words='nndsvd random ica'
		else
			compopt -o default
			words='best equal dp merge'
		fi
		;;
	--ends) words='fixed free' ;;
	--gaps) words='join break zero' ;;
	--smooth) words='auto' ;;
	--end) words='measured zero' ;;
	--solver) words='ols robust weighted simplex nmf bayes kernel ridge svr' ;;
	--climb) words='overlap strict' ;;
	--far) words='measure half skip' ;;
	--until) words='decided' ;;
	--least) words='time energy' ;;
	esac
	if [[ $words ]]; then
		_foretime_words "$words"
	elif [[ $current == -* ]]; then
		words=
		case $command in
		energy | kernel | load | machine | manager | plan | program | surrogate | trace) [[ ${COMP_WORDS[2]} != -* ]] && words=${COMP_WORDS[2]} ;;
		esac
		# shellcheck disable=SC2086 # an action, or none
		_foretime_words "$(foretime "$command" $words --help 2>/dev/null |
			grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+') --"
	elif [[ $command == help ]]; then
		_foretime_words "$(foretime help --names 2>/dev/null)"
	elif [[ $command == import ]]; then
		compopt -o default
	elif [[ $command == fit && COMP_CWORD -eq 2 ]]; then
		compopt -o default
		_foretime_words "$(foretime list --names 2>/dev/null)"
	elif [[ $command == largest && COMP_CWORD -gt 2 ]]; then
		compopt -o nospace
		_foretime_words 'time= memory= cpu_s= peak_rss_bytes='
	elif [[ $command == program && COMP_CWORD -eq 2 ]]; then
		_foretime_words 'set show unset'
	elif [[ $command == program && COMP_CWORD -eq 3 ]]; then
		_foretime_words "$(foretime list --names 2>/dev/null)"
	elif [[ $command == load ]]; then
		((COMP_CWORD == 2)) && _foretime_words 'record show plot judge'
	elif [[ $command == device ]]; then
		if ((COMP_CWORD == 2)); then
			_foretime_words 'list rank table'
		elif ((COMP_CWORD == 3)); then
			_foretime_words "$(foretime list --names 2>/dev/null)"
		fi
	elif [[ $command == machine ]]; then
		((COMP_CWORD == 2)) && _foretime_words 'calibrate list show compare link export import forget'
		[[ ${COMP_WORDS[2]} == import ]] && compopt -o default
	elif [[ $command == plan ]]; then
		compopt -o default
		if ((COMP_CWORD == 2)); then
			_foretime_words 'partition rank map schedule revise export'
		else
			_foretime_words "$(foretime list --names 2>/dev/null)"
		fi
	elif [[ $command == energy ]]; then
		compopt -o default
		((COMP_CWORD == 2)) && _foretime_words 'fit predict share peak sweet-spot curve'
	elif [[ $command == kernel ]]; then
		compopt -o default
		((COMP_CWORD == 2)) && _foretime_words 'features evaluate'
	elif [[ $command == surrogate && COMP_CWORD -eq 2 ]]; then
		_foretime_words 'matrix diagnose plot describe predict basis evaluate complexity compose'
	elif [[ $command == trace ]]; then
		if ((COMP_CWORD == 2)); then
			_foretime_words 'fit constrain phases plot show'
		else
			compopt -o default
		fi
	elif ((COMP_CWORD == 2)); then
		_foretime_words "$(foretime list --names 2>/dev/null)"
	fi
}
complete -F _foretime foretime
