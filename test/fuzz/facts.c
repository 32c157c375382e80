/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - what a model is made of, as a number. */
#include "made.h"

#include <string.h>

uint64_t fuzz_mix(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *byte = bytes;

	for (; n; n--)
		hash = (hash ^ *byte++) * 0x100000001b3;
	return hash;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	return text ? fuzz_mix(hash, text, strlen(text) + 1) : fuzz_mix(hash, "\1", 2);
}

/* Of all that stands in it but its number in the store. */
static uint64_t mix_run(uint64_t hash, const struct ft_run *run)
{
	const double number[] = {
		run->exit_status, run->signal,      run->warmup,          run->real,           run->cost_s,
		run->work,        run->load_before, run->runnable_before, run->runnable_after, run->pressure,
		run->processors,  run->cpu_hz,      run->asked_s,         run->asked_bytes,    run->outcome};

	hash = fuzz_mix(fuzz_mix(hash, number, sizeof number), run->size.value,
			run->size.n * sizeof *run->size.value);
	hash = fuzz_mix(hash, &run->started_ns, sizeof run->started_ns);
	hash = mix_text(mix_text(mix_text(hash, run->routine), run->version), run->detail);
	for (size_t i = 0; i < run->n_samples; i++) {
		const struct ft_sample *sample = &run->sample[i];

		hash = fuzz_mix(fuzz_mix(hash, &sample->value, sizeof sample->value), &sample->label,
				sizeof sample->label);
		hash = mix_text(mix_text(mix_text(hash, sample->resource->name), sample->probe),
				sample->reason);
	}
	return hash;
}

uint64_t fuzz_mix_facts(const struct ft_program *program, const struct ft_runs *runs)
{
	uint64_t hash = fuzz_mix(FUZZ_MIX, &runs->n, sizeof runs->n);

	hash = mix_text(mix_text(hash, program->work), program->where);
	hash = mix_text(mix_text(mix_text(hash, program->name), program->method), program->device);
	for (size_t i = 0; i < program->n_params; i++) {
		const struct ft_param *param = &program->param[i];
		const double number[] = {param->least, param->most, param->stride, param->factor,
					 (double)param->n_list};

		hash = mix_text(fuzz_mix(hash, number, sizeof number), param->name);
		hash = fuzz_mix(hash, param->list, param->n_list * sizeof *param->list);
	}
	for (size_t i = 0; i < runs->n; i++)
		hash = mix_run(hash, &runs->run[i]);
	return hash;
}
