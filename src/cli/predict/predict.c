/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.c - predicts the cost of a run at any size, with an interval and the evidence behind it. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/predict/predict.h"
#include "foretime/base.h"
#include "foretime/measure.h"
#include "http/client.h"
#include "tell/answers.h"
#include "tell/tell.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Predict through a manager: a question for each size, and answers parsed by their rows.
 */

struct asking {
	const struct cli_words *words;
	struct cli_agent *agent; /* --ask: its only manager; n = 0: the one of this user */
	char *socket;
	json_t *output; /* the first answer, with the predictions of all */
};

/* The needs of the largest size, as when all are queried at once (ft_tell_predict_ask). */
static double most_needed(const json_t *answer)
{
	const json_t *passes = json_object_get(answer, "passes");
	size_t n = json_array_size(passes);

	return n ? ft_tell_get_number(json_array_get(passes, n - 1), "needed") : 0;
}

static int ask_one(struct asking *asking, const char *const *name, const double *value, size_t n)
{
	const struct cli_words *words = asking->words;
	char digits[FT_NUMBER_LENGTH], *program = cli_given(ft__http_encode(words->word[0]));
	struct ft_text target = {0};
	struct ft_err err = {0};
	json_t *answer;

	ft_text_add(&target, "/predict/%s", program);
	free(program);
	for (size_t i = 0; i < words->n_given; i++)
		if (ft_field_find(ft_question_predict.fields, words->given[i].name,
				  strlen(words->given[i].name)))
			ft_tell_target_add(&target, "", words->given[i].name,
					   words->given[i].value ? words->given[i].value : "1");
	for (size_t i = 0; i < n; i++)
		ft_tell_target_add(&target, "size.", name[i], ft_number_format(value[i], digits));
	if (asking->agent->n) {
		if (!cli_agent_ask(asking->agent, &target, &ft_tell_predict, NULL))
			return CLI_WRONG;
		answer = json_incref(asking->agent->manager[0].answer);
	} else if (ft_tell_ask(asking->socket, ft_text_take(&target), &answer, &err)) {
		(void)cli_error(&err);
		if (err.status == FT_ENOENT)
			cli_hint("begin one with foretime serve --socket default, or leave out --manager");
		return CLI_WRONG;
	}
	if (!asking->output) {
		asking->output = json_incref(answer);
	} else {
		(void)json_array_extend(json_object_get(asking->output, "predictions"),
					json_object_get(answer, "predictions"));
		if (most_needed(answer) > most_needed(asking->output))
			(void)json_object_set(asking->output, "passes", json_object_get(answer, "passes"));
	}
	json_decref(answer);
	return CLI_DONE;
}

/* ---- for people ---------------------------------------------------------------------------------------- */

static const char *get_text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

/* A key that is no field of a prediction is a parameter. */
static bool is_field(const char *key)
{
	const struct ft_tell_row *row;

	for (row = ft_tell_prediction.row; row->kind != FT_TELL_END || row->key || row->head; row++)
		if (row->key && !strcmp(row->key, key))
			return true;
	return false;
}

