/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models.c - opens the models of a program for a command that queries them. */
#include "base/text.h"
#include "ask/door.h"
#include "cli/cli.h"
#include "foretime/base.h"
#include "foretime/measure.h"
#include "http/client.h"
#include "tell/answers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Print what an expert stated about a program, and check requirements.
 */

enum { WHY_LENGTH = 256 };

/* The law as it was set to the runs, in words; ends with free. */
static char *calibration_text(const struct ft_calibrated_law *c, const char *unit)
{
	char start[FT_UNIT_LENGTH], error[FT_UNIT_LENGTH];
	bool tiny = c->error < 0.001;

	if (c->sizes == 1)
		return cli_printed("times %.3g by runs of one size", c->scale);
	char *line = cli_printed("times %.3g%s%s by runs of %zu sizes, errs by %s%s", c->scale,
				 c->start > 0 ? ", and " : "",
				 c->start > 0 ? ft_value_format(c->start, unit, start) : "", c->sizes,
				 tiny ? "less than " : "", ft_share_format(tiny ? 0.001 : c->error, error));
	if (!c->fits) {
		cli_reprint(&line, "%s: it does not fit, and is not used", line);
	}
	return line;
}

/* ---- as text ------------------------------------------------------------------------------------------ */

void cli_print_knowledge(const struct ft_answer_knowledge *output, FILE *file)
{
	for (size_t i = 0; i < output->n_laws; i++) {
		const struct ft_answer_stated *law = &output->law[i];
		char *text = law->calibrated ? calibration_text(&law->fit, law->resource->unit) : NULL;

		fprintf(file, "stated     %s = %s%s%s%s\n", law->resource->name, law->law, text ? " (" : "",
			text ? text : "", text ? ")" : "");
		free(text);
	}
	for (size_t i = 0; i < output->n_requirements; i++)
		fprintf(file, "requires   %s %s%s%s\n", output->requirement[i].what,
			output->requirement[i].value, output->requirement[i].unmet ? ": NOT MET, " : "",
			output->requirement[i].unmet ? output->requirement[i].unmet : "");
}

void cli_warn_requirements(const struct ft_knowledge *knowledge, const struct ft_machine *machine, bool here)
{
	struct ft_machine read = {0};
	char why[WHY_LENGTH];

	if (!knowledge->n_requirements)
		return;
	if (here && !ft_machine_read("", &read, NULL))
		machine = &read;
	for (size_t i = 0; i < knowledge->n_requirements; i++)
		if (ft_requirement_unmet(&knowledge->requirement[i], machine, here, why, sizeof why))
			cli_note("%s", why);
	ft_machine_clear(&read);
}

/*
 * Print the accuracy of models, the variation of single runs, and parameters without effect or inseparable.
 */

char *cli_runs_within(double confidence)
{
	char share[FT_UNIT_LENGTH];

	return cli_printed("%s of runs", ft_share_format(confidence, share));
}

char *cli_change_text(const struct ft_change *change)
{
	char share[FT_UNIT_LENGTH], age[FT_TELL_AGE];

	return cli_printed("shift: the newest %zu runs (the first %s) are %s %s than older ones, which count "
			   "less",
			   change->runs, ft_tell_age(change->since_ns, age),
			   ft_share_format(fabs(expm1(change->shift)), share),
			   change->shift > 0 ? "higher" : "lower");
}

/* ---- facts -------------------------------------------------------------------------------------------- */

size_t cli_models_all(const struct cli_models *models, struct ft_answer_model **out)
{
	struct ft_arena memory = {0};
	struct ft_answer_model *found;
	size_t n;

	if (ft_tell_models_all(models->answerer, &memory, &found, &n, NULL))
		(void)cli_given(NULL);
	*out = cli_alloc(n * sizeof **out);
	if (n)
		memcpy(*out, found, n * sizeof **out);
	ft_arena_clear(&memory);
	return n;
}

