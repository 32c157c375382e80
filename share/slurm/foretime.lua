-- SPDX-License-Identifier: 0BSD
-- foretime.lua - fills in what a job asks of Slurm, where its user left it out, from files of foretime export NAME --format knots.
--
-- A job says which program it runs, and how large: sbatch --comment foretime:NAME,n=20000 job.sh; or in its script, before the
-- first argument is known: #FORETIME NAME n=$1. What is filled is told to the user, and stands in AdminComment.
--
-- In the site's own job_submit.lua (slurmctld), and in cli_filter.lua (the user's own sbatch, srun, salloc):
--
--	local foretime = dofile("/usr/share/foretime/slurm/foretime.lua")
--	foretime.folder = "/var/lib/foretime/knots/"       -- NAME.knots, written by root, or who may decide for users
--	foretime.submit(job_desc, part_list)               -- in slurm_job_submit
--	foretime.filter(options)                           -- in slurm_cli_pre_submit: files of the user's own
--
-- Nothing here rejects a job, raises an error, starts a program or opens a socket; what cannot be read, is not known or has
-- expired leaves the job as it was. For Lua 5.1 to 5.4, with which Slurm may be linked.
local M = {
	folder = "/var/lib/foretime/knots/",
	least_minutes = 1, -- a limit is never below
	least_mb = 16,
	most_mb = nil, -- memory is not filled beyond: no node has more, and Slurm would refuse the job
	partitions = true, -- those that are as good as the best one are filled, too
	keep_s = 10, -- a file is read again after so long
	now = os.time,
}
local longest, most_knots, most_names, script_bytes, said_bytes = 262144, 4096, 1000, 65536, 1000

-- ---- files ------------------------------------------------------------------------------------------------

-- A number that can be a size or a cost; nil: none. No hexadecimals, no infinities, whatever strtod takes.
local function number(text)
	if not text or #text > 40 or not text:match("^%d+%.?%d*[eE]?[+-]?%d*$") then
		return nil
	end
	local value = tonumber(text)
	return value and value >= 0 and value < 1e300 and value or nil
end

-- One that may have a sign: what is fixed may be below 0.
local function signed(text)
	local sign, rest = tostring(text or ""):match("^([+-]?)(.*)$")
	local value = number(rest)
	return value and (sign == "-" and -value or value)
end

local heads = {
	parameter = function(model, rest)
		model.parameter = rest:match("^([%a_][%w_]*)$")
	end,
	fixed = function(model, rest)
		local name, value = rest:match("^([%a_][%w_]*) (%S+)$")
		model.fixed[name or ""] = signed(value) or false
	end,
	expires = function(model, rest)
		model.expires = number(rest)
	end,
	risk = function(model, rest)
		model.risk = number(rest)
	end,
	cpus = function(model, rest)
		model.cpus = number(rest)
	end,
	["end"] = function(model, rest)
		model.ended = number(rest) == #model
	end,
}