static void print_predictions(const struct asking *asking)
{
	json_t *output = asking->output, *p, *value;
	const char *key;
	CLI_OWN char *runs = cli_runs_within(ft_tell_get_number(output, "confidence"));
	struct ft_program program = {0};
	struct ft_tell_with with = {.program = &program, .unit = get_text(output, "unit"), .runs = runs};
	struct cli_table table = {0};
	size_t i;

	json_array_foreach(json_object_get(output, "predictions"), i, p)
	{
		struct ft_answer_prediction one = {.source = "", .cost = {NAN, NAN}, .cpu_s = NAN};
		size_t basis = ft_word_at(FT_TELL_BASES, get_text(p, "basis"));

		if (json_object_get(p, "resource"))
			(void)ft_resource_named(get_text(p, "resource"), &one.resource, NULL);
		one.prediction = (struct ft_prediction){
			.value = ft_tell_get_number(p, "value"),
			.lower = ft_tell_get_number(p, "lower"),
			.upper = ft_tell_get_number(p, "upper"),
			.known = ft_tell_get_number(p, "accuracy"),
			.basis = basis == SIZE_MAX ? FT_BASIS_STATED : (enum ft_basis)basis,
			.distance = ft_tell_get_number(p, "distance"),
			.runs = (size_t)json_integer_value(json_object_get(p, "runs")),
			.zeros = (size_t)json_integer_value(json_object_get(p, "zeros"))};
		json_object_foreach(p, key, value)
		{
			if (is_field(key) || one.size.n == FT_PARAMS_MAX)
				continue;
			(void)snprintf(program.param[one.size.n].name, FT_PARAM_LENGTH, "%s", key);
			one.size.value[one.size.n++] = json_number_value(value);
			program.n_params = one.size.n;
		}
		cli_table_tell(&table, &ft_tell_prediction, &one, 1, &with);
	}
	printf("%s: %s on %s, from the manager at %s\n", get_text(output, "name"),
	       get_text(output, "resource"), get_text(json_object_get(output, "machine"), "host"),
	       asking->socket);
	cli_table_print(&table, stdout);
}

/* predict_manager - words: NAME, and values of parameters; options that are fields of the question are
 * sent as they were typed. Returns the exit status. */
static int predict_manager(const struct cli_words *words, struct cli_agent *agent, bool json)
{
	struct asking asking = {words, agent, NULL, NULL};
	int status = cli_agent_open(agent);

	if (status == CLI_DONE && agent->n > 1)
		status = cli_fail("--ask is about one manager here, not %zu\n"
				  "hint: foretime plan rank asks several, and orders them",
				  agent->n);
	asking.socket = agent->n ? cli_strdup(agent->manager[0].address) : cli_given(ft__http_socket());
	if (status == CLI_DONE) {
		struct ft_values values = {0};
		size_t step[FT_PARAMS_MAX] = {0}, i;
		const char *name[FT_PARAMS_MAX];
		double value[FT_PARAMS_MAX];

		for (i = 1; i < words->n && status == CLI_DONE; i++)
			status = cli_values_add(&values, words->word[i]);
		if (status == CLI_DONE && values.n)
			status = cli_values_count(&values, words->word[words->n - 1]);
		while (status == CLI_DONE) {
			ft_values_get(&values, step, name, value);
			status = ask_one(&asking, name, value, values.n);
			if (!ft_values_next(&values, step))
				break;
		}
		ft_values_clear(&values);
	}
	if (status == CLI_DONE && json)
		cli_json_print(json_incref(asking.output), stdout);
	else if (status == CLI_DONE)
		print_predictions(&asking);
	json_decref(asking.output);
	free(asking.socket);
	cli_agent_close(agent);
	return status;
}

/*
 * Predicts the cost of a run at any size, with an interval and the evidence behind it.
 */

/* The query. */
struct predict_question {
	struct ft_query query;
	const char *store_path, *sizes_path;
	bool json, csv, verbose;
	bool all; /* resources */
	bool manager;
	struct cli_agent agent;
	bool when;
	const char *at; /* as typed */
	const char *powers;
	size_t power_runs; /* number of runs behind the stored powers */
	struct cli_price price;
	struct ft_ask_load load;
	struct ft_cycles cycles;
	struct cli_sizes sizes;
};

/* ---- the answers -------------------------------------------------------------------------------------- */

/* Something that prints answers one by one. */
struct predict_printer {
	const struct predict_question *question;
	const struct cli_models *models;
	struct ft_tell_with with;
	size_t predicted;
	struct cli_table table;
	json_t *predictions;
	FILE *csv; /* in memory: nothing is printed if a later size has no answer */
	char *csv_text;
	size_t csv_length;
	bool unbounded;       /* there are answers without an interval */
	double instructions;  /* at the last size, if predicted from another machine's pace */
	struct ft_pace ratio; /* at the last size, if predicted from calibrations; s = 0: not so */
	bool corrected;       /* wall times are of an idle machine, and the runs were made on a busy one */
	bool law_known;       /* of the present resource */
	char law[FT_TELL_LAW];
	struct ft_answer_predict output;
};

