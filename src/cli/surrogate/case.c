/* SPDX-License-Identifier: GPL-3.0-or-later */
/* case.c - finds names of the command line in the matrix, and runs the solver. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/surrogate/surrogate.h"
#include "tell/answers.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int cli_case_column(const struct cli_case *c, const char *name, size_t *column);

/*
 * The prior of the shares: typed, or a posterior from other rows.
 */

/* MEAN or SD of a prior: a number in the target's unit, or the inverse of one ("1/2GHz"). */
static int read_prior_number(const char *text, const char *unit, double *value)
{
	struct ft_err err = {0};
	bool over = !strncmp(text, "1/", 2);

	if (ft_value_parse(over ? text + 2 : text, over ? "Hz" : unit, value, &err))
		return cli_error(&err);
	if (over)
		*value = 1 / *value;
	return CLI_DONE;
}

/* "NAME=MEAN:SD", SD perhaps in percent of the mean. */
static int read_prior(struct cli_case *c, const char *text)
{
	const struct ft_resource *known =
		!strcmp(c->kind, "resource") ? ft_resource_find(c->matrix->column[c->target]) : NULL;
	const char *unit = known ? known->unit : "", *equals = strrchr(text, '=');
	struct ft_err err = {0};
	size_t column, j;
	double share;

	if (!equals || !strchr(equals, ':'))
		return cli_fail(
			"'%s' is not a prior\n"
			"hint: write NAME=MEAN:SD, as in --prior cycles=0.5ns:0.1ns or cycles=1/2GHz:20%%",
			text);
	CLI_OWN char *name = cli_strdup(text);
	name[equals - text] = '\0';
	char *mean = name + (equals - text) + 1;
	char *sd = strchr(mean, ':');
	*sd++ = '\0';
	CLI_TRY(cli_case_column(c, name, &column));
	for (j = 0; j < c->k && c->basis[j] != column;)
		j++;
	if (j == c->k)
		return cli_fail("'%s' has a prior, and is not in the basis", name);
	CLI_TRY(read_prior_number(mean, unit, &c->mean[j]));
	if (!strchr(sd, '%'))
		return read_prior_number(sd, unit, &c->sd[j]);
	if (ft_share_parse(sd, 1e-6, 1000, &share, &err))
		return cli_error(&err);
	c->sd[j] = share * fabs(c->mean[j]);
	return CLI_DONE;
}

/* ---- a posterior of before ----------------------------------------------------------------------------- */

/* One entry of its basis; what this basis does not have is passed over. */
static int take_share(struct cli_case *c, const char *path, const json_t *share, size_t *taken)
{
	const char *name = json_string_value(json_object_get(share, "name"));
	const json_t *beta = json_object_get(share, "beta"), *sd = json_object_get(share, "sd");
	size_t j;

	for (j = 0; name && j < c->k && strcmp(c->matrix->column[c->basis[j]], name) != 0;)
		j++;
	if (!name || j == c->k)
		return CLI_DONE;
	if (!json_is_number(beta) || !json_is_number(sd) || !(json_number_value(sd) > 0))
		return cli_fail("'%s' has no standard deviation for '%s'\n"
				"hint: describe with --solver bayes, or another one that computes intervals",
				path, name);
	c->mean[j] = json_number_value(beta);
	c->sd[j] = json_number_value(sd);
	++*taken;
	return CLI_DONE;
}

/* The output of `surrogate describe --json` for other rows. */
static int read_posterior(struct cli_case *c, const char *path)
{
	struct ft_err err = {0};
	size_t taken = 0;
	json_t *object;
	int status = CLI_DONE;

	if (ft_tell_read_json(path, &object, &err))
		return cli_error(&err);
	const json_t *basis =
		json_object_get(object, json_object_get(object, "basis") ? "basis" : "basis_programs");
	for (size_t i = 0; status == CLI_DONE && i < json_array_size(basis); i++)
		status = take_share(c, path, json_array_get(basis, i), &taken);
	if (status == CLI_DONE && !taken)
		status = cli_fail("'%s' knows nothing of this basis\n"
				  "hint: it must be what foretime surrogate describe --json prints",
				  path);
	json_decref(object);
	return status;
}

