/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-knowledge.c - any lines as what an expert states: laws, requirements, ranges of parameters. Each is
 * refused with words and changes nothing, or means the same when it is written and read again. */
#include "base/alloc.h"
#include "facts/door.h"
#include "foretime/facts.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

const char *const fuzz_knowledge_seeds[] = {
	"wall_s=2e-9*n^3+0.01\nmemory=8GiB\nprocessors=4\nwall_s=\n",
	"architecture=x86_64\nsoftware=mpirun\nsoftware=cc\n-software=mpirun\n-memory\n",
	"n=64:3000\nn=16:131072:*2\nn=16,32,64\nm=100\nn\nn=1:2:0.25\n",
	"m=9e79\nn=1e22:1.0000001e22:1e-9\nn=1e-320:1:*2\nn=0e22:1.e-320:1\nn=0.5:10.5:1\n",
	"peak_rss_bytes=8*n*m\ninstructions=min(n,m)/0\ncpu_s=-n\n",
	NULL,
};

const char *const fuzz_knowledge_pieces[] = {
	"=",
	":",
	",",
	"*",
	"\n",
	"-",
	"wall_s=",
	"memory=",
	"software=",
	"processors=",
	"n=",
	"1e308",
	"5e-324",
	"-1",
	"0",
	"9007199254740993",
	"GiB",
	"nan",
	"inf",
	"0x10",
	" ",
	"\x1b",
	"1:2:*1.0000001",
	NULL,
};

static const char *check_law(struct ft_knowledge *k, const struct ft_resource *resource, const char *law)
{
	struct ft_program program = {
		.name = (char[]){"p"}, .param = {{.name = "n"}, {.name = "m"}}, .n_params = 2};
	struct ft_size size = {2, {3, 5}};
	size_t before = k->n_stated;
	struct ft_err err = {0};
	double value;
	enum ft_status status = ft_knowledge_state(k, resource, law, &err);

	if (status)
		return k->n_stated != before || !fuzz_is_told(status, &err)
			       ? "a law that is refused changes nothing"
			       : NULL;
	if (!ft_knowledge_law(k, resource) || strcmp(ft_knowledge_law(k, resource), law) != 0)
		return "a law that was stated stands there";
	status = ft_knowledge_value(k, &program, resource, &size, &value, &err);
	if (status)
		return isnan(value) && fuzz_is_told(status, &err) ? NULL : "a law without a value says why";
	return value >= 0 && isfinite(value) ? NULL : "a law has a value that can be";
}

static const char *check_requirement(struct ft_knowledge *k, const char *text)
{
	struct ft_machine machine = {
		.memory_bytes = 1 << 20, .threads = 2, .architecture = (char[]){"x86_64"}};
	struct ft_err err = {0};
	char why[64];
	enum ft_status status = ft_knowledge_require(k, text, &err);
	const struct ft_requirement *last = k->n_requirements ? &k->requirement[k->n_requirements - 1] : NULL;

	if (status)
		return fuzz_is_told(status, &err) ? NULL : "a requirement that is refused is told";
	if (!last || !strstr(text, last->value))
		return "a requirement has the value that was given";
	if (ft_requirement_unmet(last, &machine, false, why, sizeof why) != !!*why)
		return "one that is not met says why";
	for (size_t i = 0; i + 1 < k->n_requirements; i++)
		if (k->requirement[i].kind == last->kind &&
		    (last->kind != FT_REQUIRES_SOFTWARE || !strcmp(k->requirement[i].value, last->value)))
			return "a requirement stands once";
	return NULL;
}

static const char *check_param(const char *text)
{
	static char range[FT_RANGE_LENGTH], whole[FT_RANGE_LENGTH + FT_PARAM_LENGTH];
	struct ft_param param, again;
	struct ft_err err = {0};
	enum ft_status status = ft_param_parse(text, &param, &err);

	if (status)
		return fuzz_is_told(status, &err) ? NULL : "a range that is refused is told";
	struct ft_space space = ft_param_space(&param);
	double count = ft_space_count(&space);
	if (!(isfinite(param.least) && isfinite(param.most) && param.least <= param.most && count >= 1))
		return "a range has values";
	if (!ft_param_admits(&param, param.least) || ft_space_value(&space, 0) != param.least)
		return "the least is one of them";
	(void)ft_param_format(&param, range, sizeof range);
	if (!*range)
		return param.least == 0 && param.most == 0 ? NULL
							   : "only a range to be found is written as none";
	(void)snprintf(whole, sizeof whole, "%s=%s", param.name, range);
	if (ft_param_parse(whole, &again, NULL))
		return "what is written can be read";
	/* A single value has no stride to be written. */
	return again.least == param.least && again.most == param.most && again.n_list == param.n_list &&
			       (param.least == param.most || param.n_list ||
				(again.stride == param.stride && again.factor == param.factor))
		       ? NULL
		       : "the same range again";
}

static const char *check_line(struct ft_knowledge *k, char *line)
{
	char *equal = strchr(line, '=');
	const char *broken = check_param(line);

	if (!broken && *line == '-')
		(void)ft_knowledge_release(k, line + 1, NULL);
	else if (!broken)
		broken = check_requirement(k, line);
	if (broken || !equal)
		return broken;
	*equal = '\0';
	const struct ft_resource *resource = ft_resource_typed(line);
	return resource ? check_law(k, resource, equal + 1) : NULL;
}

const char *fuzz_knowledge(const uint8_t *bytes, size_t length)
{
	char *text = ft_strndup((const char *)bytes, length), *rest = text, *line;
	struct ft_knowledge knowledge = {0};
	const char *broken = NULL;

	while (!broken && (line = strsep(&rest, "\n")))
		broken = check_line(&knowledge, line);
	ft_knowledge_clear(&knowledge);
	ft_free(text);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_knowledge)
#endif