void cli_print_evidence(const struct ft_resource *resource, const struct ft_model_facts *facts, FILE *file)
{
	/* Processor times of runs that were ended at a limit of their wall time are bounds, but no limits. */
	const char *name = resource->name;
	bool limited = resource == &ft_wall_s || resource->of == FT_CLASS_MEMORY;
	CLI_OWN char *limits = limited ? ft_tell_limits_text(facts, resource->unit) : NULL,
		     *batches = ft_tell_batches_text(facts);

	if (limits)
		fprintf(file, "%s: %s\n", name, limits);
	if (batches)
		fprintf(file, "%s: %s\n", name, batches);
}

/* Whether it is one of n; n 0: always. */
static bool is_among(const struct ft_resource *const *resource, size_t n, const struct ft_resource *one)
{
	for (size_t i = 0; i < n; i++)
		if (resource[i] == one)
			return true;
	return !n;
}

size_t cli_print_models(const struct cli_models *models, const struct ft_resource *const *resource, size_t n,
			bool verbose, FILE *file)
{
	const struct ft_tell_with with = {.verbose = verbose};
	struct cli_table table = {0};
	struct ft_answer_model *output;
	size_t i, shown = 0, all = cli_models_all(models, &output);

	for (i = 0; i < all; i++)
		if (is_among(resource, n, output[i].resource))
			output[shown++] = output[i];
	cli_table_tell(&table, &ft_tell_model, output, shown, &with);
	cli_table_print(&table, file);
	for (i = 0; verbose && i < shown; i++) {
		/* Rare spikes, structure finer than the sizes, and what newer runs changed: a line each. */
		const struct ft_program *program = ft_ask_program(models->answerer);
		const char *name = output[i].resource->name;
		bool time = !strcmp(output[i].resource->unit, "s");
		char share[FT_UNIT_LENGTH], known[FT_TELL_WITHIN], corner[256];

		if (output[i].facts.corner.n && !output[i].facts.too_few) {
			(void)ft_size_format(program, &output[i].facts.corner, corner, sizeof corner);
			fprintf(file, "%s: accuracy at the worst corner, %s: %s\n", name, corner,
				ft_tell_within(output[i].facts.worst_known, known));
		}
		if (output[i].facts.spike_rate > 0)
			fprintf(file, "%s: 1 run in %.0f takes %.2g times as %s\n", name,
				fmax(2, 1 / output[i].facts.spike_rate), output[i].facts.spike_ratio,
				time ? "long" : "much");
		for (size_t k = 0; k < output[i].facts.n_fine; k++)
			fprintf(file, "%s: %s take %s %s\n", name, output[i].facts.fine[k].kind,
				ft_share_format(fabs(output[i].facts.fine[k].ratio - 1), share),
				output[i].facts.fine[k].ratio < 1 ? "less"
				: time                            ? "longer"
								  : "more");
		if (output[i].facts.change.runs) {
			char *text = cli_change_text(&output[i].facts.change);

			fprintf(file, "%s: %s\n", name, text);
			free(text);
		}
		cli_print_evidence(output[i].resource, &output[i].facts, file);
	}
	free(output);
	return all - shown;
}

/* ---- parameters --------------------------------------------------------------------------------------- */

void cli_axes_print_found(const struct ft_answer_axes *axes, FILE *file)
{
	for (size_t i = 0; i < axes->n_flat; i++)
		fprintf(file, "flat: %s changes nothing\n", axes->flat[i]);
	for (size_t i = 0; i < axes->n_together; i++)
		fprintf(file, "%s and %s %s in all runs: their effects cannot be separated\n",
			axes->together[i].name[0], axes->together[i].name[1],
			axes->together[i].equal ? "are equal" : "change together");
}

void cli_axes_print(const struct cli_models *models, const struct ft_resource *const *resource, size_t n,
		    FILE *file)
{
	struct ft_answer_axes axes;

	ft_tell_axes_find(models->answerer, resource, n, &axes);
	cli_axes_print_found(&axes, file);
}

/*
 * Opens the models of a program for a command that queries them.
 */

/* From so many runs on a model takes 3 s of processor time (0.1 ms a run at as many sizes), which is
   announced. */
enum { MANY_RUNS = 30000 };

/* Without runs on the requested machine, predict from instructions at that machine's pace. If that is
 * impossible, too, `err` says why there are no runs. */