static bool is_file(const char *text)
{
	const char *dot = strrchr(text, '.');

	return dot && !strcmp(dot, ".json") && !strchr(text, ':');
}

/*
 * Finds names of the command line in the matrix, and runs the solver.
 */

enum { NAMED = 8 }; /* rows in a note */

/* A list of names to be looked for among columns or rows. */
struct surrogate_case_names {
	char *const *name;
	size_t n;
	const char *kind; /* "program" or "resource" */
};

static const char *name_at(const void *ctx, size_t i)
{
	const struct surrogate_case_names *names = ctx;

	return i < names->n ? names->name[i] : NULL;
}

static int refuse_name(const struct surrogate_case_names *names, const char *wanted)
{
	const char *nearest = cli_nearest(wanted, name_at, names);

	(void)cli_fail("the matrix has no %s '%s'", names->kind, wanted);
	if (nearest)
		cli_hint("the nearest one is '%s'", nearest);
	else
		cli_hint("foretime surrogate matrix shows what there is");
	return CLI_WRONG;
}

static int find_name(const struct surrogate_case_names *names, const char *wanted, size_t *index)
{
	for (*index = 0; *index < names->n; ++*index)
		if (!strcmp(names->name[*index], wanted))
			return CLI_DONE;
	return refuse_name(names, wanted);
}

/* Mark the names that a name or a shell pattern matches. False: none. */
static bool mark_names(const struct surrogate_case_names *names, const char *wanted, bool *marked)
{
	bool any = false;

	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->name[i], wanted))
			return marked[i] = true;
	for (size_t i = 0; i < names->n; i++)
		if (!fnmatch(wanted, names->name[i], 0))
			any = marked[i] = true;
	return any;
}

/* Names between commas; the whole may be a name with a comma in it. */
static int mark_list(const struct surrogate_case_names *names, const char *list, bool *marked)
{
	if (mark_names(names, list, marked))
		return CLI_DONE;
	CLI_OWN char *copy = cli_strdup(list);
	for (char *rest = copy, *part; (part = strsep(&rest, ","));)
		if (!mark_names(names, part, marked))
			return refuse_name(names, part);
	return CLI_DONE;
}

/* The indices of the names in lists; all but one when there is no list. */
static int list_indices(const struct surrogate_case_names *names, const struct ft_field_texts *lists,
			size_t but, size_t **index, size_t *n)
{
	CLI_OWN bool *marked = cli_alloc((names->n + 1) * sizeof *marked);

	for (size_t i = 0; i < lists->n; i++)
		CLI_TRY(mark_list(names, lists->text[i], marked));
	*index = cli_alloc((names->n + 1) * sizeof **index);
	*n = 0;
	for (size_t i = 0; i < names->n; i++)
		if (lists->n ? marked[i] : i != but)
			(*index)[(*n)++] = i;
	return CLI_DONE;
}

/* cli_case_column - the column of that name, CLI_WRONG after a complaint. */
static int cli_case_column(const struct cli_case *c, const char *name, size_t *column)
{
	return find_name(&(struct surrogate_case_names){c->matrix->column, c->matrix->columns, c->kind}, name,
			 column);
}

static const char *solver_name(const void *ctx, size_t i)
{
	const struct ft_solver *solver = ft_solver_get(i);

	(void)ctx;
	return solver ? solver->name : NULL;
}

int cli_solver_unknown(const char *name)
{
	const char *nearest = cli_nearest(name, solver_name, NULL);

	(void)cli_fail("there is no solver '%s'", name);
	if (nearest) {
		cli_hint("the nearest one is %s", nearest);
	} else {
		fputs("hint: there are", stderr);
		for (size_t i = 0; ft_solver_get(i); i++)
			fprintf(stderr, "%s %s", i ? "," : "", ft_solver_get(i)->name);
		fputs("\n", stderr);
	}
	return CLI_WRONG;
}

