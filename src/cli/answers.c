/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answers.c - what --json prints, of all commands. */
#include "cli/answers.h"
#include "tell/export.h"
#include "tell/largest.h"
#include "tell/list.h"
#include "tell/manager.h"
#include "tell/overhead.h"
#include "tell/plan.h"
#include "tell/predict.h"
#include "tell/request.h"

const struct ft_tell_record *const cli_answers[] = {
	&cli_build_told,
	&cli_build_steps_told,
	&cli_doctor_told,
	&cli_energy_fit_told,
	&cli_energy_predict_told,
	&cli_energy_share_told,
	&cli_energy_peak_told,
	&cli_energy_spot_told,
	&cli_energy_curve_told,
	&ft_tell_export,
	&cli_fit_told,
	&cli_help_told,
	&cli_import_told,
	&ft_tell_largest,
	&ft_tell_list,
	&cli_load_show_told,
	&cli_load_judge_told,
	&cli_machine_calibrate_told,
	&cli_machine_list_told,
	&cli_machine_show_told,
	&cli_machine_compare_told,
	&cli_machine_link_told,
	&cli_machine_import_told,
	&cli_machine_forget_told,
	&ft_tell_overhead,
	&ft_tell_partition,
	&ft_tell_live,
	&ft_tell_ranks,
	&ft_tell_map,
	&ft_tell_schedule,
	&ft_tell_revise,
	&ft_tell_health,
	&ft_tell_put,
	&ft_tell_day,
	&ft_tell_benchmarks,
	&ft_tell_event,
	&cli_plot_told,
	&ft_tell_predict,
	&cli_program_told,
	&ft_tell_request,
	&ft_tell_server,
	&cli_rm_told,
	&cli_run_told,
	&cli_show_told,
	&cli_surrogate_matrix_told,
	&cli_surrogate_diagnose_told,
	&cli_surrogate_describe_told,
	&cli_surrogate_predict_told,
	&cli_surrogate_basis_told,
	&cli_surrogate_evaluate_told,
	&cli_surrogate_complexity_told,
	&cli_surrogate_compose_told,
	&cli_trace_fit_told,
	&cli_trace_constrain_told,
	&cli_trace_phases_told,
	&cli_trace_show_told,
	&cli_verify_told,
	NULL,
};
