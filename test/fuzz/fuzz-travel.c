/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-travel.c - any text as a model from another machine. It is refused with words, or its models answer soundly.
 * A text without its check gets one, else nothing would pass. */
#include "ask/door.h"
#include "base/alloc.h"
#include "base/text.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

#define HEAD "# foretime model: 1\n# program: p\n# version: 00\n# measured: a machine\n# licence: CC0-1.0\n"

const char *const fuzz_travel_seeds[] = {
	HEAD "# parameters: "
	     "n=100:1000\nresource,n,value,deviation,runs\nwall_s,100,0.1,0.01,3\nwall_s,300,0.9,0.02,3\n"
	     "wall_s,1000,9,0,1\npeak_rss_bytes,100,4096,0,2\npeak_rss_bytes,1000,81920,0.1,2\n",
	HEAD "# parameters: n=1:64:*2 "
	     "m=1,2,4\nresource,n,m,value,deviation,runs\nwall_s,1,1,1,0.1,1\nwall_s,2,1,2,0.1,1\n"
	     "wall_s,4,2,8,0.1,2\nwall_s,64,4,300,0.1,1\n",
	HEAD "# parameters: n\nresource,n,value,deviation,runs\ninstructions,5,1e9,0,1\n",
	HEAD "# parameters: n=1:9\nresource,n,value,deviation,runs\nwall_s,5,1,0,1\n# check: 00000000\n",
	NULL,
};

const char *const fuzz_travel_pieces[] = {
	"# ",        ": ",    ",",   "\n",    "wall_s", "resource", "# parameters: ",
	"n=1:9",     "m=1,2", " ",   "-1",    "0",      "1e308",    "5e-324",
	"1e-300",    "nan",   "inf", "1e300", "9",      "0.5",      "\"",
	"# check: ", "\x1b",  "k,",  NULL,
};

static const char *check_part(struct ft_travel *travel, const struct ft_travel_part *part)
{
	const struct ft_model *model;
	struct ft_err err = {0};
	struct ft_prediction p;
	enum ft_status status = ft_travel_model(travel, part->resource, NULL, &model, &err);

	if (status)
		return fuzz_is_told(status, &err) ? NULL : "a table without a model says why";
	for (size_t i = 0; i < part->n && i < 8; i++) {
		struct ft_size size = part->at[i].size;

		for (size_t k = 0; k < size.n; k++)
			size.value[k] *= 1 + (double)(i % 3);
		status = ft_model_predict(model, &size, NAN, 0.9, &p, &err);
		if (status ? !fuzz_is_told(status, &err)
			   : !(p.lower <= p.value && p.value <= p.upper && p.lower >= 0 && isfinite(p.upper)))
			return "an answer is sound";
	}
	return NULL;
}

const char *fuzz_travel(const uint8_t *bytes, size_t length)
{
	struct ft_text text = {0};
	struct ft_travel travel;
	struct ft_err err = {0};
	const char *broken = NULL;

	/* Many sizes take a second to fit, and show no more. */
	if (length > 2048)
		length = 2048;
	ft_text_add_bytes(&text, (const char *)bytes, length);
	if (length && bytes[length - 1] == '\n')
		ft_text_add(&text, "# check: %08lx\n", (unsigned long)ft_hash_crc(0, bytes, length));
	enum ft_status status = ft_travel_parse(&travel, "fuzzed", text.s ? text.s : "", text.length, &err);
	if (status)
		broken = fuzz_is_told(status, &err) && !travel.n ? NULL : "a text that is refused says why";
	for (size_t i = 0; !status && !broken && i < travel.n; i++)
		broken = check_part(&travel, &travel.part[i]);
	ft_travel_clear(&travel);
	ft_text_clear(&text);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_travel)
#endif
