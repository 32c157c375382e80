/* SPDX-License-Identifier: GPL-3.0-or-later */
/* version.h - which version of a program a problem runs, and whether others could change it. Its files may
 * lie where nobody answers: they are looked at aside. */
#ifndef FT_MANAGER_VERSION_H
#define FT_MANAGER_VERSION_H

#include "manager/config.h"
#include "watch/aside.h"

enum { FT__VERSION_LENGTH = 512 };

/* What was found. */
struct ft__version {
	char stamp[FT__VERSION_LENGTH]; /* another one whenever its files are (ft_program_stamp); "": there
					   are none */
	struct ft_err fault;            /* why it is not to be run (ft_manager_check_problem) */
};

/* ft__version_ask - of whom: a user more who may own what is run; files: an inotify descriptor that is to
 * tell of changes in the folders of these files, -1: none. *aside: made where it is NULL, ends with
 * ft__aside_free. false: it is not asked, as the look before has not come back, or there is no memory. */
bool ft__version_ask(struct ft__aside **aside, const struct ft_manager_problem *problem, uid_t beside,
		     int files);

/* ft__version_answer - false: there is none after so many milliseconds. */
bool ft__version_answer(struct ft__aside *aside, struct ft__version *out, int wait_ms);

#endif
