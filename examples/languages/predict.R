# SPDX-License-Identifier: 0BSD
# predict.R - predictions as a data frame: Rscript predict.R NAME n SIZE... It needs the package: R CMD INSTALL r
library(foretime)

words <- commandArgs(trailingOnly = TRUE)
sizes <- data.frame(as.numeric(words[-(1:2)]))
names(sizes) <- words[2]
print(predict(foretime(words[1]), sizes))