static enum ft_status open_elsewhere(struct cli_models *models, const char *name, const char *device,
				     const char *machine, const struct ft_cycles *cycles, struct ft_err *err)
{
	struct ft_err why = {0};
	enum ft_status status =
		ft_ask_open_on(&models->answerer, models->store, name, device, NULL, models->here, &why);

	if (!status)
		status = ft_ask_elsewhere(models->answerer, machine, cycles, &why);
	if (status)
		*err = why;
	return status;
}

int cli_models_open(struct cli_models *models, const char *store_path, const char *name, const char *device,
		    const char *machine)
{
	return cli_models_open_for(models, store_path, name, device, machine, NULL);
}

static int open_store(struct cli_models *models, const char *store_path, const char *name)
{
	struct ft_travel shipped;

	*models = (struct cli_models){0};
	/* A model that came with the program answers before there is a store. */
	enum ft_status found = ft_travel_find(&shipped, NULL, name, NULL);
	ft_travel_clear(&shipped);
	CLI_TRY(cli_store_open(&models->store, store_path, found ? CLI_ANSWER : CLI_WRITE));
	models->here = ft_tell_machine_here(models->store);
	return CLI_DONE;
}

/* The largest time limit that a run met; NaN: none did. */
static double most_limit(const struct cli_models *models)
{
	const struct ft_runs *runs = ft_ask_runs(models->answerer);
	double most = NAN;

	for (size_t i = 0; i < runs->n; i++)
		most = fmax(most, ft_run_limit(&runs->run[i], &ft_wall_s));
	return most;
}

/* Report the result; without a model everything is closed again. */
static int end_opening(struct cli_models *models, const char *name, enum ft_status opened,
		       const struct ft_err *err)
{
	int status = CLI_DONE;
	char limit[FT_UNIT_LENGTH];

	if (opened) {
		status = cli_error(err);
		if (err->status == FT_ENOENT && !err->remedy[0])
			cli_hint("foretime list shows what there is");
	} else if (!ft_ask_resource(models->answerer, 0) && most_limit(models) > 0) {
		(void)cli_fail("no run of '%s' ended well: the longest was ended at its limit, after %s: it "
			       "takes at "
			       "least that\n"
			       "hint: allow runs more time, or measure smaller sizes",
			       name, ft_value_format(most_limit(models), "s", limit));
		status = CLI_NO;
	} else if (!ft_ask_resource(models->answerer, 0)) {
		(void)cli_fail("no run of '%s' ended well: there is no model\n"
			       "hint: see how they ended: foretime show %s",
			       name, name);
		status = CLI_NO;
	}
	if (status != CLI_DONE)
		cli_models_close(models);
	else if (ft_ask_count(models->answerer) >= MANY_RUNS && isatty(STDERR_FILENO) == 1)
		cli_note("'%s' has %zu runs: a model of them, where there is none yet, takes some seconds to "
			 "make",
			 name, ft_ask_count(models->answerer));
	return status;
}

int cli_models_open_version(struct cli_models *models, const char *store_path, const char *name,
			    const char *device, const char *hash, const char *machine)
{
	struct ft_err err = {0};

	CLI_TRY(open_store(models, store_path, name));
	models->named = machine != NULL;
	enum ft_status opened = ft_ask_open_version(&models->answerer, models->store, name, device, hash,
						    machine, models->here, &err);
	return end_opening(models, name, opened, &err);
}

int cli_models_open_for(struct cli_models *models, const char *store_path, const char *name,
			const char *device, const char *machine, const struct ft_cycles *cycles)
{
	struct ft_err err = {0};
	enum ft_status opened;

	CLI_TRY(open_store(models, store_path, name));
	models->named = machine != NULL;
	if (cycles && machine && cycles->cpi > 0) {
		opened = open_elsewhere(models, name, device, machine, cycles, &err);
	} else {
		opened = (cycles ? ft_ask_open_models : ft_ask_open_on)(
			&models->answerer, models->store, name, device, machine, models->here, &err);
		if (opened == FT_ENOENT && cycles && machine)
			opened = open_elsewhere(models, name, device, machine, cycles, &err);
	}
	return end_opening(models, name, opened, &err);
}

