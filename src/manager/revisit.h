/* SPDX-License-Identifier: GPL-3.0-or-later */
/* revisit.h - models that are built, and to whose programs others added runs: they are looked at again. */
#ifndef FT_MANAGER_REVISIT_H
#define FT_MANAGER_REVISIT_H

#include "manager/construct.h"
#include "manager/worker.h"

struct ft__revisit;

/* ft__revisit_new - FT_OK; FT_ENOMEM. construct, worker: borrowed. */
enum ft_status ft__revisit_new(struct ft__revisit **out, struct ft__construct *construct,
			       struct ft__worker *worker, struct ft_err *err);
void ft__revisit_free(struct ft__revisit *revisit); /* after the worker; accepts NULL */

/* ft__revisit_look - the store was changed: the worker says soon by whom. */
void ft__revisit_look(struct ft__revisit *revisit);

#endif
