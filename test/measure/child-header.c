/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child-header.c - foretime-probe.h included first, compiled as several languages. */
#include "foretime-probe.h"

int main(int argc, char **argv)
{
	struct ft_probe probe = FT_PROBE_INIT;

	(void)argv;
	if (argc > 1)
		ft_probe_invalid();
	ft_probe_start(&probe);
	ft_probe_stop(&probe);
	ft_probe_report("nothing", 0, &probe);
	ft_probe_progress(1, 2);
	return 0;
}