bool cli_names_program(const struct cli_words *words)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	const char *word = words->n ? words->word[0] : NULL;

	return word && word[strspn(word, letters)] != '=';
}

void cli_models_close(struct cli_models *models)
{
	if (!models)
		return;
	ft_ask_close(models->answerer);
	ft_store_close(models->store);
	*models = (struct cli_models){0};
}

int cli_query_words(struct ft_query *query, const struct cli_words *words, const char *what,
		    const char *example)
{
	query->name = words->word[0];
	for (size_t i = 1; i < words->n; i++) {
		char *equals = strchr(words->word[i], '=');

		if (!equals || equals == words->word[i])
			return cli_fail("'%s' is no %s\nhint: %s", words->word[i], what, example);
		if (query->n == FT_QUERY_WORDS)
			return cli_fail("more than %d values", (int)FT_QUERY_WORDS);
		*equals = '\0';
		query->word[query->n++] = (struct ft_query_word){words->word[i], equals + 1, false};
	}
	return CLI_DONE;
}

int cli_beside_read(const struct cli_beside *beside, struct ft_ask_load *load)
{
	*load = (struct ft_ask_load){.threads = beside->threads,
				     .sharing = beside->niced ? FT_SHARING_NICED : FT_SHARING_FAIR};
	if (beside->view && !ft_load_view_parse(beside->view, &load->view))
		return cli_fail("--load is idle, usual or now, not '%s'", beside->view);
	return CLI_DONE;
}

const char *cli_load_text(enum ft_load_view view)
{
	return view == FT_LOAD_USUAL ? " under the usual load"
	       : view == FT_LOAD_NOW ? " under the present load"
				     : "";
}

const char *cli_resource_title(const struct ft_resource *resource)
{
	static const struct {
		const struct ft_resource *resource;
		const char *title;
	} titles[] = {{&ft_wall_s, "wall time"},
		      {&ft_cpu_s, "processor time"},
		      {&ft_peak_tree_bytes, "memory"},
		      {&ft_peak_rss_bytes, "memory of its largest process"},
		      {&ft_energy_j, "energy"}};

	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
		if (titles[i].resource == resource)
			return titles[i].title;
	return resource->name;
}

const struct ft_resource *cli_models_resource(const struct cli_models *models, const char *query)
{
	const struct ft_resource *found;
	struct ft_err err = {0};

	if (!ft_ask_find(models->answerer, query, &found, &err))
		return found;
	(void)cli_error(&err);
	return NULL;
}

const struct ft_resource *cli_resource_typed(const char *word)
{
	const struct ft_resource *found = ft_resource_typed(word);

	if (!found)
		(void)cli_fail("unknown resource '%s'\n"
			       "hint: foretime machine info lists what can be measured",
			       word);
	return found;
}

/* Changes of the program since its runs. */
static size_t print_changes(const struct cli_models *models, FILE *file)
{
	const struct ft_program *program = ft_ask_program(models->answerer);
	char age[FT_TELL_AGE], *now;
	int64_t since_ns;
	size_t older = ft_ask_older(models->answerer, &since_ns), n = older > 0;

	if (older)
		fprintf(file, "the program changed %s: %zu run%s of the older one %s not used\n",
			ft_tell_age(since_ns, age), older, older == 1 ? "" : "s", older == 1 ? "is" : "are");
	if (!program->argv || !program->hash || !*program->hash ||
	    ft_ask_machine(models->answerer)->id != models->here)
		return n;
	now = cli_program_hash(models->store, program);
	if (*now && strcmp(now, program->hash) != 0) {
		fprintf(file,
			"the executable changed since these runs: foretime build %s measures it again\n",
			program->name);
		n++;
	}
	free(now);
	return n;
}

