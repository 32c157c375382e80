/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-params.c - parameters and their ranges, as people type them. */
#include "foretime/facts.h"
#include "tap.h"

static void reads(const char *text, const char *name, double least, double most, double stride)
{
	struct ft_param param;
	struct ft_err err = {0};

	if (!ok(ft_param_parse(text, &param, &err) == FT_OK && !strcmp(param.name, name) &&
			param.least == least && param.most == most && param.stride == stride,
		"'%s' is read", text))
		diag("%s %g:%g:%g %s", param.name, param.least, param.most, param.stride, err.text);
}

static void refuses(const char *text, enum ft_status status)
{
	static const struct ft_param zero;
	struct ft_param param = {.name = "left"};
	struct ft_err err = {0};

	ok(ft_param_parse(text, &param, &err) == status && err.status == status && *err.remedy &&
		   !memcmp(&param, &zero, sizeof zero),
	   "'%.50s' is refused: %s", text, err.text);
}

int main(void)
{
	reads("n=64:3000", "n", 64, 3000, 1);
	reads("n=64:3000:64", "n", 64, 3000, 64);
	reads("m=100", "m", 100, 100, 1);
	reads("n", "n", 0, 0, 1);
	reads("_n2=-1.5:2.5:0.5", "_n2", -1.5, 2.5, 0.5);
	reads("n=1k:2M", "n", 1e3, 2e6, 1);
	reads("n=5:5", "n", 5, 5, 1);
	reads("abcdefghijklmnopqrstuvwxyz12345=1", "abcdefghijklmnopqrstuvwxyz12345", 1, 1, 1);
	reads("n=0:9007199254740991", "n", 0, 0x1p53 - 1, 1);
	refuses("", FT_EPARSE);
	refuses("=5", FT_EPARSE);
	refuses("2n=5", FT_EPARSE);
	refuses("n =5", FT_EPARSE);
	refuses("n-m=5", FT_EPARSE);
	refuses("n:5", FT_EPARSE);
	refuses("n=", FT_EPARSE);
	refuses("n=:", FT_EPARSE);
	refuses("n=1:", FT_EPARSE);
	refuses("n=:5", FT_EPARSE);
	refuses("n=1:2:", FT_EPARSE);
	refuses("n=1:2:3:4", FT_EPARSE);
	refuses("n=a:b", FT_EPARSE);
	refuses("n=1:nan", FT_EPARSE);
	refuses("n=1,5:3", FT_EPARSE);
	refuses("n=10:5", FT_EINVAL);
	refuses("n=1:5:0", FT_EINVAL);
	refuses("n=1:5:-1", FT_EINVAL);
	refuses("n=0:1e16", FT_EINVAL);
	refuses("n=-1e308:1e308:1", FT_EINVAL);
	refuses("n=0:1:1e-300", FT_EINVAL);
	refuses("abcdefghijklmnopqrstuvwxyz123456=1", FT_EINVAL);
	refuses("wall_s=1:2", FT_EINVAL);
	refuses("work=1:2", FT_EINVAL);
	refuses("n=00000000000000000000000000000000000000000000000000000000000000001:2", FT_EPARSE);
	ok(ft_param_parse("?", &(struct ft_param){0}, NULL) == FT_EPARSE, "err may be NULL");
	return done();
}
