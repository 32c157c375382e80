-- SPDX-License-Identifier: 0BSD
-- predict.lua - a prediction as a table: lua predict.lua NAME n=SIZE...
local function quote(word)
	return "'" .. word:gsub("'", "'\\''") .. "'"
end

local function predict(name, ...)
	local words = { "foretime", "predict", "--csv", quote(name) }
	for _, size in ipairs({ ... }) do
		words[#words + 1] = quote(size)
	end
	local pipe = assert(io.popen(table.concat(words, " ")))
	local head, row = pipe:read("l"), pipe:read("l")
	pipe:close()
	assert(row, "foretime predict failed")
	local answer, values = {}, {}
	for value in (row .. ","):gmatch("([^,]*),") do
		values[#values + 1] = tonumber(value) or value
	end
	for key in (head .. ","):gmatch("([^,]*),") do
		answer[key] = table.remove(values, 1)
	end
	return answer
end

local answer = predict(table.unpack(arg))
print(string.format("%.4g (%.4g .. %.4g), %s", answer.value, answer.lower, answer.upper, answer.basis))