char *cli_failing_text(const struct cli_models *models)
{
	const struct ft_run *run = ft_ask_failing(models->answerer);
	size_t axis[FT_PARAMS_MAX], n, i;

	if (!run)
		return NULL;
	n = ft_ask_axes(models->answerer, axis);
	CLI_OWN char *at = cli_strdup("");
	for (i = 0; i < n; i++) {
		char digits[FT_NUMBER_LENGTH];
		cli_reprint(&at, "%s%s%s=%s", at, i ? " " : "",
			    ft_ask_program(models->answerer)->param[axis[i]].name,
			    ft_number_format(run->size.value[axis[i]], digits));
	}
	CLI_OWN char *why = cli_failure_text(run->outcome, run, run->detail);
	char *text = cli_printed("from %s on no run ended well: %s", at, why);
	return text;
}

bool cli_models_busy(const struct cli_models *models)
{
	return ft_ask_all(models->answerer).slow_down >= 1.05;
}

size_t cli_models_warnings(const struct cli_models *models, FILE *file)
{
	CLI_OWN char *failing = cli_failing_text(models);
	size_t n = 0;

	if (!ft_ask_runs(models->answerer)->n)
		return 0;
	if (!models->named && ft_ask_machine(models->answerer)->id != models->here) {
		fprintf(file, "measured on another machine; foretime build measures on this one\n");
		n++;
	}
	n += print_changes(models, file);
	if (failing)
		fprintf(file, "%s\n", failing);
	return n + (failing != NULL);
}

void cli_models_headline(const struct cli_models *models, FILE *file)
{
	const struct ft_machine *machine = ft_ask_machine(models->answerer);
	const struct ft_runs *runs = ft_ask_runs(models->answerer);
	char *text = cli_machine_text(machine);
	char age[FT_TELL_AGE];

	if (!runs->n) {
		fprintf(file, "%s: no run, only %s\n", ft_ask_program(models->answerer)->name,
			ft_ask_travel(models->answerer) ? "a model from elsewhere" : "what was stated");
		free(text);
		return;
	}
	const size_t kept = ft_ask_count(models->answerer), all = kept + ft_ask_folded(models->answerer);
	char singly[64] = "";
	if (all > kept)
		(void)snprintf(singly, sizeof singly, ", of which %zu are kept singly", kept);
	fprintf(file, "%s on %s: %zu run%s%s, the newest %s%s\n", ft_ask_program(models->answerer)->name,
		text, all, all == 1 ? "" : "s", singly, ft_tell_age(ft_runs_newest(runs)->started_ns, age),
		all == 1 ? "; 1 run: variation not known" : "");
	(void)cli_models_warnings(models, file);
	free(text);
}

/* ---- a manager ----------------------------------------------------------------------------------------- */

static const struct ft_tell_row *row_of(const struct ft_tell_record *record, const char *key)
{
	const struct ft_tell_row *row = record ? record->row : NULL;

	for (; row && (row->kind != FT_TELL_END || row->key || row->head); row++)
		if (row->key && !strcmp(row->key, key))
			return row;
	return NULL;
}

/* A value that is neither an object nor a list, with the unit that its row states ("": that of the answer).
 */
static char *cell_of(const json_t *value, const struct ft_tell_row *row, const char *unit)
{
	const char *own = row && row->unit ? *row->unit ? row->unit : unit : "";
	char text[FT_UNIT_LENGTH], digits[FT_NUMBER_LENGTH];

	if (json_is_string(value))
		return cli_strdup(json_string_value(value));
	if (!json_is_number(value))
		return cli_strdup(json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "");
	const double number = json_number_value(value);
	return cli_strdup(!strcmp(own, "+-") || !strcmp(own, "%") ? ft_share_format(number, text)
			  : *own && *own != '.'                   ? ft_value_format(number, own, text)
								  : ft_number_format(number, digits));
}

static bool is_single(const json_t *value)
{
	return !json_is_object(value) && !json_is_array(value);
}

/* Whether an object fits in a line of a table. */
static bool is_line(const json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)object, key, value)
	{
		if (!is_single(value))
			return false;
	}
	return true;
}

