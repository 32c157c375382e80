/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-machine.c - what a machine is called. */
#include "tap.h"

#include "facts/door.h"
#include "foretime/facts.h"

int main(void)
{
	char host[] = "box", digits[] = "00000000000000aa";
	const struct ft_machine both = {.host = host, .fingerprint = digits};
	const struct ft_machine nameless = {.fingerprint = digits}, unknown = {0};

	ok(ft_machine_is_called(&both, "box"), "its host");
	ok(ft_machine_is_called(&both, "00000000000000aa"), "its fingerprint");
	ok(!ft_machine_is_called(&both, "bo") && !ft_machine_is_called(&both, "boxes") &&
		   !ft_machine_is_called(&both, "00000000"),
	   "not what begins alike");
	ok(!ft_machine_is_called(&both, ""), "not nothing");
	ok(ft_machine_is_called(&nameless, "00000000000000aa") && !ft_machine_is_called(&nameless, "box"),
	   "one without a host");
	ok(!ft_machine_is_called(&unknown, "box"), "one of which nothing is known");
	return done();
}
