/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answers.c - the rows of --json, for all commands. */
#include "cli/cli.h"
#include "tell/answers.h"

/*
 * The rows of --json. A command that runs out of memory ends.
 */

json_t *cli_json_array(void)
{
	return cli_given(json_array());
}

void cli_json_append(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		(void)cli_given(NULL);
}

json_t *cli_json_number(double value)
{
	return cli_given(ft_tell_number(value));
}

json_t *cli_json_text(const char *text)
{
	return cli_given(ft_tell_text(text));
}

json_t *cli_json_bool(bool value)
{
	return json_boolean(value);
}

void cli_json_print(json_t *value, FILE *file)
{
	if (file == stdout)
		cli_terminal_whole(true);
	if (ft_tell_print(value, file))
		(void)cli_given(NULL);
	if (file == stdout)
		cli_terminal_whole(false);
	json_decref(value);
}

json_t *cli_tell_json(const struct ft_tell_record *record, const void *answer,
		      const struct ft_tell_with *with)
{
	return cli_given(ft_tell_json(record, answer, with));
}

void cli_tell_csv(FILE *file, const struct ft_tell_record *record, const void *answer, size_t n,
		  const struct ft_tell_with *with, bool head)
{
	if (file == stdout)
		cli_terminal_whole(true);
	if (ft_tell_csv(file, record, answer, n, with, head))
		(void)cli_given(NULL);
	if (file == stdout)
		cli_terminal_whole(false);
}

void cli_tell(const struct ft_tell_record *record, const void *answer, const struct ft_tell_with *with)
{
	cli_json_print(cli_tell_json(record, answer, with), stdout);
}

const struct ft_tell_record *const cli_answers[] = {
	&cli_build_answer,
	&cli_build_steps_answer,
	&cli_build_decided_answer,
	&cli_device_calibrate_answer,
	&cli_device_list_answer,
	&cli_device_rank_answer,
	&cli_device_static_answer,
	&cli_device_table_answer,
	&cli_doctor_answer,
	&cli_energy_fit_answer,
	&cli_energy_predict_answer,
	&cli_energy_share_answer,
	&cli_energy_peak_answer,
	&cli_energy_cap_answer,
	&cli_energy_spot_answer,
	&ft_tell_export,
	&ft_tell_fit,
	&cli_help_answer,
	&cli_import_answer,
	&ft_tell_kernel,
	&cli_kernel_run_answer,
	&ft_tell_largest,
	&ft_tell_list,
	&cli_load_show_answer,
	&cli_load_judge_answer,
	&cli_load_import_answer,
	&cli_machine_calibrate_answer,
	&cli_machine_list_answer,
	&cli_machine_show_answer,
	&cli_machine_compare_answer,
	&cli_machine_link_answer,
	&cli_machine_import_answer,
	&cli_pack_answer,
	&cli_pack_jobs_answer,
	&ft_tell_partition,
	&ft_tell_live,
	&ft_tell_ranks,
	&ft_tell_map,
	&ft_tell_schedule,
	&ft_tell_revise,
	&ft_tell_health,
	&ft_tell_put,
	&ft_tell_stopped,
	&ft_tell_day,
	&ft_tell_benchmarks,
	&ft_tell_event,
	&cli_plot_answer,
	&ft_tell_predict,
	&cli_predict_when_answer,
	&cli_profile_answer,
	&cli_program_answer,
	&ft_tell_report,
	&ft_tell_request,
	&cli_request_profile_answer,
	&ft_tell_server,
	&cli_rm_answer,
	&cli_run_answer,
	&cli_run_end_answer,
	&ft_tell_show,
	&cli_slurm_harvest_answer,
	&cli_slurm_models_answer,
	&cli_slurm_install_answer,
	&cli_slurm_check_answer,
	&cli_slurm_status_answer,
	&cli_surrogate_matrix_answer,
	&cli_surrogate_diagnose_answer,
	&cli_surrogate_describe_answer,
	&cli_surrogate_predict_answer,
	&cli_surrogate_evaluate_answer,
	&cli_surrogate_complexity_answer,
	&cli_surrogate_compose_answer,
	&cli_surrogate_couple_answer,
	&cli_trace_fit_answer,
	&cli_trace_constrain_answer,
	&cli_trace_phases_answer,
	&cli_trace_grow_answer,
	&cli_trace_show_answer,
	&cli_verify_answer,
	&cli_verify_many_answer,
	&cli_verify_suite_answer,
	&cli_verify_growth_answer,
	NULL,
};
