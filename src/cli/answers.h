/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answers.h - what --json prints, of all commands: doc/schema is made of it (tools/schemas). */
#ifndef FT_CLI_ANSWERS_H
#define FT_CLI_ANSWERS_H

#include "tell/tell.h"

/* Of commands of one file. */
extern const struct ft_tell_record cli_build_decided_told, cli_build_told, cli_build_steps_told,
	cli_kernel_run_told, cli_energy_cap_told, cli_device_calibrate_told, cli_device_list_told,
	cli_device_rank_told, cli_device_static_told, cli_device_table_told, cli_doctor_told,
	cli_energy_curve_told, cli_energy_fit_told, cli_energy_peak_told, cli_energy_predict_told,
	cli_energy_share_told, cli_energy_spot_told, cli_help_told, cli_import_told, cli_load_import_told,
	cli_load_judge_told, cli_load_show_told, cli_machine_calibrate_told, cli_machine_compare_told,
	cli_machine_forget_told, cli_machine_import_told, cli_machine_link_told, cli_machine_list_told,
	cli_machine_show_told, cli_pack_told, cli_plot_told, cli_predict_when_told, cli_program_told,
	cli_rm_told, cli_run_told, cli_slurm_check_told, cli_slurm_harvest_told, cli_slurm_install_told,
	cli_slurm_models_told, cli_slurm_status_told, cli_surrogate_basis_told, cli_surrogate_complexity_told,
	cli_surrogate_compose_told, cli_surrogate_couple_told, cli_surrogate_describe_told,
	cli_surrogate_diagnose_told, cli_surrogate_evaluate_told, cli_surrogate_matrix_told,
	cli_surrogate_predict_told, cli_trace_constrain_told, cli_trace_fit_told, cli_trace_grow_told,
	cli_trace_phases_told, cli_trace_show_told, cli_verify_told;

/* Those of a command stand together; the last is NULL. */
extern const struct ft_tell_record *const cli_answers[];

#endif