local function take_knot(model, rest)
	local at, most_s, bytes = rest:match("^(%S+) %S+ (%S+) (%S+)$")
	at = number(at)
	local last = model[#model]
	if not at or at <= 0 or #model >= most_knots or (last and at <= last.at) then
		return false
	end
	model[#model + 1] = { at = at, most_s = number(most_s), bytes = number(bytes) }
	return true
end

-- Behind a knot: partitions of which none is better than the others there, and what suffices in each.
local function take_alike(model, rest)
	local list, most_s, bytes = rest:match("^(%S+) (%S+) (%S+)$")
	local knot = model[#model]
	if not knot or not list or #list > 1000 then
		return false
	end
	knot.alike = { list = list, most_s = number(most_s), bytes = number(bytes) }
	return true
end

-- The text of a file as a model; nil and why not. Lines that begin with other words are of later versions, and passed over.
function M.parse(text)
	if not text:match("^foretime%-knots 1\n") then
		return nil, "no file of knots"
	end
	local model = { fixed = {} }
	for line in text:gmatch("([^\n]*)\n") do
		local word, rest = line:match("^(%S+) (.*)$")
		if model.ended ~= nil then
			return nil, "more behind its end"
		elseif word == "knot" then
			if not take_knot(model, rest) then
				return nil, "a knot that cannot be"
			end
		elseif word == "alike" then
			if not take_alike(model, rest) then
				return nil, "partitions of no knot"
			end
		elseif word and heads[word] then
			heads[word](model, rest)
		end
	end
	if not model.ended or #model == 0 or not model.parameter or not model.expires then
		return nil, "not whole"
	end
	return model
end

function M.read(path)
	local file = io.open(path, "r")
	if not file then
		return nil, "there is none"
	end
	local text = file:read(longest + 1)
	file:close()
	if not text or #text > longest then
		return nil, "too long, or a folder"
	end
	return M.parse(text)
end

local cache, cached = {}, 0

local function model_of(folder, name)
	local path, now = folder .. name .. ".knots", M.now()
	local known = cache[path]
	if not known or now < known.at or now - known.at >= M.keep_s then
		if not known then
			cached = cached + 1
		end
		if cached > most_names then -- names are what users say
			cache, cached = {}, 1
		end
		known = { at = now, model = M.read(path) }
		cache[path] = known
	end
	if known.model and now < known.model.expires then
		return known.model
	end
	return nil
end

-- ---- answers ----------------------------------------------------------------------------------------------

-- Between two knots logarithms lie on a line.
local function between(a, b, share)
	if not a or not b then
		return nil
	end
	return a > 0 and b > 0 and a * (b / a) ^ share or math.max(a, b)
end

-- Partitions of the knot above a size; what suffices in them at both its knots, where these tell the same ones.
local function alike_of(a, b)
	local best = b.alike
	if not best or not best.most_s then
		return nil
	end
	local first = a.alike and a.alike.list == best.list and a.alike or best
	local function larger(x, y)
		return x and y and math.max(x, y)
	end
	return { list = best.list, most_s = larger(first.most_s, best.most_s), bytes = larger(first.bytes, best.bytes) }
end

-- Seconds and bytes to ask for, and the same for partitions as take_alike has it; nil: not known. Below the knots as at the
-- first, beyond them nothing.
function M.answer(model, size)
	local at = size[model.parameter]
	if not at or at <= 0 or at > model[#model].at then
		return nil
	end
	for name in pairs(size) do
		if name ~= model.parameter and model.fixed[name] == nil then
			return nil
		end
	end
	for name, value in pairs(model.fixed) do
		if value == false or (size[name] and size[name] ~= value) then
			return nil
		end
	end
	if at <= model[1].at then
		return model[1].most_s, model[1].bytes, alike_of(model[1], model[1])
	end
	local low, high = 1, #model
	while high - low > 1 do
		local middle = math.floor((low + high) / 2)
		if model[middle].at <= at then
			low = middle
		else
			high = middle
		end
	end
	local a, b = model[low], model[high]
	local share = math.log(at / a.at) / math.log(b.at / a.at)
	return between(a.most_s, b.most_s, share), between(a.bytes, b.bytes, share), alike_of(a, b)
end

-- "NAME,n=20000" or "NAME n=$1" as a name, sizes and the words with arguments filled in; nil: it says nothing that can be.
-- The text is a stranger's, and slurmctld waits: one pass of a pattern that never tries again splits it, and more than
-- said_bytes of words are refused, for a part of them would be another job.
function M.words(text, argument)
	local words, bytes, size = {}, 0, {}
	for word in text:gmatch("[^%s,]+") do
		bytes = bytes + #word + 1
		if bytes > said_bytes then
			return nil
		end
		words[#words + 1] = word
	end
	local name = words[1]
	if not name or #name > 200 or not name:match("^[%w_][%w_.-]*$") then -- it becomes part of a path
		return nil
	end
	for i = 2, #words do
		local key, value = words[i]:match("^([%a_][%w_]*)=(%S+)$")
		if not key then
			return nil
		end
		local place = value:match("^%$(%d)$")
		value = place and argument and argument(tonumber(place)) or value
		words[i] = key .. "=" .. tostring(value)
		value = signed(value)
		if not value or size[key] then
			return nil
		end
		size[key] = value
	end
	return name, size, words
end

local function in_minutes(seconds)
	return seconds and seconds < 3e7 and math.max(M.least_minutes, math.ceil(seconds / 60)) or nil
end

local function in_mb(bytes)
	local mb = bytes and bytes < 1e15 and math.max(M.least_mb, math.ceil(bytes / 1048576)) or nil
	return not (mb and M.most_mb and mb > M.most_mb) and mb or nil
end

-- What to ask for by what a job says of itself: minutes, MiB, processors, and a line about it; nil: nothing. choose: a
-- function that says which of the partitions in a list may be filled in, nil: none; what they need is then asked for.
local function needs(folder, text, argument, choose)
	local name, size = M.words(text, argument)
	local model = name and model_of(folder, name)
	if not model then
		return nil
	end
	local seconds, bytes, alike = M.answer(model, size)
	local list = alike and M.partitions and choose and choose(alike.list, in_minutes(alike.most_s))
	if list then
		seconds, bytes = alike.most_s, alike.bytes
	end
	local minutes, mb = in_minutes(seconds), in_mb(bytes)
	local cpus = (minutes or mb) and model.cpus and model.cpus >= 1 and model.cpus < 10000 and math.floor(model.cpus)
	local risk = model.risk and string.format(", at a risk of %g %%", 100 * model.risk) or ""
	return minutes, mb, cpus or nil, " for " .. name .. risk, list
end

-- ---- job_submit -------------------------------------------------------------------------------------------

-- The comment, else the first line #FORETIME of the script that says something, without the remark (" #...") behind it. A
-- line that is cut by script_bytes is none: its last number may be cut, too.
local function said(job)
	local text = job.comment and job.comment:match("^foretime:(.*)$")
	if text or not job.script then
		return text
	end
	local script = "\n" .. job.script:sub(1, script_bytes) .. (#job.script <= script_bytes and "\n" or "")
	local _, mark = script:find("\n#FORETIME", 1, true)
	while mark do
		local last = script:find("\n", mark + 1, true)
		local line = last and script:sub(mark + 1, last - 1)
		local words = line and line:find("^%s") and line:sub(1, (line:find("%s#") or 0) - 1)
		if words and words:find("%S") then
			return words
		end
		_, mark = script:find("\n#FORETIME", mark + 1, true)
	end
	return nil
end

-- Longer than a partition that it names allows: such a limit would keep the job waiting for ever, or be refused.
local function too_long(job, parts, minutes)
	local named = {}
	for name in (job.partition or ""):gmatch("[^,%s]+") do
		named[name] = true
	end
	for name, part in pairs(parts or {}) do
		local meant = named[name] or job.partition == nil and (part.flag_default == 1 or part.flag_default == true)
		if meant and part.max_time and part.max_time < slurm.NO_VAL - 1 and minutes > part.max_time then
			return true
		end
	end
	return false
end

-- Of a list those that the user may use and that let a job run so long; nil: there is no choice among them.
local function usable(parts, list, minutes)
	local some = {}
	for name in list:gmatch("[^,]+") do
		local part = parts and parts[name]
		if part and not (part.max_time and part.max_time < slurm.NO_VAL - 1 and (minutes or 0) > part.max_time) then
			some[#some + 1] = name
		end
	end
	return #some > 1 and table.concat(some, ",") or nil
end

local function is_unset(value, ...)
	for i = 1, select("#", ...) do
		if value == (select(i, ...)) then
			return true
		end
	end
	return value == nil
end

-- What a job says of itself, as the harvest reads it in the accounts, which know no arguments, and no script: into the
-- comment where the user wrote none, else in front of what is filled in.
-- (of cli_filter: FORETIME_JOB, which nobody else sees)
local function resolved(text, argument)
	local _, _, words = M.words(text, argument)
	return words and "foretime:" .. table.concat(words, ",")
end

local function note(job, text)
	local before = job.admin_comment
	job.admin_comment = before and before ~= "" and before .. "; " .. text or text
end

local function tell_harvest(job, text, argument)
	local own = job.comment and job.comment ~= ""
	if own and job.comment:match("^foretime:") and not text:find("$", 1, true) then
		return
	end
	local words = resolved(text, argument)
	if words and own then
		note(job, words)
	elseif words then
		job.comment = words
	end
end

local function fill(job, parts)
	local text = said(job)
	if not text then
		return
	end
	local function argument(place)
		return job.argv and job.argv[place]
	end
	tell_harvest(job, text, argument)
	if not is_unset(job.min_nodes, slurm.NO_VAL) and job.min_nodes > 1 then -- runs were on one
		return
	end
	-- Not where the user chose a partition, or nodes by another way.
	local function choose(list, most)
		local free = is_unset(job.partition, "") and is_unset(job.req_nodes, "") and is_unset(job.features, "") and is_unset(job.reservation, "")
			and job.time_limit == slurm.NO_VAL
		return free and usable(parts, list, most) or nil
	end
	local minutes, mb, cpus, about, list = needs(M.folder, text, argument, choose)
	local told = {}
	if list then
		job.partition = list
		told[1] = "--partition=" .. list
	end
	if minutes and job.time_limit == slurm.NO_VAL and not too_long(job, parts, minutes) then
		job.time_limit = minutes
		told[#told + 1] = "--time=" .. string.format("%d", minutes)
	end
	if mb and job.pn_min_memory == slurm.NO_VAL64 and job.mem_per_tres == nil then
		job.pn_min_memory = mb
		told[#told + 1] = string.format("--mem=%dM", mb)
	end
	if cpus and cpus > 1 and is_unset(job.cpus_per_task, slurm.NO_VAL16) and is_unset(job.num_tasks, slurm.NO_VAL) then
		job.cpus_per_task = cpus
		job.min_cpus = cpus
		told[#told + 1] = string.format("--cpus-per-task=%d", cpus)
	end
	if #told == 0 then
		return
	end
	text = "foretime: " .. table.concat(told, " ") .. about
	note(job, text)
	slurm.log_user("%s", text)
end

function M.submit(job, parts)
	local good, why = pcall(fill, job, parts)
	if not good then
		pcall(slurm.log_info, "foretime: %s", tostring(why))
	end
end

-- ---- cli_filter -------------------------------------------------------------------------------------------

-- Slurm 22.05 shows a time that was not given as 4294967294 minutes.
local function is_given(value)
	return value ~= nil and value ~= "" and value ~= "-2" and not tostring(value):match("^2982616%-")
end

local function own_folder()
	local data, home = os.getenv("XDG_DATA_HOME"), os.getenv("HOME")
	return os.getenv("FORETIME_KNOTS") or (data and data ~= "" and data or (home or "") .. "/.local/share") .. "/foretime/knots"
end

local function fill_options(options)
	local text = options["comment"] and options["comment"]:match("^foretime:(.*)$") or os.getenv("FORETIME_JOB")
	if not text then
		return
	end
	if not is_given(options["comment"]) then
		options["comment"] = resolved(text)
	end
	local minutes, mb, _, about = needs(own_folder() .. "/", text)
	local told = {}
	if minutes and not is_given(options["time"]) then
		options["time"] = string.format("%d", minutes)
		told[#told + 1] = "--time=" .. options["time"]
	end
	if mb and not is_given(options["mem"]) and not is_given(options["mem-per-cpu"]) and not is_given(options["mem-per-gpu"]) then
		options["mem"] = string.format("%dM", mb)
		told[#told + 1] = "--mem=" .. options["mem"]
	end
	if #told > 0 then
		slurm.log_info("%s", "foretime: " .. table.concat(told, " ") .. about)
	end
end

function M.filter(options)
	pcall(fill_options, options)
end

return M
