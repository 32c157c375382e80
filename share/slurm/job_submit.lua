-- SPDX-License-Identifier: 0BSD
-- A site that has no job_submit.lua may take this one (beside slurm.conf; JobSubmitPlugins=lua); one that has puts the
-- two lines with foretime into its own.
local foretime = dofile("@datadir@/foretime/slurm/foretime.lua")

function slurm_job_submit(job_desc, part_list, submit_uid)
	foretime.submit(job_desc, part_list)
	return slurm.SUCCESS
end

function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
	return slurm.SUCCESS
end

return slurm.SUCCESS
