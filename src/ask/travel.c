/* SPDX-License-Identifier: GPL-3.0-or-later */
/* travel.c - models that travel between machines as text: a table of what typical runs cost at some sizes.
 *
 * The file holds numbers and names, and nothing that is evaluated. A model is fitted to its numbers where it is
 * read, so that a file of one version of foretime serves another one. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "base/csv.h"
#include "base/text.h"
#include "foretime/base.h"
#include "num/num.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file has no more bytes and rows, and a size no more runs that stand for its noise. */
enum { FILE_MOST = 1 << 20, ROWS_MOST = 4096, RUNS_MOST = 5 };

static const char check_key[] = "# check: ";
static const char *const folders[] = {"/usr/local/share/foretime/models", "/usr/share/foretime/models"};

void ft_travel_clear(struct ft_travel *travel)
{
	/* Nearly always it is empty; its program alone has 17 KB to be set to zero. */
	if (!travel ||
	    (!travel->program.name && !travel->licence && !travel->origin && !travel->part && !travel->text))
		return;
	for (size_t i = 0; i < travel->n; i++) {
		ft_free(travel->part[i].at);
		ft_model_free(travel->part[i].model);
	}
	ft_free(travel->part);
	ft_free(travel->text);
	ft_free(travel->licence);
	ft_free(travel->origin);
	ft_program_clear(&travel->program);
	*travel = (struct ft_travel){0};
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* The last line is a CRC of all before it. */
static enum ft_status check_whole(const char *name, const char *text, size_t length, struct ft_err *err)
{
	size_t at = length;
	char sum[16];

	if (memchr(text, '\0', length))
		return ft_fail(err, FT_EPARSE, "%s: a zero byte is no part of a model", name);
	while (at && text[at - 1] == '\n')
		at--;
	while (at && text[at - 1] != '\n')
		at--;
	(void)snprintf(sum, sizeof sum, "%08lx", (unsigned long)ft_hash_crc(0, text, at));
	if (length - at >= sizeof check_key - 1 + 8 && !strncmp(text + at, check_key, sizeof check_key - 1) &&
	    !strncmp(text + at + sizeof check_key - 1, sum, 8))
		return FT_OK;
	(void)ft_fail(err, FT_EPARSE, "%s: damaged, or changed since it was exported", name);
	return ft_remedy(err, "export it again: foretime export NAME --model -o NAME.model");
}

static enum ft_status take_note(const struct ft_csv *csv, const char *key, char **out, struct ft_err *err)
{
	const char *value = ft_csv_note(csv, key);

	*out = value ? ft_strdup(value) : NULL;
	return value && !*out ? ft_nomem(err) : FT_OK;
}

/* "n=64:3000 m=1,2,4" */
static enum ft_status read_params(const char *name, const char *words, struct ft_program *program,
				  struct ft_err *err)
{
	char word[FT_LIST_MAX * 26 + FT_PARAM_LENGTH];

	while (words && *words) {
		size_t length = strcspn(words, " ");

		if (length && (program->n_params == FT_PARAMS_MAX || length >= sizeof word))
			return ft_fail(err, FT_EPARSE, "%s: too many parameters", name);
		if (length) {
			(void)snprintf(word, sizeof word, "%.*s", (int)length, words);
			FT_TRY(ft_param_parse(word, &program->param[program->n_params], err));
			for (size_t i = 0; i < program->n_params; i++)
				if (!strcmp(program->param[i].name, program->param[program->n_params].name))
					return ft_fail(err, FT_EPARSE, "%s: parameter '%s' twice", name,
						       program->param[i].name);
			program->n_params++;
		}
		words += length + (words[length] == ' ');
	}
	return program->n_params ? FT_OK : ft_fail(err, FT_EPARSE, "%s: no parameters are named", name);
}

static struct ft_travel_part *find_part(struct ft_travel *travel, const struct ft_resource *resource)
{
	for (size_t i = 0; i < travel->n; i++)
		if (travel->part[i].resource == resource)
			return &travel->part[i];
	return NULL;
}

static enum ft_status read_row(struct ft_travel *travel, const struct ft_csv *csv, size_t row,
			       const int *column, struct ft_err *err)
{
	const struct ft_resource *resource = ft_resource_find(ft_csv_cell(csv, row, (size_t)column[0]));
	struct ft_travel_point point = {.size = {.n = travel->program.n_params}};
	double runs;

	if (!resource || !resource->predicted) /* one of another version of foretime */
		return FT_OK;
	FT_TRY(ft_csv_number(csv, row, (size_t)column[1], false, &point.value, err));
	FT_TRY(ft_csv_number(csv, row, (size_t)column[2], false, &point.deviation, err));
	FT_TRY(ft_csv_number(csv, row, (size_t)column[3], false, &runs, err));
	for (size_t i = 0; i < point.size.n; i++)
		FT_TRY(ft_csv_number(csv, row, (size_t)column[4 + i], false, &point.size.value[i], err));
	if (!(point.value > 0 && point.value < 1e300) || !(point.deviation >= 0 && point.deviation < 10) ||
	    !(runs >= 1 && runs < 1e15) || runs != floor(runs))
		return ft_fail(err, FT_EPARSE, "%s: line %zu: no such cost", travel->program.name,
			       ft_csv_line(csv, row));
	point.runs = (size_t)runs;
	struct ft_travel_part *part = find_part(travel, resource);

	if (!part) {
		struct ft_travel_part *grown =
			ft_grow(travel->part, travel->n, &travel->capacity, sizeof *grown);

		if (!grown)
			return ft_nomem(err);
		travel->part = grown;
		part = &grown[travel->n++];
		*part = (struct ft_travel_part){.resource = resource};
	}
	struct ft_travel_point *grown = ft_grow(part->at, part->n, &part->capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	part->at = grown;
	grown[part->n++] = point;
	return FT_OK;
}

static enum ft_status read_table(struct ft_travel *travel, const char *name, const struct ft_csv *csv,
				 struct ft_err *err)
{
	static const char *const fixed[] = {"resource", "value", "deviation", "runs"};
	const char *version = ft_csv_note(csv, "foretime model"), *hash = ft_csv_note(csv, "version"),
		   *program = ft_csv_note(csv, "program");
	int column[4 + FT_PARAMS_MAX];

	if (!version || strcmp(version, "1") != 0) {
		(void)ft_fail(err, FT_EPARSE, "%s: %s", name,
			      version ? "a model of a later version" : "no model that foretime exported");
		return ft_remedy(err, "such files begin with '# foretime model: 1'");
	}
	if (!program || !*program)
		return ft_fail(err, FT_EPARSE, "%s: the program has no name", name);
	travel->program.name = ft_strdup(program);
	travel->program.hash = ft_strdup(hash ? hash : "");
	if (!travel->program.name || !travel->program.hash)
		return ft_nomem(err);
	FT_TRY(take_note(csv, "licence", &travel->licence, err));
	FT_TRY(take_note(csv, "measured", &travel->origin, err));
	FT_TRY(read_params(name, ft_csv_note(csv, "parameters"), &travel->program, err));
	for (size_t i = 0; i < 4 + travel->program.n_params; i++) {
		const char *word = i < 4 ? fixed[i] : travel->program.param[i - 4].name;

		column[i] = ft_csv_column(csv, word);
		if (column[i] < 0)
			return ft_fail(err, FT_EPARSE, "%s: no column '%s'", name, word);
	}
	if (ft_csv_rows(csv) > ROWS_MOST)
		return ft_fail(err, FT_EPARSE, "%s: more than %d rows", name, ROWS_MOST);
	for (size_t i = 0; i < ft_csv_rows(csv); i++)
		FT_TRY(read_row(travel, csv, i, column, err));
	return travel->n ? FT_OK
			 : ft_fail(err, FT_EPARSE, "%s: no resource of this version of foretime", name);
}

enum ft_status ft_travel_parse(struct ft_travel *out, const char *name, const char *text, size_t length,
			       struct ft_err *err)
{
	struct ft_csv *csv = NULL;

	*out = (struct ft_travel){0};
	if (length > FILE_MOST)
		return ft_fail(err, FT_EPARSE, "%s: larger than any model", name);
	FT_TRY(check_whole(name, text, length, err));
	FT_TRY(ft_csv_parse(name, text, length, ',', &csv, err));
	enum ft_status status = read_table(out, name, csv, err);
	ft_csv_free(csv);
	out->text = status ? NULL : ft_malloc(length + 1);
	if (!status && !out->text)
		status = ft_nomem(err);
	if (status) {
		ft_travel_clear(out);
		return status;
	}
	memcpy(out->text, text, length);
	out->text[length] = '\0';
	/* Of a double, so that it is stored exactly; never 0. */
	out->mark = 1 + (double)(ft_hash_bytes(FT_HASH_START, text, length) >> 12);
	return FT_OK;
}

enum ft_status ft_travel_read(struct ft_travel *out, const char *path, struct ft_err *err)
{
	FILE *file = fopen(path, "rbe");
	char *text = file ? ft_malloc(FILE_MOST + 2) : NULL;

	*out = (struct ft_travel){0};
	if (!file)
		return ft_fail(err,
			       errno == ENOENT   ? FT_ENOENT
			       : errno == EACCES ? FT_EACCESS
						 : FT_EIO,
			       "cannot open '%s': %s", path, strerror(errno));
	size_t length = text ? fread(text, 1, FILE_MOST + 1, file) : 0;
	enum ft_status status = !text          ? ft_nomem(err)
				: ferror(file) ? ft_fail(err, FT_EIO, "cannot read '%s'", path)
					       : ft_travel_parse(out, path, text, length, err);
	(void)fclose(file);
	ft_free(text);
	return status;
}

/* ---- the model of a part ------------------------------------------------------------------------------- */

/* Runs that stand for those of a point: about its value, as far apart as single runs there. */
static size_t runs_of(const struct ft_travel_point *point, struct ft_observation *out)
{
	size_t n = point->runs < RUNS_MOST ? point->runs : RUNS_MOST;

	for (size_t i = 0; i < n; i++) {
		double z = n > 1 ? ft_normal_quantile(((double)i + 0.5) / (double)n) : 0;

		out[i] = (struct ft_observation){.size = point->size,
						 .work = 1,
						 .value = point->value * exp(point->deviation * z),
						 .noise = point->deviation};
	}
	return n;
}

enum ft_status ft_travel_model(struct ft_travel *travel, const struct ft_resource *resource,
			       const struct ft_prior *prior, const struct ft_model **out, struct ft_err *err)
{
	struct ft_travel_part *part = find_part(travel, resource);
	size_t axis[FT_PARAMS_MAX], n_axes = 0, n = 0;

	*out = part ? part->model : NULL;
	if (!part)
		return ft_fail(err, FT_ENOENT, "the model of '%s' has no %s", travel->program.name,
			       resource->name);
	if (part->model)
		return FT_OK;
	for (size_t k = 0; k < travel->program.n_params; k++)
		for (size_t i = 1; i < part->n; i++)
			if (part->at[i].size.value[k] != part->at[0].size.value[k]) {
				axis[n_axes++] = k;
				break;
			}
	if (!n_axes)
		axis[n_axes++] = ft_program_varying(&travel->program);
	const struct ft_model_options options = {.axis = axis,
						 .n_axes = n_axes,
						 .of = resource->of,
						 .through_speed =
							 resource->of == FT_CLASS_TIME && n_axes == 1,
						 .prior = prior};
	struct ft_observation *o = ft_malloc(part->n * RUNS_MOST * sizeof *o);
	if (!o)
		return ft_nomem(err);
	for (size_t i = 0; i < part->n; i++)
		n += runs_of(&part->at[i], o + n);
	enum ft_status status = ft_model_fit(&part->model, o, n, &options, err);
	ft_free(o);
	*out = part->model;
	return status;
}

bool ft_travel_has(const struct ft_travel *travel, const struct ft_resource *resource)
{
	for (size_t i = 0; i < travel->n; i++)
		if (travel->part[i].resource == resource)
			return true;
	return false;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* The knots of a model, thinned: more sizes show no more of a shape. */
enum { POINTS_MOST = 200 };

static enum ft_status write_part(struct ft_answerer *a, const struct ft_resource *resource,
				 struct ft_text *text, size_t *rows, struct ft_err *err)
{
	static const double confidence = 0.9;
	const double normal = ft_normal_quantile((1 + confidence) / 2);
	struct ft_size any = ft_ask_any_size(a);
	const struct ft_model_record *record;
	struct ft_prediction p;
	size_t n;

	if (ft_ask_model(a, resource, &any, &record, NULL))
		return FT_OK;
	const struct ft_knot *knot = ft_model_knots(record->model, &n);
	size_t step = (n + POINTS_MOST - 1) / POINTS_MOST;
	for (size_t i = 0; i < n; i = i + 1 == n || i + step < n ? i + step : n - 1) {
		if (ft_ask_predict(a, resource, &knot[i].size, confidence, &p, NULL) || !(p.value > 0) ||
		    p.zeros || !isfinite(p.upper) || !(p.lower > 0))
			continue;
		double deviation = log(p.upper / p.lower) / 2 / normal;
		double typical = isnan(p.known) ? 0 : log1p(p.known) / normal;

		ft_text_add(text, "%s", resource->name);
		for (size_t k = 0; k < knot[i].size.n; k++) {
			ft_text_add(text, ",");
			ft_text_add_number(text, knot[i].size.value[k]);
		}
		ft_text_add(text, ",%.7g,%.3g,%zu\n", p.value,
			    fmin(sqrt(fmax(0, deviation * deviation - typical * typical)), 9), knot[i].runs);
		++*rows;
	}
	return text->failed ? ft_nomem(err) : FT_OK;
}

static void write_params(const struct ft_program *program, struct ft_text *text)
{
	char range[FT_LIST_MAX * 26];

	ft_text_add(text, "# parameters:");
	for (size_t i = 0; i < program->n_params; i++) {
		const struct ft_param *param = &program->param[i];

		(void)ft_param_format(param, range, sizeof range);
		ft_text_add(text, " %s%s%s", param->name, *range ? "=" : "", range);
	}
	ft_text_add(text, "\n");
}

enum ft_status ft_travel_write(struct ft_answerer *a, const char *licence, const char *laws, char **out,
			       struct ft_err *err)
{
	const struct ft_machine *machine = &a->machine;
	const struct ft_resource *resource;
	struct ft_text text = {0};
	enum ft_status status = FT_OK;
	char origin[512];
	size_t rows = 0;

	*out = NULL;
	(void)snprintf(origin, sizeof origin, "%s%s%s%s, %zu runs, foretime " FT_VERSION,
		       machine->host ? machine->host : "a machine", machine->cpu ? " (" : "",
		       machine->cpu ? machine->cpu : "", machine->cpu ? ")" : "", a->n_runs);
	ft_text_add_note(&text, "foretime model", "1");
	ft_text_add_note(&text, "program", a->program.name);
	ft_text_add_note(&text, "version", a->program.hash);
	ft_text_add_note(&text, "measured", origin);
	ft_text_add_note(&text, "licence", licence);
	write_params(&a->program, &text);
	ft_text_add(&text, "%s", laws ? laws : "");
	ft_text_add(&text, "resource");
	for (size_t i = 0; i < a->program.n_params; i++)
		ft_text_add(&text, ",%s", a->program.param[i].name);
	ft_text_add(&text, ",value,deviation,runs\n");
	for (size_t i = 0; !status && (resource = ft_ask_resource(a, i)); i++)
		if (ft_resource_find(resource->name) == resource && ft__ask_has_value(a, resource))
			status = write_part(a, resource, &text, &rows, err);
	if (!status && !rows)
		status = ft_fail(err, FT_ENOMODEL, "'%s' has no model that could be exported",
				 a->program.name);
	if (!status && text.s)
		ft_text_add(&text, "%s%08lx\n", check_key,
			    (unsigned long)ft_hash_crc(0, text.s, text.length));
	if (status) {
		ft_text_clear(&text);
		return status;
	}
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

/* ---- where models are kept ----------------------------------------------------------------------------- */

static void key_of(const char *name, char *key, size_t size)
{
	(void)snprintf(key, size, "model from elsewhere %s", name);
}

enum ft_status ft_travel_keep(struct ft_store *store, const char *name, const struct ft_travel *travel,
			      struct ft_err *err)
{
	char key[512];

	key_of(name, key, sizeof key);
	return ft_store_put_known(store, key, travel ? travel->text : NULL, err);
}

/* FOLDER/NAME.model; a name with a slash is none of a file's. FT_ENOENT: there is none. */
static enum ft_status read_from(struct ft_travel *out, const char *folder, const char *below,
				const char *name, struct ft_err *err)
{
	char path[4096];

	if (!folder || !*folder || strchr(name, '/') || *name == '.' ||
	    (size_t)snprintf(path, sizeof path, "%s%s/%s.model", folder, below, name) >= sizeof path ||
	    access(path, F_OK)) /* nearly always */
		return FT_ENOENT;
	return ft_travel_read(out, path, err);
}

enum ft_status ft_travel_find(struct ft_travel *out, struct ft_store *store, const char *name,
			      struct ft_err *err)
{
	const char *own = getenv("FORETIME_MODELS"), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	char key[512], *text = NULL;
	enum ft_status status;

	*out = (struct ft_travel){0};
	key_of(name, key, sizeof key);
	status = store ? ft_store_get_known(store, key, &text, NULL) : FT_ENOENT;
	if (!status) {
		status = ft_travel_parse(out, name, text, strlen(text), err);
		ft_free(text);
		return status;
	}
	if (own) /* this folder alone */
		return read_from(out, own, "", name, NULL);
	status = data && *data == '/' ? read_from(out, data, "/foretime/models", name, NULL)
				      : read_from(out, home, "/.local/share/foretime/models", name, NULL);
	for (size_t i = 0; status && i < sizeof folders / sizeof *folders; i++)
		status = read_from(out, folders[i], "", name, NULL);
	return status;
}