static const char *name_of(const struct ft_machine *machine)
{
	return machine->host ? machine->host : machine->fingerprint ? machine->fingerprint : "this machine";
}

/* The source of the answer, in words; the caller frees it. */
static char *source_of(const struct predict_printer *printer, const struct ft_prediction *p)
{
	const struct ft_machine *there = ft_ask_elsewhere_machine(printer->models->answerer);

	if (p->level == FT_LEVEL_POWER && printer->question->powers)
		return cli_printed("powers stated (--powers)");
	if (p->level == FT_LEVEL_POWER)
		return cli_printed("powers of %s, of %zu runs",
				   name_of(ft_ask_answered_machine(printer->models->answerer)),
				   printer->question->power_runs);
	if (p->level == FT_LEVEL_ROWS && there)
		return cli_printed("times of %s, calibrations of both",
				   name_of(ft_ask_machine(printer->models->answerer)));
	if (p->level != FT_LEVEL_CYCLES || !there)
		return cli_strdup(ft_level_text(p->level));
	return cli_printed("instructions of %s, cycles of %s",
			   name_of(ft_ask_machine(printer->models->answerer)), name_of(there));
}

/* Printed at once: there may be many. */
static void add_answer(struct predict_printer *printer, const struct ft_resource *resource,
		       const struct ft_size *size, const struct ft_prediction *p)
{
	struct ft_answerer *answerer = printer->models->answerer;
	const struct predict_question *question = printer->question;
	CLI_OWN char *source = source_of(printer, p);
	/* There is one. NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
	bool priced = resource == &ft_energy_j && cli_price_stated(&question->price);
	const struct ft_answer_price *price = &question->price.answer;
	struct ft_answer_prediction output = {
		.resource = question->all ? resource : NULL,
		.size = *size,
		.prediction = *p,
		.source = source,
		.cost = priced ? ft_tell_cost_of(price, p->value)
			       : (struct ft_answer_cost){resource == &ft_wall_s
								 ? cli_price_cost(price, answerer, size,
										  p->value)
								 : (double)NAN,
							 NAN},
		.cpu_s = NAN};
	struct ft_prediction cpu;

	if (question->csv) {
		cli_tell_csv(printer->csv, &ft_tell_prediction, &output, 1, &printer->with,
			     !printer->predicted++);
		return;
	}
	if (question->json) {
		cli_json_append(printer->predictions,
				cli_tell_json(&ft_tell_prediction, &output, &printer->with));
		return;
	}
	if (p->basis == FT_BASIS_BEYOND && p->level == FT_LEVEL_MODEL) {
		if (!printer->law_known)
			(void)ft_tell_law(answerer, resource, size, printer->law);
		printer->law_known = true;
		output.law = printer->law[0] ? printer->law : NULL;
	}
	/* Background load hardly changes a run's processor time. */
	if (resource == &ft_wall_s && !question->all && printer->corrected &&
	    !ft_ask_predict(answerer, &ft_cpu_s, size, question->query.confidence, &cpu, NULL))
		output.cpu_s = cpu.value;
	cli_table_tell(&printer->table, &ft_tell_prediction, &output, 1, &printer->with);
}

static void look_for_instructions(struct predict_printer *printer, const struct ft_size *size)
{
	struct ft_prediction p;

	if (ft_ask_elsewhere_machine(printer->models->answerer) &&
	    !ft_ask_predict(printer->models->answerer, &ft_instructions, size,
			    printer->question->query.confidence, &p, NULL))
		printer->instructions = p.value;
}