/* The direction of the matrix: programs by programs, or resources by resources. */
static int choose_way(struct cli_case *c, struct cli_surrogate *s, bool predict)
{
	const char *by = s->by ? s->by : s->target ? "program" : "resource";
	struct ft_err err = {0};

	if (predict ? !s->target || !s->target_resource : !s->target == !s->target_resource) {
		(void)cli_fail(predict ? "which resource of which program?" : "what is to be described?");
		cli_hint(predict ? "name both: --target PROGRAM --target-resource RESOURCE"
				 : "name it: --target PROGRAM, or --target-resource RESOURCE");
		return CLI_WRONG;
	}
	if (strcmp(by, "program") != 0 && strcmp(by, "resource") != 0)
		return cli_fail("nothing is described by '%s'\nhint: --by program or --by resource", by);
	if (!predict && s->by && (!strcmp(by, "program")) != (s->target != NULL))
		return cli_fail("a %s is described by %ss", s->target ? "program" : "resource",
				s->target ? "program" : "resource");
	c->kind = !strcmp(by, "program") ? "program" : "resource";
	c->matrix = &s->matrix;
	if (*by == 'r') {
		if (ft_matrix_turn(&s->matrix, &c->turned, &err))
			return cli_error(&err);
		c->matrix = &c->turned;
	}
	return CLI_DONE;
}

static int find_names(struct cli_case *c, const struct cli_surrogate *s, bool predict, size_t **row,
		      size_t *m)
{
	bool programs = !strcmp(c->kind, "program");
	const struct surrogate_case_names columns = {c->matrix->column, c->matrix->columns, c->kind},
					  rows = {c->matrix->row, c->matrix->rows,
						  programs ? "resource" : "program"};
	const char *target = programs ? s->target : s->target_resource,
		   *query = programs ? s->target_resource : s->target;
	size_t n = 0;

	CLI_TRY(find_name(&columns, target, &c->target));
	c->query = c->matrix->rows;
	if (predict)
		CLI_TRY(find_name(&rows, query, &c->query));
	CLI_TRY(list_indices(&columns, &s->basis, c->target, &c->basis, &c->k));
	if (!c->k)
		return cli_fail("there is no other %s to describe '%s' by", c->kind, target);
	CLI_TRY(list_indices(&rows, &s->over, c->query, row, m));
	for (size_t i = 0; i < *m; i++)
		if ((*row)[i] != c->query)
			(*row)[n++] = (*row)[i];
	*m = n;
	return n ? CLI_DONE : cli_fail("there is no %s left to learn from", rows.kind);
}

int cli_gaps_read(const char *name, const struct ft_solver *solver, enum ft_gaps *gaps)
{
	static const char *const ways[] = {
		[FT_GAPS_FILL] = "impute", [FT_GAPS_DROP] = "drop", [FT_GAPS_KEEP] = "keep"};
	size_t way = 0, n = sizeof ways / sizeof *ways;

	while (way < n && strcmp(ways[way], name) != 0)
		way++;
	if (way == n)
		return cli_fail("'%s' is not a way to treat missing values\n"
				"hint: --missing drop, impute or, for nmf, keep",
				name);
	*gaps = (enum ft_gaps)way;
	if (*gaps == FT_GAPS_KEEP && !solver->holes)
		return cli_fail("'%s' needs every value of a row\n"
				"hint: --missing drop or impute; --solver nmf fits what is known",
				solver->name);
	return CLI_DONE;
}

