/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cap.c - `foretime energy cap`: how many cores may work under a limit of power. */
#include "cli/answers.h"
#include "cli/energy/energy.h"
#include "foretime/units.h"

#include <math.h>
#include <string.h>

enum { CORES_MOST = 1000000 };

/* As typed. */
struct energy_cap_question {
	double limit_w, per, most;
};

static int read_question(const struct cli_energy *e, struct energy_cap_question *q)
{
	struct ft_err err = {0};
	enum ft_status status = FT_OK;

	*q = (struct energy_cap_question){.limit_w = NAN, .per = NAN, .most = NAN};
	for (size_t i = 0; i < e->words && !status; i++) {
		const char *word = e->word[i];

		if (!strncmp(word, "power=", 6))
			status = ft_value_parse(word + 6, "W", &q->limit_w, &err);
		else if (!strncmp(word, "cores=", 6))
			status = ft_number_parse(word + 6, &q->per, &err);
		else if (!strncmp(word, "most=", 5))
			status = ft_number_parse(word + 5, &q->most, &err);
		else
			return cli_fail("energy cap knows no '%s'", word);
	}
	if (status)
		return cli_error(&err);
	if (isnan(q->most))
		q->most = q->per;
	if (q->limit_w > 0 && q->per >= 1 && q->most >= 1 && q->most <= CORES_MOST)
		return CLI_DONE;
	return cli_fail("energy cap needs power=LIMIT, cores=N of a machine, and most=N of all, %d at most\n"
			"hint: write foretime energy cap power=2kW cores=16 most=64 --model FILE.json",
			CORES_MOST);
}

#define CAP struct ft_power_cap
static const struct ft_tell_row rows[] = {
	{FT_TELL(CAP, cores), .about = "0: not even one keeps the limit"},
	{FT_TELL(CAP, machines)},
	{FT_TELL_AS("peak_w", CAP, watts), .null = "no core keeps the limit"},
	{FT_TELL_AS("lower_w", CAP, lower), .null = "the powers were stated, not measured"},
	{FT_TELL_AS("upper_w", CAP, upper), .null = "the powers were stated, not measured"},
	{FT_TELL(CAP, next_w), .about = "of one core more, the upper end", .null = "there are no more"},
	{0},
};
const struct ft_tell_record cli_energy_cap_told = {
	.name = "energy", .action = "cap", .version = 1, .row = rows};

static void say_cap(const struct cli_energy *e, const CAP *cap)
{
	char text[3][FT_UNIT_LENGTH];

	printf("%g core%s on %g machine%s: %s", cap->cores, cap->cores == 1 ? "" : "s", cap->machines,
	       cap->machines == 1 ? "" : "s", ft_value_format(cap->watts, "W", text[0]));
	if (!isnan(cap->lower))
		printf("  (%s .. %s in %.0f %% of readings)", ft_value_format(cap->lower, "W", text[1]),
		       ft_value_format(cap->upper, "W", text[2]), 100 * e->confidence);
	if (isnan(cap->next_w))
		printf("\nall of them keep the limit\n");
	else
		printf("\none more: up to %s\n", ft_value_format(cap->next_w, "W", text[0]));
}

int cli_energy_cap(void *asked)
{
	struct cli_energy *e = asked;
	char text[2][FT_UNIT_LENGTH];
	struct energy_cap_question q;
	struct ft_err err = {0};
	CAP cap;
	CLI_TRY(cli_energy_power(e));
	CLI_TRY(read_question(e, &q));
	if (ft_power_capped(&e->power, q.limit_w, q.per, (size_t)q.most, e->confidence, &cap, &err))
		return cli_error(&err);
	if (e->json)
		cli_tell(&cli_energy_cap_told, &cap, NULL);
	else if (cap.cores > 0)
		say_cap(e, &cap);
	else
		(void)cli_fail("not even one core keeps %s: it draws up to %s",
			       ft_value_format(q.limit_w, "W", text[0]),
			       ft_value_format(cap.next_w, "W", text[1]));
	return cap.cores > 0 ? CLI_DONE : CLI_NO;
}
