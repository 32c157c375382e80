/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glossary.h - the glossary that `foretime help words` prints. */
#ifndef FT_CLI_HELP_GLOSSARY_H
#define FT_CLI_HELP_GLOSSARY_H

/* Lines; the last one is NULL. Made of man/foretime-words.7.scd by glossary.awk. */
extern const char *const cli_help_glossary[];

#endif