/* A start that is given: a file, or two with a comma between them. */
static int read_start(struct cli_case *c, struct ft_surrogate_options *options)
{
	CLI_OWN char *copy = cli_strdup(options->start);
	struct ft_err err = {0};

	c->start = (struct ft_surrogate_start){.matrix = c->matrix,
					       .learned = cli_case_learned(c),
					       .basis = c->basis,
					       .target = c->target,
					       .kind = c->kind,
					       .rank = options->rank};
	for (char *rest = copy, *path; (path = strsep(&rest, ","));)
		if (ft_start_read(&c->start, path, &err))
			return cli_error(&err);
	options->start = "given";
	options->rank = c->start.rank;
	options->w = c->start.w;
	options->h = c->start.h;
	return CLI_DONE;
}

static int choose_solver(struct cli_case *c, const struct cli_surrogate *s)
{
	c->solver = ft_solver_find(s->solver ? s->solver : "ols");
	if (!c->solver)
		return cli_solver_unknown(s->solver);
	if (s->options.weigh && strcmp(c->solver->name, "robust") != 0)
		return cli_fail("weigh is of --solver robust; '%s' weighs rows in its own way",
				c->solver->name);
	c->gaps = c->solver->holes ? FT_GAPS_KEEP : FT_GAPS_DROP;
	return s->missing ? cli_gaps_read(s->missing, c->solver, &c->gaps) : CLI_DONE;
}

int cli_case_open(struct cli_case *c, struct cli_surrogate *s, bool predict)
{
	CLI_OWN size_t *row = NULL;
	size_t m = 0;

	CLI_TRY(choose_solver(c, s));
	CLI_TRY(cli_surrogate_open(s));
	CLI_TRY(choose_way(c, s, predict));
	CLI_TRY(find_names(c, s, predict, &row, &m));
	c->lacking = cli_alloc((c->k + 1) * sizeof *c->lacking);
	/* A program without a run in the query's row cannot help. */
	if (predict && c->gaps == FT_GAPS_DROP)
		ft_basis_known(c->matrix, c->query, c->basis, &c->k, c->lacking, &c->n_lacking);
	/* priors_read - c->mean and c->sd, of --prior: NAME=MEAN:SD, or a file FILE.json that describe printed.
	 */

	c->mean = cli_alloc((c->k + 1) * sizeof *c->mean);
	c->sd = cli_alloc((c->k + 1) * sizeof *c->sd);
	for (size_t j = 0; j < c->k; j++)
		c->sd[j] = INFINITY;
	if (s->prior.n && strcmp(c->solver->name, "bayes") != 0)
		return cli_fail("'%s' takes no prior: choose --solver bayes", c->solver->name);
	for (size_t j = 0; j < s->prior.n; j++)
		CLI_TRY(is_file(s->prior.text[j]) ? read_posterior(c, s->prior.text[j])
						  : read_prior(c, s->prior.text[j]));
	struct ft_matrix *matrix = *c->kind == 'p' ? &s->matrix : &c->turned;
	struct ft_err err = {0};

	if (c->gaps == FT_GAPS_FILL && ft_matrix_impute(matrix, c->basis, c->k, &c->imputed, &err))
		return cli_error(&err);
	if (ft_case_make(matrix, c->basis, c->k, &c->target, 1, row, m, false, &c->made, &err))
		return cli_error(&err);
	if (c->gaps == FT_GAPS_KEEP && c->made.incomplete &&
	    ft_case_make(matrix, c->basis, c->k, &c->target, 1, row, m, true, &c->kept, &err))
		return cli_error(&err);
	struct ft_surrogate_options options = s->options;
	const char *start = options.start;

	options.mean = c->mean;
	options.sd = c->sd;
	if (start && !strcmp(c->solver->name, "nmf") &&
	    (ft_word_ends(start, ".csv") || ft_word_ends(start, ".csv.gz")))
		CLI_TRY(read_start(c, &options));
	if (ft_surrogate_solve(c->solver, &cli_case_learned(c)->problem, &options, &c->fit, &err))
		return cli_error(&err);
	return CLI_DONE;
}

