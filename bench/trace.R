# SPDX-License-Identifier: GPL-3.0-or-later
# One row of bench/trace's table for each of segmented and strucchange: their time, pieces and errors on a CSV
# with the columns t, y, truth.
#
# usage: Rscript bench/trace.R FILE.csv NOISE
suppressPackageStartupMessages({
	library(segmented)
	library(strucchange)
})
arguments <- commandArgs(trailingOnly = TRUE)
d <- read.csv(arguments[1])
n <- nrow(d)

# The root of the mean over time of the square of what is straight between times.
l2 <- function(t, d) {
	a <- head(d, -1)
	b <- tail(d, -1)
	sqrt(sum(diff(t) * (a^2 + a * b + b^2) / 3) / diff(range(t)))
}

row <- function(by, pieces, fitted, seconds, at = d$t)
	cat(sprintf("| %d | %s | %s | %s | %.5f | %.5f | %.4f |\n", n, arguments[2], by, pieces,
		l2(at, fitted - approx(d$t, d$y, at)$y), l2(at, fitted - approx(d$t, d$truth, at)$y), seconds))

set.seed(1)
seconds <- system.time(s <- tryCatch(
	segmented(lm(y ~ t, data = d), seg.Z = ~t, npsi = 4), error = function(e) NULL))[["elapsed"]]
at <- if (is.null(s)) d$t else sort(unique(c(d$t, s$psi[, "Est."])))
if (is.null(s)) cat(sprintf("| %d | %s | segmented | failed | | | %.4f |\n", n, arguments[2], seconds)) else
	row("segmented", paste0(nrow(s$psi) + 1, ", told"), predict(s, newdata = data.frame(t = at)), seconds, at)

if (n <= 2000) { # O(n^2) in time and memory
	seconds <- system.time({
		b <- breakpoints(y ~ t, data = d, h = 0.05)
		f <- fitted(b)
	})[["elapsed"]]
	row("strucchange", paste0(length(b$breakpoints[!is.na(b$breakpoints)]) + 1, ", found"), f, seconds)
} else cat(sprintf("| %d | %s | strucchange | not run: O(n^2) | | | |\n", n, arguments[2]))