static int answer_resource(struct predict_printer *printer, const struct ft_resource *resource)
{
	const struct predict_question *question = printer->question;
	struct ft_err why = {0};
	size_t silent = 0;

	/* There is one. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
	printer->with.unit = resource->unit;
	printer->law_known = false;
	for (size_t i = 0; i < question->sizes.n; i++) {
		struct ft_prediction p;
		struct ft_err err = {0};
		enum ft_status status = ft_tell_predict_ask(&printer->output, printer->models->answerer,
							    resource, &question->sizes.size[i], &p, &err);

		if (status && status != FT_ENOMODEL)
			return cli_error(&err);
		if (status) { /* one size without an answer does not prevent those of the rest */
			why = silent++ ? why : err;
			continue;
		}
		printer->unbounded |= isnan(p.lower);
		look_for_instructions(printer, &question->sizes.size[i]);
		if (p.level == FT_LEVEL_ROWS)
			(void)ft_ask_row_ratio(printer->models->answerer, &question->sizes.size[i],
					       &printer->ratio, NULL);
		add_answer(printer, resource, &question->sizes.size[i], &p);
	}
	if (silent == question->sizes.n)
		return cli_error(&why);
	if (silent)
		cli_note("%zu of %zu sizes have no answer: %s", silent, question->sizes.n, why.text);
	return CLI_DONE;
}

/* The machine that is answered for; a law that was stated answers for this one. */
static const struct ft_machine *machine_of(const struct cli_models *models, struct ft_machine *here)
{
	const struct ft_machine *there = ft_ask_elsewhere_machine(models->answerer);

	if (there)
		return there;
	if (ft_ask_machine(models->answerer)->fingerprint || ft_machine_read("", here, NULL))
		return ft_ask_machine(models->answerer);
	return here;
}

static void end_json(struct predict_printer *printer, const struct ft_resource *resource)
{
	const struct cli_models *models = printer->models;
	struct ft_answer_predict *output = &printer->output;
	struct ft_machine here = {0};

	output->load = printer->question->load.view;
	output->price = printer->question->price.answer;
	output->at.begins_ns = printer->question->load.at_ns;
	output->machine = machine_of(models, &here);
	output->predictions = printer->predictions;
	ft_tell_predict_end(output, models->answerer, resource);
	cli_tell(&ft_tell_predict, output, &printer->with);
	ft_machine_clear(&here);
}

static int end_csv(const struct predict_printer *printer)
{
	if (fflush(printer->csv) || ferror(printer->csv))
		return cli_fail("out of memory");
	cli_terminal_whole(true);
	fputs(printer->csv_text, stdout);
	cli_terminal_whole(false);
	return CLI_DONE;
}

/* How times of another machine were derived. */
static void print_elsewhere(const struct predict_printer *printer)
{
	struct ft_answerer *answerer = printer->models->answerer;
	char pace[FT_UNIT_LENGTH];
	struct ft_pace p;

	if (printer->ratio.s > 0)
		printf("%.3g times as long on %s, as %zu micro-benchmarks are, which differ by a factor of "
		       "%.2f\n",
		       printer->ratio.s, name_of(ft_ask_elsewhere_machine(answerer)), printer->ratio.programs,
		       exp(printer->ratio.spread));
	if (printer->ratio.s > 0 || !(printer->instructions > 0) ||
	    ft_ask_pace(answerer, printer->instructions, &p, NULL))
		return;
	ft_value_format(p.s, "s", pace);
	if (p.stated)
		printf("%s an instruction, as stated; the interval is that of the instructions\n", pace);
	else
		printf("%s an instruction, as %zu program%s there take%s\n", pace, p.programs,
		       p.programs == 1 ? "" : "s", p.programs == 1 ? "s" : "");
}

