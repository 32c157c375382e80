/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-callgrind.c - any bytes as a file of callgrind: refused with words, or functions whose costs add up. */
#include "facts/door.h"
#include "foretime/measure.h"
#include "fuzz.h"
#include "measure/door.h"

#include <math.h>
#include <string.h>

const char *const fuzz_callgrind_seeds[] = {
	"version: 1\npid: 7\ncmd: ./a 5\npart: 1\npositions: line\nevents: Ir\nsummary: 660\n\nob=(1) "
	"/bin/a\n"
	"fl=(1) a.c\nfn=(1) main\n16 20\ncob=(2) /lib/c.so\ncfi=(2) b.c\ncfn=(3) qsort\ncalls=2 50\n+1 400\n"
	"cfn=(2) helper\ncalls=1 5\n* 240\n\nfn=(2)\n5 240\n\nob=(2)\nfl=(2)\nfn=(3)\n50 400\n\ntotals: "
	"660\n",
	"events: Ir\nfn=(1) fib\n1 10\ncfn=(2) fib'2\ncalls=1 0\n1 40\nfn=(2)\n1 40\ncfn=(2)\ncalls=9 0\n1 "
	"300\n"
	"totals: 50\n",
	"events: Dr Ir\npositions: instr line\nfn=main\n0x10 3 1 20\nfi=v.h\n0x14 4 0 5\nfe=a.c\njump=1 "
	"2\n3\n"
	"totals: 25\n",
	NULL,
};

const char *const fuzz_callgrind_pieces[] = {
	"fn=(1)",
	"cfn=(2) x",
	"calls=1 1\n1 5\n",
	"(65535)",
	"(-1)",
	"events: Ir\n",
	"positions: instr\n",
	"fi=(3) h\n",
	"ob=(1) y\n",
	"totals: 1\n",
	"part: 2\n",
	"1 1e300\n",
	"'2",
	"0x0000000000001234",
	"::h0123456789abcdef",
	"+1 5\n",
	"* 5\n",
	NULL,
};

const char *fuzz_callgrind(const uint8_t *bytes, size_t length)
{
	struct ft_profile profile = {0};
	struct ft_err err = {0};
	enum ft_status status = ft_profile_read(&profile, fuzz_file(bytes, length), &err);
	const char *broken = NULL;
	double sum = 0;

	if (status)
		broken = profile.n || profile.calls || !fuzz_is_told(status, &err)
				 ? "a refusal has words and leaves nothing"
				 : NULL;
	for (size_t i = 0; i < profile.n && !broken; i++) {
		const struct ft_profile_function *f = &profile.function[i];

		sum += f->exclusive;
		if (!(f->exclusive >= 0 && f->inclusive >= f->exclusive && isfinite(f->inclusive)))
			broken = "a function takes what it takes, and what it calls";
		else if (!f->name || !f->object || !f->file)
			broken = "a function has a name";
	}
	for (size_t i = 0; i < profile.calls && !broken; i++)
		if (profile.call[i].from >= profile.n || profile.call[i].to >= profile.n ||
		    profile.call[i].from == profile.call[i].to)
			broken = "a call is between two functions";
	if (!status && !broken && fabs(sum - profile.instructions) > 1e-9 * sum)
		broken = "functions add up to the whole";
	ft_profile_clear(&profile);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_callgrind)
#endif
