/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - what `foretime request` tells. */
#ifndef FT_TELL_REQUEST_H
#define FT_TELL_REQUEST_H

#include "foretime/request.h"
#include "tell/model.h"

struct ft_told_need {
	struct ft_need need; /* null where it has no resource */
	double request;      /* rounded up, as it is asked for */
	const char *asked;   /* the same for people */
};
extern const struct ft_tell_record ft_tell_need;

struct ft_told_formula {
	struct ft_request_expression said; /* null where its text is; borrowed */
	struct ft_size known;              /* up to which it is an answer */
	const char *unit, *python, *groovy;
};

struct ft_told_at {
	struct ft_size size;
};

struct ft_told_request {
	const char *name;
	const struct ft_run *failing; /* NULL: all ended well */
	struct ft_told_axes axes;
	const struct ft_machine *machine;
	double risk;
	enum ft_load_view load;
	const struct ft_told_at *at; /* NULL: the request is for all sizes */
	struct ft_told_need time, memory;
	double cpus, overhead, killed;
	bool brief, refuted;
	bool answered; /* ft_tell_answered; else why not, and what to do */
	const char *reason, *advice;
	const struct ft_size *measure; /* NULL: nothing is doubted */
	const char *retry;             /* NULL: the risk was stated */
	const char *slurm;
	struct ft_told_formula time_of, memory_of;
};
extern const struct ft_tell_record ft_tell_request;

#endif
