/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-hours.c - what a run takes that begins at an hour to come, by what others wanted at such hours. */
#include "tap.h"
#include "temp.h"

#include "foretime/ask.h"

#include "ask-test.h"
#include "ask/door.h"
#include "load/door.h"
#include "store/door.h"

#include <stdlib.h>
#include <time.h>

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S, DAYS = 8, EACH_S = 1800 };

static int64_t midnight_s; /* that ends the history, UTC */

/* Runs of n seconds, all of it on one processor. */
static void add_runs(void)
{
	int64_t id = add_program("seconds", "n=10:2000", NULL);

	for (int n = 25; n <= 2000; n *= 2)
		for (int i = 0; i < 3; i++)
			add_run(id, made_run(1, n, 0, n * (1 + 0.002 * i), NAN, n * (1 + 0.002 * i)));
}

/* Of two processors others want both, and more, from 8 to 18 o'clock, and next to nothing else. */
static void add_history(void)
{
	for (int64_t at = midnight_s - DAYS * DAY_S; at < midnight_s; at += EACH_S) {
		int64_t hour = at / HOUR_S % 24;
		struct ft_load load = {.started_ns = at * 1000000000,
				       .interval_s = EACH_S,
				       .load = hour >= 8 && hour < 18 ? 4 : 0.1,
				       .busy = NAN,
				       .steal = NAN,
				       .iowait = NAN,
				       .processors = 2};

		(void)ft_store_add_load(store, machine, &load, NULL);
	}
}

static struct ft_answerer *open_at(int hour, enum ft_sharing sharing)
{
	struct ft_answerer *models = open_models("seconds");

	ft_ask_under(models,
		     &(struct ft_ask_load){.view = FT_LOAD_AT,
					   .sharing = sharing,
					   .at_ns = (midnight_s + DAY_S + hour * HOUR_S) * 1000000000});
	return models;
}

static struct ft_prediction ask(struct ft_answerer *models, double n)
{
	struct ft_size size = size_of(n);
	struct ft_prediction p = {.value = NAN};
	struct ft_err err = {0};

	if (ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, &err))
		diag("%s", err.text);
	return p;
}

static void test_hours(void)
{
	struct ft_answerer *noon = open_at(12, FT_SHARING_FAIR), *night = open_at(3, FT_SHARING_FAIR);
	struct ft_prediction day = ask(noon, 200), quiet = ask(night, 200);
	const struct ft_load_answer_hour *told = ft_ask_hour(noon);
	struct ft_load_worth worth;

	ok(near(quiet.value, 200, 0.1) && day.value > 1.5 * quiet.value && day.value < 3.5 * quiet.value &&
		   day.lower <= day.value && day.value <= day.upper,
	   "200 s: at night %.0f, at noon %.0f (%.0f .. %.0f)", quiet.value, day.value, day.lower, day.upper);
	ok(told && told->days >= 4 && told->load > 3 && told->lower <= told->upper && told->lower > 1.5 &&
		   ft_ask_hour(night) && ft_ask_hour(night)->load < 0.5,
	   "what it rests on: %zu days on which others wanted %.1f", told ? told->days : 0,
	   told ? told->load : 0);
	ok(ft_ask_hours_worth(noon, &worth), "and what choosing the hour is worth");
	ft_ask_close(noon);
	ft_ask_close(night);
}

/* One answerer asked about several lengths and hours says what a fresh one says. */
static void test_again(void)
{
	struct ft_answerer *models = open_at(12, FT_SHARING_FAIR), *fresh;
	const double n[] = {100, 1600, 100};
	const int hour[] = {12, 12, 17};
	int bad = 0;

	for (int i = 0; i < 3; i++) {
		fresh = open_at(hour[i], FT_SHARING_FAIR);
		ft_ask_under(models, &(struct ft_ask_load){.view = FT_LOAD_AT,
							   .at_ns = (midnight_s + DAY_S + hour[i] * HOUR_S) *
								    1000000000});
		struct ft_prediction p = ask(models, n[i]);
		struct ft_prediction q = ask(fresh, n[i]);
		bad += p.value != q.value || p.lower != q.lower || p.upper != q.upper ||
		       ft_ask_hour(models)->load != ft_ask_hour(fresh)->load;
		ft_ask_close(fresh);
	}
	ok(!bad, "other lengths and hours: as a fresh one says, %d of 3 are not", bad);
	ft_ask_close(models);
}

static void test_refused(void)
{
	struct ft_answerer *models = open_at(12, FT_SHARING_NICED), *idle = open_models("seconds");
	struct ft_size size = size_of(200);
	struct ft_prediction p;
	struct ft_load_worth worth;
	struct ft_err err = {0};

	ok(ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, &err) == FT_EINVAL &&
		   strstr(err.remedy, "--niced"),
	   "%s; %s", err.text, err.remedy);
	ok(!ft_ask_hour(models) && !ft_ask_hours_worth(models, &worth) && !ft_ask_hour(idle),
	   "nothing is told then");
	ft_ask_close(models);
	ft_ask_close(idle);
}

int main(void)
{
	(void)setenv("TZ", "UTC", 1);
	tzset();
	midnight_s = (int64_t)time(NULL) / DAY_S * DAY_S;
	open_store();
	add_runs();
	add_history();
	test_hours();
	test_again();
	test_refused();
	ft_store_close(store);
	temp_remove();
	return done();
}
