/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.h - what `foretime predict` tells. */
#ifndef FT_TELL_PREDICT_H
#define FT_TELL_PREDICT_H

#include "tell/model.h"
#include "tell/price.h"

/* One size, and one resource. */
struct ft_told_prediction {
	const struct ft_resource *resource; /* NULL: all are of one */
	struct ft_size size;
	struct ft_prediction said;
	const char *source;
	struct ft_told_cost cost; /* of an energy */
	/* for people alone */
	const char *law; /* that continues the curve to a size beyond the data; NULL: none is known well */
	double cpu_s;    /* beside a wall time that was corrected for a busy machine; NaN */
};
extern const struct ft_tell_record ft_tell_prediction;

/* ft_tell_law - the class of laws, "n^2", by which a curve over one parameter goes on beyond the data: ""
 * where no class has half of the weight, or laws say nothing of it. */
enum { FT_TELL_LAW = 96 };
const char *ft_tell_law(struct ft_answerer *answerer, const struct ft_resource *resource,
			const struct ft_size *size, char buffer[FT_TELL_LAW]);

/* When runs begin, and what is known of such hours, of the last size that was asked. */
struct ft_told_begun {
	int64_t begins_ns; /* 0: they begin at no moment in particular */
	struct ft_load_told_hour hour;
};

struct ft_told_predict {
	const char *name;
	const struct ft_resource *resource; /* NULL: all */
	double confidence;
	enum ft_load_view load;
	struct ft_told_begun at; /* of FT_LOAD_AT */
	struct ft_told_price price;
	const struct ft_machine *machine;
	const struct ft_resource *changed; /* the resource of the change; NULL: there is none */
	struct ft_change change;
	const struct ft_resource
		*limited; /* the first resource of whose runs some met a limit, else the first one */
	struct ft_model_facts facts; /* of its model */
	size_t older_runs;
	const struct ft_run *failing; /* NULL: all ended well */
	struct ft_told_axes axes;
	struct ft_pass pass[FT_PASSES_MAX];
	size_t n_passes;
	json_t *predictions;
};
extern const struct ft_tell_record ft_tell_predict;

/* ft_tell_predict_ask - one answer more: besides the prediction, the first change of a resource and the
 * levels of memory that the size furthest beyond the data passes are noted in `told`. Returns what
 * ft_ask_predict returns. */
enum ft_status ft_tell_predict_ask(struct ft_told_predict *told, struct ft_answerer *answerer,
				   const struct ft_resource *resource, const struct ft_size *size,
				   struct ft_prediction *out, struct ft_err *err);

/* ft_tell_predict_end - what is told of the models themselves. resource: the one that was asked for, or
 * NULL: all. Texts are borrowed of the answerer. */
void ft_tell_predict_end(struct ft_told_predict *told, struct ft_answerer *answerer,
			 const struct ft_resource *resource);

#endif