void cli_case_close(struct cli_case *c)
{
	ft_surrogate_free(c->fit);
	ft_case_clear(&c->made);
	ft_case_clear(&c->kept);
	ft_start_clear(&c->start);
	ft_matrix_clear(&c->turned);
	free(c->basis);
	free(c->lacking);
	free(c->mean);
	free(c->sd);
}

int cli_case_notes(const struct cli_case *c, const struct cli_surrogate *surrogate)
{
	struct ft_surrogate_outcome outcome = ft_surrogate_outcome(c->fit);

	/* Print which rows were left out, which values were assumed, and what the factors ignored. */
	const struct ft_case *learned = cli_case_learned(c);

	for (size_t i = 0; i < c->n_lacking; i++)
		cli_note("'%s' has no value for '%s': predicted without it", c->matrix->row[c->query],
			 c->matrix->column[c->lacking[i]]);
	for (size_t i = 0; i < learned->incomplete && i < NAMED; i++) {
		if (!i)
			fprintf(stderr, "note: %zu row%s with %s left out:", learned->incomplete,
				learned->incomplete > 1 ? "s" : "",
				c->kept.problem.m ? "nothing of the basis" : "a missing value");
		fprintf(stderr, "%s '%s'", i ? "," : "", c->matrix->row[learned->left_out[i]]);
	}
	if (learned->incomplete > NAMED)
		fprintf(stderr, " and %zu more: --json names them", learned->incomplete - NAMED);
	if (learned->incomplete)
		fputs("\n", stderr);
	if (c->imputed)
		cli_note("%zu missing value%s of the basis taken as the others of their rows lead one to "
			 "expect",
			 c->imputed, c->imputed > 1 ? "s" : "");
	if (learned->missing)
		cli_note("%zu missing value%s: the factors fit what is known", learned->missing,
			 learned->missing > 1 ? "s" : "");
	if ((!strcmp(c->solver->name, "weighted") || surrogate->options.weigh) && !c->made.problem.sigma)
		cli_note("not every row was measured several times: each weighs the same");
	if (!outcome.converged)
		cli_note("'%s' did not converge in %zu iterations: this is its last iterate", c->solver->name,
			 outcome.iterations);
	if (c->made.problem.m < c->k) {
		cli_note("%zu unknowns and only %zu equations: many descriptions fit alike, this is one",
			 c->k, c->made.problem.m);
		return CLI_DONE;
	}
	/* Warn about linearly dependent columns if the solver is sensitive to them. */
	CLI_OWN bool *redundant = cli_alloc(c->k * sizeof *redundant);
	struct ft_err err = {0};
	size_t n = 0;

	if (ft_basis_redundant(&c->made.problem, surrogate->options.cut, redundant, &err))
		return cli_error(&err);
	for (size_t j = 0; j < c->k; j++)
		if (redundant[j]) {
			fprintf(stderr, "%s'%s'", n ? ", " : "note: the basis is rank-deficient: ",
				c->matrix->column[c->basis[j]]);
			n++;
		}
	if (n)
		fprintf(stderr, n > 1 ? " are described by the ones before them\n"
				      : " is described by the ones before it\n");
	return CLI_DONE;
}

/*
 * Predict a resource of a program that was not measured there.
 */

/* The basis in the query's row; a missing value cannot be guessed. */
static int find_row(struct cli_case *c, double *x)
{
	size_t known = 0;

	for (size_t j = 0; j < c->k; j++) {
		x[j] = c->matrix->value[c->query * c->matrix->columns + c->basis[j]];
		known += isnan(x[j]) ? 0 : 1;
		if (isnan(x[j]) && !(c->solver->holes && (known || j + 1 < c->k))) {
			(void)cli_fail("'%s' has no value for '%s'\n"
				       "hint: measure it, or choose a basis without it: --basis A,B,...",
				       c->matrix->row[c->query], c->matrix->column[c->basis[j]]);
			return CLI_NO;
		}
	}
	c->partial = known < c->k;
	return CLI_DONE;
}