/* A column for each member of the first item that has one value. */
static void print_items(const json_t *list, const struct ft_tell_record *of, const char *unit)
{
	json_t *first = json_array_get(list, 0), *cell;
	struct cli_table table = {0};
	const char *column;

	json_object_foreach(first, column, cell)
	{
		CLI_OWN char *head = cli_printed("%s%s", json_is_number(cell) ? ">" : "", column);

		if (is_single(cell))
			cli_table_head(&table, head);
	}
	for (size_t i = 0; i < json_array_size(list); i++) {
		json_object_foreach(first, column, cell)
		{
			CLI_OWN char *text = cell_of(json_object_get(json_array_get(list, i), column),
						     row_of(of, column), unit);

			if (is_single(cell))
				cli_table_add(&table, "%s", text);
		}
	}
	cli_table_print(&table, stdout);
}

/* Print an object: a line for each member, lists of objects as tables. Parameters have no row. */
static void print_answer(const char *lead, const json_t *object, const struct ft_tell_record *record,
			 const char *unit)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)object, key, value)
	{
		const struct ft_tell_row *row = row_of(record, key);
		const struct ft_tell_record *of = row ? row->of : NULL;
		const json_t *first = json_array_get(value, 0);
		CLI_OWN char *name = cli_printed("%s%s%s", lead, *lead ? " " : "", key);
		CLI_OWN char *text = is_single(value) ? cell_of(value, row, unit) : cli_strdup("");

		if (json_is_object(value) ||
		    (json_array_size(value) == 1 && !is_single(first) && !is_line(first))) {
			print_answer(name, json_is_object(value) ? value : first, of, unit);
			continue;
		}
		if (json_array_size(value) && !is_single(first)) {
			printf("\n%s\n", name);
			print_items(value, of, unit);
			continue;
		}
		for (size_t i = 0; i < json_array_size(value); i++) {
			CLI_OWN char *item = cell_of(json_array_get(value, i), row, unit);

			cli_reprint(&text, "%s%s%s", text, i ? ", " : "", item);
		}
		if (*text && strcmp(key, "schema") != 0)
			printf("%-18s %s\n", name, text);
	}
}

int cli_manager_tell(const struct ft_question *question, const struct ft_tell_record *record,
		     const struct cli_words *words, bool json)
{
	struct ft_text target = {0};
	struct ft_err err = {0};
	json_t *answer;

	ft_text_add(&target, "/%s", question->name);
	if (words->n) {
		char *name = cli_given(ft__http_encode(words->word[0]));

		ft_text_add(&target, "/%s", name);
		free(name);
	} else if (!question->all) {
		return cli_fail("which program? '%s' needs its NAME\nhint: foretime list shows the names",
				question->name);
	}
	for (size_t i = 0; i < words->n_given; i++) {
		const char *name = words->given[i].name, *value = words->given[i].value;

		if (ft_field_find(question->fields, name, strlen(name)))
			ft_tell_target_add(&target, "", name, value ? value : "1");
		else if (ft_word_at("json|manager|verbose", name) == SIZE_MAX)
			return cli_fail("--manager does not go with --%s\n"
					"hint: leave out --manager: the store answers the rest",
					name);
	}
	for (size_t i = 1; i < words->n; i++) {
		char *equals = strchr(words->word[i], '=');

		if (!equals)
			return cli_size_refuse(words->word[i], "n");
		*equals = '\0';
		ft_tell_target_add(&target, "size.", words->word[i], equals + 1);
	}
	if (ft_tell_ask(NULL, ft_text_take(&target), &answer, &err)) {
		(void)cli_error(&err);
		if (err.status == FT_ENOENT)
			cli_hint("begin one with foretime serve --socket default, or leave out --manager");
		return CLI_WRONG;
	}
	if (json) {
		cli_json_print(answer, stdout);
		return CLI_DONE;
	}
	print_answer("", answer, record, json_string_value(json_object_get(answer, "unit")));
	json_decref(answer);
	return CLI_DONE;
}

const char *cli_name_word(const struct cli_command *command, const struct cli_words *words)
{
	if (words->n == 1 && !words->separated)
		return words->word[0];
	if (!words->n)
		(void)cli_word_missing(words, 0);
	else
		(void)cli_fail("'%s' takes one NAME, not '%s'\n"
			       "hint: foretime list shows the names, foretime %s --help the usage",
			       command->name, words->n > 1 ? words->word[1] : "--", command->name);
	return NULL;
}
