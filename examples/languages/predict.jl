# SPDX-License-Identifier: 0BSD
# predict.jl - predictions as vectors: julia predict.jl NAME n=SIZE,SIZE...
# The answer is JSON (doc/schema/predict.json), read by the package JSON.
using JSON

struct Predictions
    unit::String
    value::Vector{Float64}
    lower::Vector{Float64}
    upper::Vector{Float64}
    basis::Vector{String}
end

# What is not known is null in JSON.
number(x) = x === nothing ? NaN : Float64(x)

# sizes: words as foretime takes them, "n=1000,2000" and "m=3". ProcessFailedException: foretime printed why.
function predict(name, sizes...; resource="wall_s")
    words = collect(String, sizes)
    answer = JSON.parse(read(`foretime predict $name $words --resource=$resource --json`, String))
    rows = answer["predictions"]
    column(key) = [number(row[key]) for row in rows]
    return Predictions(answer["unit"], column("value"), column("lower"), column("upper"), [row["basis"] for row in rows])
end

p = predict(ARGS...)
for i in eachindex(p.value)
    println("$(p.value[i]) ($(p.lower[i]) .. $(p.upper[i])) $(p.unit), $(p.basis[i])")
end