static const char *value_text(double value, const char *unit, char buffer[FT_UNIT_LENGTH])
{
	if (*unit)
		return ft_value_format(value, unit, buffer);
	(void)snprintf(buffer, FT_UNIT_LENGTH, "%.5g", value);
	return buffer;
}

struct surrogate_predict_answer {
	const char *source;
	struct cli_answer_case of;
	const char *program, *resource, **basis;
	size_t n_basis;
	double value, lower, upper, actual;
};

#define ANSWER struct surrogate_predict_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, source), .about = "the file, or the store"},
	{FT_TELL_BY(ROWS, NULL, ANSWER, of), .of = &cli_case_rows},
	{FT_TELL(ANSWER, program)},
	{FT_TELL(ANSWER, resource)},
	{FT_TELL_MANY(LIST, "basis_names", ANSWER, basis, n_basis, &ft_tell_texts)},
	{FT_TELL(ANSWER, value)},
	{FT_TELL(ANSWER, lower), .null = "nothing is known of the error"},
	{FT_TELL(ANSWER, upper), .null = "nothing is known of the error"},
	{FT_TELL(ANSWER, actual), .about = "what was measured there, and not used", .null = "nothing"},
	{0},
};
const struct ft_tell_record cli_surrogate_predict_answer = {
	.name = "surrogate", .action = "predict", .version = 1, .row = rows};

int cli_surrogate_predict(void *query)
{
	struct cli_surrogate *surrogate = query;
	FT_CLEANUP(cli_case_close) struct cli_case c = {0};
	struct ft_estimate e = {0};
	struct ft_err err = {0};

	CLI_TRY(cli_case_open(&c, surrogate, true));
	CLI_TRY(cli_case_notes(&c, surrogate));
	CLI_OWN double *x = cli_alloc(c.k * sizeof *x);
	CLI_TRY(find_row(&c, x));
	if (ft_surrogate_predict(c.fit, x, 1, surrogate->confidence, &e, &err))
		return cli_error(&err);
	double measured = c.matrix->value[c.query * c.matrix->columns + c.target];
	if (surrogate->json) {
		ANSWER answer = {
			.source = cli_surrogate_source(surrogate),
			.of = cli_case_answer(&c, surrogate),
			.program = surrogate->target,
			.resource = surrogate->target_resource,
			.value = e.value,
			.lower = isfinite(e.lower) ? fmax(e.lower, 0) : (double)NAN,
			.upper = e.upper,
			.actual = measured,
		};

		answer.basis = cli_names(c.matrix->column, c.basis, NULL, c.k, &answer.n_basis);
		cli_tell(&cli_surrogate_predict_answer, &answer, NULL);
		cli_case_answer_clear(&answer.of);
		free(answer.basis);
	} else {
		const struct ft_resource *known = ft_resource_find(surrogate->target_resource);
		const char *unit = known ? known->unit : "";
		char value[FT_UNIT_LENGTH], lower[FT_UNIT_LENGTH], upper[FT_UNIT_LENGTH];

		printf("%s of %s: %s", surrogate->target_resource, surrogate->target,
		       value_text(e.value, unit, value));
		if (isfinite(e.lower))
			printf(" (%.6g %% interval %s .. %s)\n", 100 * surrogate->confidence,
			       value_text(fmax(e.lower, 0), unit, lower), value_text(e.upper, unit, upper));
		else
			puts(c.partial ? " (no interval: some of the basis is missing there)"
				       : " (no interval: as many unknowns as rows, so nothing is known of "
					 "the error)");
		printf("by %zu %s%s over %zu rows: %s\n", c.k, c.kind, c.k > 1 ? "s" : "",
		       cli_case_learned(&c)->problem.m, c.solver->about);
		if (!isnan(measured))
			printf("measured: %s (not used)\n", value_text(measured, unit, value));
	}
	return CLI_DONE;
}