/* Print what affects the use of the numbers, a line each. */
static void print_warnings(struct predict_printer *printer, const struct ft_resource *resource)
{
	const struct cli_models *models = printer->models;
	char *text = NULL;
	size_t length;
	FILE *file = cli_given(open_memstream(&text, &length));

	cli_travel_print(models, resource ? resource : &ft_wall_s, file);
	if (printer->unbounded)
		fprintf(file,
			"no interval: the stated law was never tried; foretime build or run --save tries "
			"it\n");
	if (!printer->question->verbose && ft_ask_count(models->answerer) == 1)
		fprintf(file, "1 run: variation not known\n");
	if (printer->output.change.runs) {
		CLI_OWN char *change = cli_change_text(&printer->output.change);

		fprintf(file, "%s: %s\n", printer->output.changed->name, change);
	}
	/* Levels of memory that no run passed: the last one is where a run pages, or is killed. */
	char bytes[FT_UNIT_LENGTH], held[FT_UNIT_LENGTH], needed[FT_UNIT_LENGTH];

	for (size_t i = 0; i < printer->output.n_passes; i++) {
		const struct ft_pass *pass = &printer->output.pass[i];
		bool last = !strcmp(pass->level, "memory");

		if (!last && !printer->question->verbose)
			continue;
		fprintf(file, "beyond the %s (%s): %s expected, %s in the largest run; %s\n", pass->level,
			ft_value_format(pass->bytes, "bytes", bytes),
			ft_value_format(pass->needed, "bytes", needed),
			ft_value_format(pass->held, "bytes", held),
			last ? "the run would page, or be killed: foretime largest finds what fits"
			     : "no run shows what that costs");
	}
	if (!printer->question->verbose) /* else below the headline */
		(void)cli_models_warnings(models, file);
	if (fclose(file))
		(void)cli_given(NULL);
	if (*text)
		printf("\n%s", text);
	free(text);
}

static void end_text(struct predict_printer *printer, const struct ft_resource *resource)
{
	/* Print what is predicted; with machine and load, unless it is this machine, idle. */
	const struct cli_models *models = printer->models;
	const struct ft_machine *machine = ft_ask_answered_machine(models->answerer);
	const struct ft_ask_load *load = &printer->question->load;

	printf("%s: %s", ft_ask_program(models->answerer)->name,
	       resource ? cli_resource_title(resource) : "all resources");
	if (ft_ask_elsewhere_machine(models->answerer) || (machine->id && machine->id != models->here))
		printf(" on %s", name_of(machine));
	fputs(cli_load_text(load->view), stdout);
	cli_at_print(models->answerer, load->at_ns);
	if (printer->corrected && (!resource || resource == &ft_wall_s))
		printf(", corrected to an idle machine; --load now gives the current load");
	putchar('\n');
	cli_table_print(&printer->table, stdout);
	print_warnings(printer, resource);
	char share[FT_UNIT_LENGTH];

	if (!printer->question->verbose)
		return;
	printf("\ntypical: the middle of many runs; accuracy: how far it may be off, %s sure\n",
	       ft_share_format(printer->question->query.confidence, share));
	if (ft_ask_elsewhere_machine(models->answerer))
		print_elsewhere(printer);
	cli_models_headline(models, stdout);
	cli_axes_print(models, &resource, !printer->question->all, stdout);
	if (printer->output.limited)
		cli_print_evidence(printer->output.limited, &printer->output.facts, stdout);
}

static int answer_all(const struct predict_question *question, const struct cli_models *models)
{
	char *runs = cli_runs_within(question->query.confidence);
	struct predict_printer printer = {
		.question = question,
		.models = models,
		.with = {.program = ft_ask_program(models->answerer),
			 .runs = runs,
			 .verbose = question->verbose},
		.corrected = question->load.view == FT_LOAD_IDLE && cli_models_busy(models) &&
			     !ft_ask_elsewhere_machine(models->answerer),
		.output = {.confidence = question->query.confidence},
		.predictions = question->json ? cli_json_array() : NULL,
	};
	const struct ft_resource *resource =
		question->all ? NULL : cli_models_resource(models, question->query.resource);
	const struct ft_resource *each;
	int status = resource || question->all ? CLI_DONE : CLI_WRONG;

	if (question->csv && !(printer.csv = open_memstream(&printer.csv_text, &printer.csv_length)))
		status = cli_fail("out of memory");
	if (status == CLI_DONE && !question->all)
		status = answer_resource(&printer, resource);
	for (size_t i = 0;
	     question->all && status == CLI_DONE && (each = ft_ask_resource(models->answerer, i)); i++)
		status = answer_resource(&printer, each);
	if (question->json &&
	    (status == CLI_DONE || status == CLI_NO)) /* without an answer: no predictions */
		end_json(&printer, resource);
	else if (status == CLI_DONE && question->csv)
		status = end_csv(&printer);
	else if (status == CLI_DONE)
		end_text(&printer, resource);
	free(runs);
	if (printer.csv)
		(void)fclose(printer.csv);
	free(printer.csv_text);
	json_decref(printer.predictions);
	cli_table_clear(&printer.table);
	return status;
}

