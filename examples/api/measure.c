/* SPDX-License-Identifier: 0BSD */
/* measure.c - run a program at a size, and print what was measured, or why it could not be:
 *
 *	cc measure.c $(pkg-config --cflags --libs foretime) -o measure
 *	./measure
 */
#include <foretime/measure.h>

#include <stdio.h>

int main(void)
{
	static char command[] = "sleep", argument[] = "{s}"; /* {s} becomes the value of the parameter s */
	static char *argv[] = {command, argument, NULL};
	static struct ft_program program; /* static: zero-initialised */
	static struct ft_launch launch;
	static struct ft_machine machine;
	static struct ft_runs runs;
	struct ft_source *source = NULL;
	struct ft_size size = {1, {0.05}};
	struct ft_err err;
	enum ft_status status = ft_param_parse("s=0.05:0.5", &program.param[0], &err);

	program.n_params = 1;
	program.argv = argv;
	program.argc = 2;
	launch.program = &program;
	if (!status)
		status = ft_machine_read("", &machine, &err);
	if (!status)
		status = ft_source_open_process(&source, &launch, &err);
	if (!status)
		status =
			ft_source_run(source, &size, 0, 10, &runs, &err); /* ended after 10 s at the latest */
	ft_source_close(source);
	if (status)
		fprintf(stderr, "measure: %s; %s\n", err.text, err.remedy);
	else
		printf("on %s, sleep 0.05: %s\n", machine.cpu ? machine.cpu : "this machine",
		       ft_outcome_text(runs.run[0].outcome));
	for (size_t i = 0; !status && i < runs.run[0].n_samples; i++) {
		const struct ft_sample *sample = &runs.run[0].sample[i];

		if (sample->label == FT_UNAVAILABLE)
			printf("  %s: %s\n", sample->resource->name, sample->reason);
		else
			printf("  %s: %g (%s, %s)\n", sample->resource->name, sample->value,
			       ft_label_text(sample->label), sample->probe);
	}
	bool right = !status && runs.run[0].outcome == FT_DONE && ft_run_value(&runs.run[0], &ft_wall_s) > 0;

	ft_runs_clear(&runs);
	ft_machine_clear(&machine);
	return status == FT_EUNAVAIL ? 77 : !right; /* foretime-helper is not installed: skipped */
}
