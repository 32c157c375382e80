# SPDX-License-Identifier: 0BSD
# predict.R - predictions as a data frame: Rscript predict.R NAME n SIZE...
# A model behaves as other models of R do: predict(foretime("sort"), data.frame(n = c(1000, 2000))).
foretime <- function(name) structure(list(name = name), class = "foretime")

predict.foretime <- function(object, newdata, ...) {
	file <- tempfile(fileext = ".csv")
	on.exit(unlink(file))
	write.csv(newdata, file, row.names = FALSE)
	lines <- suppressWarnings(system2("foretime", c("predict", shQuote(object$name), "--csv", "--sizes", file), stdout = TRUE))
	if (!is.null(attr(lines, "status"))) stop("foretime predict failed")
	read.csv(text = lines)
}

words <- commandArgs(trailingOnly = TRUE)
sizes <- data.frame(as.numeric(words[-(1:2)]))
names(sizes) <- words[2]
print(predict(foretime(words[1]), sizes))
