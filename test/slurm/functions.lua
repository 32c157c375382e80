-- SPDX-License-Identifier: GPL-3.0-or-later
-- functions.lua - share/slurm/foretime.lua over files and jobs as they are: lua functions.lua SOURCE FOLDER. TAP.
-- FOLDER has cubic.knots, of foretime export, and may be written.
local source, folder = arg[1], arg[2] .. "/"
local count, failed = 0, 0

local function ok(good, what)
	count = count + 1
	failed = failed + (good and 0 or 1)
	print((good and "ok " or "not ok ") .. count .. " - " .. what)
end

-- What Slurm gives to its functions (slurm_lua.c, job_submit_lua.c of 22.05): the same numbers, the same places.
local told = {}
slurm = {
	SUCCESS = 0,
	NO_VAL = 4294967294,
	NO_VAL16 = 65534,
	NO_VAL64 = 18446744073709551614.0,
	log_user = function(form, ...)
		told[#told + 1] = form:format(...)
	end,
	log_info = function(form, ...)
		told[#told + 1] = form:format(...)
	end,
}
local foretime = dofile(source .. "/share/slurm/foretime.lua")
foretime.folder = folder

local function write(name, text)
	local file = assert(io.open(folder .. name, "w"))
	file:write(text)
	file:close()
end

local function job(comment, more)
	local out = {
		comment = comment,
		time_limit = slurm.NO_VAL,
		pn_min_memory = slurm.NO_VAL64,
		cpus_per_task = slurm.NO_VAL16,
		num_tasks = slurm.NO_VAL,
		min_cpus = 1,
		min_nodes = slurm.NO_VAL,
	}
	for key, value in pairs(more or {}) do
		out[key] = value
	end
	return out
end

local function same(a, b)
	for key, value in pairs(a) do
		if b[key] ~= value then
			return false
		end
	end
	for key in pairs(b) do
		if a[key] == nil then
			return false
		end
	end
	return true
end

local parts = { normal = { flag_default = 1, max_time = slurm.NO_VAL - 1 }, short = { flag_default = 0, max_time = 5 } }

-- Whether the job is left as it was, and nobody is told anything.
local function unchanged(comment, more)
	local before, after = job(comment, more), job(comment, more)
	told = {}
	local good = pcall(foretime.submit, after, parts)
	return good and same(before, after) and #told == 0
end

local function filled(comment, more)
	local after = job(comment, more)
	told = {}
	foretime.submit(after, parts)
	return after
end

-- ---- what is filled ------------------------------------------------------------------------------------------
local text = assert(io.open(folder .. "cubic.knots")):read("*a")
local cubic = assert(foretime.parse(text))
local last = cubic[#cubic]
local full = filled("foretime:cubic,n=" .. string.format("%.17g", last.at))
ok(full.time_limit == math.ceil(last.most_s / 60) and full.pn_min_memory == math.ceil(last.bytes / 1048576),
	"what was left out is filled, at a knot as it says")
ok(full.admin_comment and full.admin_comment:match("^foretime: %-%-time=%d+ %-%-mem=%d+M.* for cubic, at a risk of 1 %%$"),
	"AdminComment tells it")
ok(#told == 1 and told[1] == full.admin_comment, "and so is the user")
local small = filled("foretime:cubic,n=1")
ok(small.time_limit == 1 and small.pn_min_memory == math.max(16, math.ceil(cubic[1].bytes / 1048576)),
	"below the knots it is as at the first")
local given = filled("foretime:cubic,n=5000", { time_limit = 7 })
ok(given.time_limit == 7 and given.pn_min_memory ~= slurm.NO_VAL64 and not given.admin_comment:match("%-%-time"), "a time that was given stays")
given = filled("foretime:cubic,n=5000", { pn_min_memory = 9223372036854775808.0 + 500 })
ok(given.pn_min_memory == 9223372036854775808.0 + 500 and given.time_limit ~= slurm.NO_VAL, "so does memory per processor")
given = filled("foretime:cubic,n=5000", { admin_comment = "of the site" })
ok(given.admin_comment:match("^of the site; foretime: "), "and what the site says")
local script = filled(nil, { script = "#!/bin/sh\n#FORETIME cubic n=$1\n./cubic $1\n", argv = { [0] = "x", "5000" } })
ok(script.time_limit == filled("foretime:cubic,n=5000").time_limit, "a line of the script names the size by its argument")
ok(script.comment == "foretime:cubic,n=5000", "which the accounts know by the comment, where the user wrote none")
script = filled("mine", { script = "#!/bin/sh\n#FORETIME cubic n=$1\n", argv = { [0] = "x", "5000" } })
ok(script.comment == "mine" and script.admin_comment:match("^foretime:cubic,n=5000; foretime: %-%-time="), "else by the site's")
ok(filled("foretime:cubic,n=$1", { argv = { [0] = "x", "5000" } }).admin_comment:match("^foretime:cubic,n=5000; "), "so an argument in a comment")
local unseen = filled(nil, { script = "#FORETIME nobody n=$1,k=2\n", argv = { [0] = "x", "7" } })
ok(unseen.comment == "foretime:nobody,n=7,k=2" and unseen.admin_comment == nil, "also where there is no model yet")
unseen = filled(nil, { script = "#FORETIME ../nobody n=1;x\n" })
ok(unseen.comment == nil and unseen.admin_comment == nil, "but nothing that cannot be")
local function line(script)
	return filled(nil, { script = script, argv = { [0] = "x", "5000" } }).comment
end
ok(line("#FORETIME cubic n=$1 # as large as the mesh, n=7") == "foretime:cubic,n=5000", "a remark behind the line is none of its words")
ok(line("#FORETIME cubic n=5000\t#\r\n") == "foretime:cubic,n=5000", "an empty one, and a line that ends as in DOS")
ok(line("#FORETIME cubic n=5000#3\n") == nil, "a sign within a word is no remark")
ok(line("#FORETIME\ncubic n=5000\n") == nil, "words of the next line are not this one's")
ok(line("#FORETIME # later\n#FORETIMES x n=1\n#FORETIME \n#FORETIME cubic n=4\n") == "foretime:cubic,n=4", "a line that says nothing is passed over")
ok(line("#FORETIME cubic n=5000" .. (" "):rep(60000) .. "\n") == "foretime:cubic,n=5000", "blanks behind the line are nothing")
ok(line("#FORETIME cubic n=5000" .. (" "):rep(60000) .. "m=2\n") == "foretime:cubic,n=5000,m=2", "and between words no more than one")
ok(line("#FORETIME cubic " .. ("a"):rep(1000) .. "=1\n") == nil, "words of more than 1,000 bytes are refused: a part of them is another job")
ok(line(("\n"):rep(65536 - 20) .. "#FORETIME cubic n=500000000\n") == nil, "so is a line that is cut where a script is read no further")

-- Scripts and comments of a stranger: slurmctld waits for each of them. Processor time of Lua, not of the clock on the wall.
local dice = 11
local function throw(n)
	dice = (dice * 16807) % 2147483647
	return dice % n + 1
end
local pieces = { " ", "\t", ",", "\n", "#", "=", "$1", "n=", "a", "5", "n=5 ", "\n#FORETIME", "\n#FORETIME ", "\n#FORETIME cubic", " #", "\r\n", "\0" }
-- Of every other one the first three pieces alone: words that can be, and very far between.
local slowest, what = 0, 0
for i = 1, 200 do
	local made, length = { "#FORETIME cubic n=$1" }, 0
	while length < 65536 do
		local piece = pieces[throw(i % 2 == 0 and 3 or #pieces)]:rep(throw(2) == 1 and throw(8) or 2 ^ throw(16))
		made[#made + 1] = piece
		length = length + #piece
	end
	local strange = table.concat(made, "", throw(2)):sub(1, 65532) .. " m=2"
	for _, posed in ipairs({ job(nil, { script = strange, argv = { "5" } }), job("foretime:cubic,n=$1" .. strange, { argv = { "5" } }), job("foretime:cubic,n=$1", { argv = { strange } }) }) do
		local began = os.clock()
		foretime.submit(posed, parts)
		if os.clock() - began > slowest then
			slowest, what = os.clock() - began, i
		end
	end
end
ok(slowest < .05, "of 200 strange scripts and comments of 64 KiB none takes 50 ms (" .. math.ceil(1000 * slowest) .. " ms, the " .. what .. "th)")

-- ---- partitions ----------------------------------------------------------------------------------------------
local wide = { normal = parts.normal, short = parts.short, other = { max_time = 600 }, brief = { max_time = 1 } }
local function with_alike(name, list, seconds)
	write(name .. ".knots", (text:gsub("(\nknot [^\n]*)", "%1\nalike " .. list .. " " .. seconds .. " 7e8")))
end
local function placed(name, more)
	local after = job("foretime:" .. name .. ",n=5000", more)
	told = {}
	foretime.submit(after, wide)
	return after
end
with_alike("alike", "normal,other,closed,brief", 90)
local place = placed("alike")
ok(place.partition == "normal,other" and place.time_limit == 2 and place.pn_min_memory == math.ceil(7e8 / 1048576),
	"partitions that cannot be told from the best one: those that the user may use, that let it run, and what suffices in all of them")
ok(place.admin_comment:match("^foretime: %-%-partition=normal,other %-%-time=2 %-%-mem=668M for alike"), "and it is told")
for key, value in pairs({ partition = "short", req_nodes = "n1", features = "gpu", reservation = "r", time_limit = 4 }) do
	place = placed("alike", { [key] = value })
	ok(place.partition == (key == "partition" and "short" or nil), "not where the user said " .. key)
	ok(key == "time_limit" or place.time_limit == filled("foretime:cubic,n=5000").time_limit, "what is asked for is then as without them")
end
with_alike("single", "other,closed", 90)
ok(placed("single").partition == nil, "one partition is no list: the site's own stays")
with_alike("long", "normal,other", 1e6)
ok(placed("long").partition == nil, "nor where all but one let jobs run less long")
foretime.partitions = false
ok(placed("alike").partition == nil, "nor where the site does not want it")
foretime.partitions = true
local function torn_alike(row)
	write("torn.knots", (text:gsub("(\nknot [^\n]*)", "%1\n" .. row, 1)))
	return unchanged("foretime:torn,n=5000")
end
ok(torn_alike("alike normal,other 5") and torn_alike("alike  1 1"), "a row of partitions that cannot be")
write("torn.knots", (text:gsub("\nrisk", "\nalike a,b 1 1\nrisk", 1)))
ok(unchanged("foretime:torn,n=5000"), "or of no knot")

local worst = 0
for i = 1, 2000 do
	local at = cubic[1].at * (last.at / cubic[1].at) ^ (i / 2001)
	local s, b = foretime.answer(cubic, { n = at })
	for k = 2, #cubic do
		if cubic[k - 1].at <= at and at <= cubic[k].at then
			local low = math.min(cubic[k - 1].most_s, cubic[k].most_s)
			local high = math.max(cubic[k - 1].most_s, cubic[k].most_s)
			if not (s >= low * (1 - 1e-12) and s <= high * (1 + 1e-12) and b > 0) then
				worst = i
			end
		end
	end
end
ok(worst == 0, "between two knots answers lie between theirs")

-- ---- what is left alone --------------------------------------------------------------------------------------
ok(unchanged(nil), "a job that says nothing")
ok(unchanged("my own comment"), "one with another comment")
ok(unchanged("foretime:nobody,n=5"), "a model that is missing")
ok(unchanged("foretime:cubic"), "no size")
ok(unchanged("foretime:cubic,m=5"), "a size of another parameter")
ok(unchanged(string.format("foretime:cubic,n=%.17g", last.at * 1.01)), "a size beyond the knots")
for _, value in ipairs({ "0", "-5", "nan", "inf", "0x10", "1e999", "5;", "$(id)", "`id`", "", "1e", ("9"):rep(60), "5,n=6", "$1" }) do
	ok(unchanged("foretime:cubic,n=" .. value), "a size that is none: '" .. value:sub(1, 20) .. "'")
end
write("hidden.knots", text)
os.rename(folder .. "hidden.knots", folder .. ".hidden.knots")
for _, name in ipairs({ "../cubic", "..", ".", "/etc/passwd", "a/../cubic", ".hidden", "cubic\0x", "cu bic", "%s%s%n", "cubic\nx", ("a"):rep(300), "" }) do
	ok(unchanged("foretime:" .. name .. ",n=5000"), "a name that is none: '" .. name:gsub("%c", "?"):sub(1, 20) .. "'")
end
ok(unchanged("foretime:cubic,n=5000", { min_nodes = 3 }), "a job of several nodes")
local long = filled("foretime:cubic,n=" .. string.format("%.17g", last.at), { partition = "short" })
ok(long.time_limit == slurm.NO_VAL and long.pn_min_memory ~= slurm.NO_VAL64, "a time that its partition does not allow")
long = filled("foretime:cubic,n=" .. string.format("%.17g", last.at), { partition = "normal,short" })
ok(long.time_limit == slurm.NO_VAL and long.pn_min_memory ~= slurm.NO_VAL64, "or one of several")
foretime.most_mb = 1
ok(filled("foretime:cubic,n=5000").pn_min_memory == slurm.NO_VAL64, "memory that no node has")
foretime.most_mb = nil

-- ---- files ---------------------------------------------------------------------------------------------------
local now = foretime.now
foretime.now = function()
	return cubic.expires + 1
end
ok(unchanged("foretime:cubic,n=5000"), "a file that has expired")
foretime.now = now
local function refused(name, content)
	write(name .. ".knots", content)
	return unchanged("foretime:" .. name .. ",n=5000")
end
ok(refused("half", text:sub(1, #text - 8)), "a file that is not whole")
ok(refused("empty", ""), "an empty one")
ok(refused("other", "os.execute('touch " .. folder .. "evil')\n"), "a program")
ok(refused("falls", (text:gsub("\nknot (%S+)", "\nknot 5", 2))), "knots that do not ascend")
ok(refused("more", text .. "knot 1 1 1 1\n"), "more behind its end")
ok(refused("later", (text:gsub("knots 1", "knots 2", 1))), "a form of later")
ok(refused("large", text .. ("#\n"):rep(200000)), "a large file")
os.execute("mkdir -p '" .. folder .. "dir.knots'")
ok(unchanged("foretime:dir,n=5000"), "a folder")
write("words.knots", (text:gsub("\nrisk", "\nnewer word of later\nrisk", 1)))
ok(filled("foretime:words,n=5000").time_limit ~= slurm.NO_VAL, "words of later are passed over")
write("fixed.knots", (text:gsub("\nmachine", "\nfixed m 3\nmachine", 1)))
ok(unchanged("foretime:fixed,n=5000,m=4"), "another value of a parameter that is fixed")
ok(filled("foretime:fixed,n=5000,m=3").time_limit ~= slurm.NO_VAL, "its own")
ok(unchanged("foretime:cubic,n=5000,m=4"), "a parameter that the model does not know")
write("below.knots", (text:gsub("\nrisk", "\nfixed m -3\nrisk", 1)))
ok(unchanged("foretime:below,n=5000,m=3"), "another value of one that is fixed below 0")
ok(filled("foretime:below,n=5000,m=-3").time_limit ~= slurm.NO_VAL, "its own")
ok(not io.open(folder .. "evil"), "nothing was run")

local seed = 7
local function random(n)
	seed = (seed * 16807) % 2147483647
	return seed % n
end
local torn = 0
for i = 1, 400 do
	local bad = {}
	for byte in text:sub(1, 3000):gmatch(".") do
		bad[#bad + 1] = random(200) == 0 and string.char(random(256)) or byte
	end
	if not pcall(foretime.parse, table.concat(bad) .. (i % 2 == 0 and text:sub(3001) or "")) then
		torn = torn + 1
	end
end
ok(torn == 0, "400 torn files raise nothing")

-- ---- what the user's own sbatch does -------------------------------------------------------------------------
local function option(comment, more)
	local out = { comment = comment, time = "2982616-04:14:00", mem = "-2" }
	for key, value in pairs(more or {}) do
		out[key] = value
	end
	return out
end
local options = option("foretime:cubic,n=5000")
foretime.filter(options)
ok(options.time:match("^%d+$") and options.mem:match("^%d+M$"), "cli_filter fills what 22.05 shows as 2982616-04:14:00")
options = option("foretime:cubic,n=5000", { time = "00:07:00", ["mem-per-cpu"] = "500M" })
foretime.filter(options)
ok(options.time == "00:07:00" and options.mem == "-2", "and leaves what was given")
options = option("foretime:../cubic,n=5000")
foretime.filter(options)
ok(options.time == "2982616-04:14:00", "and what it does not know")
slurm.log_user = function()
	error("no")
end
ok(pcall(foretime.submit, job("foretime:cubic,n=5000"), parts), "an error inside leaves the job to Slurm")

print("1.." .. count)
os.exit(failed == 0 and 0 or 1)