static int check_price(const struct predict_question *question)
{
	const struct ft_answer_price *price = &question->price.answer;
	const bool time = price->per_hour > 0 || price->per_core_hour > 0;
	const struct ft_resource *resource =
		question->query.resource ? ft_resource_typed(question->query.resource) : &ft_wall_s;

	if (question->csv && question->all && cli_price_stated(&question->price))
		return cli_fail("--csv has columns of costs if all rows have one: --resource %s",
				time ? "wall_s" : "energy_j");
	if (time && question->price.co2)
		return cli_fail(
			"--price %s is of time, and co2 of energy\nhint: state a price of energy too, in "
			"a call of its own",
			question->price.price);
	if (!cli_price_stated(&question->price) || question->all ||
	    resource == (time ? &ft_wall_s : &ft_energy_j))
		return CLI_DONE;
	if (time)
		return cli_fail("--price %s is of time\nhint: ask for it: --resource wall_s, or all",
				question->price.price);
	return cli_fail("--price and --co2 are of energy\nhint: ask for it: --resource energy_j, or all");
}

/* When it begins, and under which load. */
static int read_load(struct predict_question *question)
{
	question->load = ft_query_load(&question->query);
	if (question->at && !strcmp(question->at, "best")) {
		question->when = true;
		question->at = NULL;
	}
	if (!question->at && !question->when)
		return CLI_DONE;
	if (question->when && (question->csv || (question->query.resource &&
						 ft_resource_typed(question->query.resource) != &ft_wall_s)))
		return cli_fail("--at best is about the wall time, as a table or with --json");
	question->load.view = FT_LOAD_AT;
	return question->at ? cli_at_read(question->at, &question->load.at_ns) : CLI_DONE;
}

static int answer_when(const struct predict_question *question, const struct cli_models *models)
{
	const struct cli_when when = {question->sizes.size, question->query.confidence,
				      question->query.load.threads, question->json};

	if (question->sizes.n != 1)
		return cli_fail("--at best is about one size, not %zu", question->sizes.n);
	return cli_when(&when, models);
}

static int answer_predict(struct predict_question *question, const struct cli_words *words)
{
	struct cli_models models;

	if (!cli_names_program(words))
		return cli_word_missing(words, 0);
	if (read_load(question) != CLI_DONE)
		return CLI_WRONG;
	question->all = question->query.resource && !strcmp(question->query.resource, "all");
	if (cli_price_read(&question->price, true) != CLI_DONE || check_price(question) != CLI_DONE)
		return CLI_WRONG;
	if (question->manager || question->agent.ask.n)
		return predict_manager(words, &question->agent, question->json);
	question->query.name = words->word[0];
	if ((question->cycles.cpi > 0 || question->cycles.hz > 0 || question->cycles.available > 0) &&
	    !question->query.machine)
		return cli_fail("--cpi, hz and available are of which machine?\n"
				"hint: name it with --machine; any word will do when cpi and hz are stated");
	CLI_TRY(cli_models_open_for(&models, question->store_path, question->query.name,
				    question->query.device, question->query.machine, &question->cycles));
	ft_ask_under(models.answerer, &question->load);
	const struct ft_machine *query = ft_ask_elsewhere_machine(models.answerer);
	if (!query)
		query = ft_ask_machine(models.answerer);
	cli_warn_requirements(ft_ask_knowledge(models.answerer), query,
			      !ft_ask_elsewhere_machine(models.answerer) &&
				      (!query->id || query->id == models.here));
	/* The powers that were stated, or those stored for the machine. */
	const struct ft_machine *machine = ft_ask_answered_machine(models.answerer);
	struct ft_power power = {0};
	int status = CLI_DONE;

	if (question->powers && strchr(question->powers, '='))
		status = cli_powers_typed(&power, "--powers", question->powers);
	else if (question->powers)
		status = cli_powers_file(&power, question->powers);
	else if (machine->fingerprint)
		(void)cli_powers_kept(models.store, machine->fingerprint, &power, &question->power_runs);
	if (status == CLI_DONE && power.parts)
		ft_ask_powers(models.answerer, &power);
	if (status == CLI_DONE)
		status = cli_sizes_find(&question->sizes, models.answerer, words, question->sizes_path);
	if (status == CLI_DONE)
		status = question->when ? answer_when(question, &models) : answer_all(question, &models);
	cli_models_close(&models);
	return status;
}

