/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.h - questions to the models of a store.
 *
 *	struct ft_answerer *models;
 *
 *	ft_ask_open(&models, store, "matmul", NULL, 0, err);
 *	ft_ask_predict(models, "wall_s", &size, 0.9, &prediction, err);
 *	ft_ask_close(models);
 */
#ifndef FORETIME_ASK_H
#define FORETIME_ASK_H

#include "foretime/load.h"
#include "foretime/store.h"

FT_BEGIN_DECLS

struct ft_answerer;

/* ft_ask_open - make the models of a program on a machine ready to answer.
 *
 * store    borrowed, must outlive the answerer
 * name     of the program, the newest one of that name
 * machine  its fingerprint or host name; NULL: `here`
 * here     id of this machine in the store (0: not known). When the program has no runs here but on just one
 * other machine, that one is used: ft_ask_machine tells out      heap, ends with ft_ask_close
 *
 * Returns FT_OK; FT_ENOENT: no such program or machine; FT_ENOMODEL: it has no run that ended well; what the
 * store returns.
 */
enum ft_status ft_ask_open(struct ft_answerer **out, struct ft_store *store, const char *name,
			   const char *machine, int64_t here, struct ft_err *err);
void ft_ask_close(struct ft_answerer *answerer); /* accepts NULL */

const struct ft_program *ft_ask_program(const struct ft_answerer *answerer);
const struct ft_machine *ft_ask_machine(const struct ft_answerer *answerer);
const struct ft_runs *ft_ask_runs(const struct ft_answerer *answerer); /* all of them, in the order stored */

/* ft_ask_resource - the i-th resource that the runs have values of, in the order of the table; NULL past the
 * last. */
const struct ft_resource *ft_ask_resource(const struct ft_answerer *answerer, size_t i);

/* ft_ask_size - a size from "n=512 m=100": values by name. Parameters left out take their only value in the
 * runs.
 *
 * Returns FT_OK; FT_EINVAL: an unknown parameter, or a value missing (the text says which).
 */
enum ft_status ft_ask_size(const struct ft_answerer *answerer, const char *const name[], const double value[],
			   size_t n, struct ft_size *out, struct ft_err *err);

/* ft_ask_model - the model of a resource for the fixed parameters of a size: the stored one, or, when that is
 * missing or older than the runs, one fitted now (and stored, when the store may be written). Borrowed until
 * the answerer is closed.
 *
 * Returns FT_OK; FT_ENOENT: no resource of that name was measured; FT_ENOMODEL: no run at these fixed
 * parameters.
 */
enum ft_status ft_ask_model(struct ft_answerer *answerer, const char *resource, const struct ft_size *size,
			    const struct ft_model_record **out, struct ft_err *err);

/* ft_ask_predict - the value of a resource at a size: see ft_model_predict. */
enum ft_status ft_ask_predict(struct ft_answerer *answerer, const char *resource, const struct ft_size *size,
			      double confidence, struct ft_prediction *out, struct ft_err *err);

/* Under which load a run is asked about. */
struct ft_ask_load {
	enum ft_load_view view;
	enum ft_sharing sharing;
	double threads; /* that the run keeps busy; 0: as cpu_s / wall_s says */
};

/* ft_ask_predict_loaded - the same while others use the machine.
 *
 * Only wall_s is stretched: of its time the part on processors, by the slow-down from the history's quantiles
 * at `confidence` (FT_LOAD_USUAL), or from this moment's load (FT_LOAD_NOW; looked at once, for 0.2 s, and
 * kept). The interval reaches from the least to the largest stretch, the value stands in the middle of the
 * two speeds (001 II.A.1).
 *
 * out      upper and value may be INFINITY: niced, and the others leave nothing
 * outlook  may be NULL. Slow-downs of 1 where the resource is not stretched
 *
 * Returns what ft_ask_predict returns; FT_ENOMODEL: no load was recorded on that machine for ten minutes;
 * FT_EUNAVAIL: now, and the runs are of another machine, or the load cannot be seen here.
 */
enum ft_status ft_ask_predict_loaded(struct ft_answerer *answerer, const char *resource,
				     const struct ft_size *size, double confidence,
				     const struct ft_ask_load *load, struct ft_prediction *out,
				     struct ft_load_outlook *outlook, struct ft_err *err);

FT_END_DECLS
#endif
