-- SPDX-License-Identifier: 0BSD
-- A site that has no cli_filter.lua may take this one (beside slurm.conf; CliFilterPlugins=lua).
local foretime = dofile("@datadir@/foretime/slurm/foretime.lua")

function slurm_cli_setup_defaults(options, early_pass)
	return slurm.SUCCESS
end

function slurm_cli_pre_submit(options, pack_offset)
	foretime.filter(options)
	return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job_id, step_id)
	return slurm.SUCCESS
end

return slurm.SUCCESS