static int run_predict(const struct cli_command *command, int argc, char **argv)
{
	struct predict_question q = {.query = ft_query_usual, .agent = CLI_AGENT_USUAL};
	const struct ft_field options[] = {
		CLI_QUESTION(ft_question_predict, q.query),
		{0, "sizes", FT_FIELD_TEXT, &q.sizes_path, "FILE.csv",
		 "the sizes: a table with a column for each parameter"},
		{0, "manager", FT_FIELD_FLAG, &q.manager, NULL,
		 "ask the manager that runs ($FORETIME_MANAGER), not the store",
		 .not_with = "sizes csv at when cpi hz available powers price co2 store"},
		CLI_AGENT_OPTIONS(q.agent, "manager to ask: https://HOST:PORT or unix:PATH",
				  "manager sizes csv at when cpi hz available powers price co2 store"),
		CLI_FORMAT("text|json|csv", "text (default), json or csv"),
		{0, "csv", FT_FIELD_FLAG, &q.csv, NULL,
		 "print a table for other programs, values in SI units"},
		CLI_VERBOSE(q.verbose),
		{0, "json", FT_FIELD_FLAG, &q.json, NULL, "print one JSON object"},
		CLI_STORE_OPTION(q.store_path),
		CLI_QUESTION_REST(ft_question_predict, q.query),
		{0, "at", FT_FIELD_TEXT, &q.at, "MOMENT",
		 "start time: 22:00, 'sat 06:00', +3h, with the recorded load of that hour; best: the best "
		 "hour of the next week",
		 .not_with = "when load niced"},
		{0, "when", FT_FIELD_FLAG, &q.when, NULL, NULL, .not_with = "load niced csv"},
		CLI_GROUP("a machine without measurements"),
		{0, "cpi", FT_FIELD_NUMBER, &q.cycles.cpi, "C",
		 "cycles per instruction on that machine; default: learned from programs run there"},
		{0, "hz", FT_FIELD_NUMBER, &q.cycles.hz, "F", "its cycles per second, as in 3.2e9",
		 .of = "cpi"},
		{0, "available", FT_FIELD_SHARE, &q.cycles.available, "SHARE",
		 "share of its cycles that the run gets; default: all", .of = "cpi"},
		CLI_GROUP("energy, and what it costs"),
		{0, "powers", FT_FIELD_TEXT, &q.powers, "POWERS",
		 "for energy that no run measured: PART=W,..., or what energy fit --json printed"},
		CLI_PRICE_OPTIONS(q.price, "price of time or energy: 0.10/h, 0.02/core-h, 0.30EUR/kWh"),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	status = answer_predict(&q, &words);
	cli_sizes_clear(&q.sizes);
	return status;
}

const struct cli_command cli_predict = {
	"predict",
	"predict what a run costs at any size",
	"NAME n=2048 [m=100] [OPTION...]\nNAME n=64:3000:64 [OPTION...]\nNAME n=2048 --at 22:00\nNAME n=2048 "
	"--at best\nNAME --sizes "
	"FILE.csv [OPTION...]",
	"Basis: measured (runs of that very size), interpolated (between two sizes), or extrapolated "
	"(beyond\n"
	"them, and by which law). With several ranges, every combination is predicted.\n",
	NULL,
	run_predict,
};
