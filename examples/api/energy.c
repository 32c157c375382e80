/* SPDX-License-Identifier: 0BSD */
/* energy.c - find the power of a machine and of its cores in measured runs, and the cheapest number of cores:
 *
 *	cc energy.c $(pkg-config --cflags --libs foretime) -o energy
 *	./energy
 */
#define _POSIX_C_SOURCE 200809L
#include <foretime/energy.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Cores, seconds in all and with all cores at work, joules: 60 W of the machine, 8 W of each core. */
static const char table[] = "n,t_wall,t_job,energy\n"
			    "1,100,100,6805\n"
			    "1,60,60,4078\n"
			    "2,52,50,3939\n"
			    "2,90,88,6830\n"
			    "4,28,25,2505\n"
			    "4,55,53,5010\n"
			    "8,16,13,1819\n"
			    "8,31,28,3670\n";

int main(void)
{
	char path[] = "/tmp/example-XXXXXX";
	int file = mkstemp(path);
	static struct ft_energy_runs runs; /* static: zero-initialised */
	static struct ft_energy_fit_options options;
	static struct ft_energy_fit fit;
	struct ft_sweet_spot spot;
	struct ft_err err;

	if (file < 0 || write(file, table, sizeof table - 1) != (ssize_t)(sizeof table - 1) || close(file)) {
		perror(path);
		return 1;
	}
	/* Of a job of 100 s on one core, 5 % of it serial, on a machine of 16 cores. */
	bool good = !ft_energy_runs_read(&runs, path, true, NULL, &err) &&
		    !ft_energy_fit(&fit, &runs, &options, &err) &&
		    !ft_power_sweet_spot(&fit.power, 100, 0.05, 16, 16, false, &spot, NULL, &err);

	if (!good)
		fprintf(stderr, "energy: %s; %s\n", err.text, err.remedy);
	for (size_t i = 0; good && i < fit.power.parts; i++)
		printf("%s: %.1f W +- %.2f W\n", fit.power.part[i], fit.power.watts[i], fit.interval_w[i]);
	if (good)
		printf("least energy on %g cores: %.0f J in %.1f s\n", spot.cores, spot.joules, spot.seconds);
	bool right = good && fit.power.parts == 2 && fit.power.watts[0] > 57 && fit.power.watts[0] < 63 &&
		     fit.power.watts[1] > 7 && fit.power.watts[1] < 9 && spot.joules > 1400 &&
		     spot.joules < 1500;

	ft_energy_fit_clear(&fit);
	ft_energy_runs_clear(&runs);
	unlink(path);
	return !right;
}
