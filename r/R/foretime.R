# SPDX-License-Identifier: 0BSD
# foretime.R - models of the command foretime, as other models of R are.

# The lines that the command prints; its error, with the remedy, is one of R.
run_command <- function(words, store) {
	errors <- tempfile()
	on.exit(unlink(errors))
	env <- if (is.null(store)) character() else paste0("FORETIME_STORE=", shQuote(store))
	lines <- suppressWarnings(system2("foretime", shQuote(words), stdout = TRUE, stderr = errors, env = env))
	if (!is.null(attr(lines, "status"))) stop(paste(readLines(errors, warn = FALSE), collapse = "\n"), call. = FALSE)
	lines
}

write_table <- function(data) {
	file <- tempfile(fileext = ".csv")
	utils::write.csv(data, file, row.names = FALSE)
	file
}

foretime <- function(name, store = NULL) structure(list(name = name, store = store), class = "foretime")

foretime_build <- function(name, command, ranges, options = character(), store = NULL) {
	run_command(c("build", name, paste0(names(ranges), "=", ranges), options, "--", command), store)
	foretime(name, store)
}

foretime_fit <- function(data, name = "data", store = tempfile(fileext = ".db")) {
	file <- write_table(data)
	on.exit(unlink(file))
	run_command(c("import", file, "--name", name, "--here"), store)
	foretime(name, store)
}

predict.foretime <- function(object, newdata, resource = "time", level = 0.9, ...) {
	file <- write_table(newdata)
	on.exit(unlink(file))
	lines <- run_command(c("predict", object$name, "--csv", "--sizes", file, "--resource", resource, "--confidence",
		format(level, digits = 15)), object$store)
	utils::read.csv(text = lines)
}

print.foretime <- function(x, ...) {
	writeLines(run_command(c("show", x$name), x$store))
	invisible(x)
}
