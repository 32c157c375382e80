/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io.c - the probes of bytes that the kernel adds up: from and to storage, and through read and write. */
#include "measure/probes.h"

/* Both, or neither where the kernel does not tell. */
static enum ft_status add_two(const struct ft__reply *reply, struct ft_run *run, const char *probe,
			      const struct ft_resource *in, uint64_t in_bytes, const struct ft_resource *out,
			      uint64_t out_bytes, struct ft_err *err)
{
	struct ft_err why = {0};
	enum ft_status status;

	if (!(reply->flags & FT__HAS_IO))
		return FT_OK;
	if (ft__not_ended(reply, &why)) {
		status = ft__add_unavailable(run, in, probe, &why, err);
		return status ? status : ft__add_unavailable(run, out, probe, &why, err);
	}
	status = ft__add_measured(run, in, (double)in_bytes, probe, err);
	return status ? status : ft__add_measured(run, out, (double)out_bytes, probe, err);
}

static enum ft_status read_io(void *state, const struct ft__result *result, struct ft_run *run,
			      struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;

	(void)state;
	return add_two(reply, run, "io", &ft_read_bytes, reply->io.read_bytes, &ft_written_bytes,
		       reply->io.written_bytes, err);
}

const struct ft__probe_ops ft__io_probe = {.read = read_io};

static enum ft_status read_calls(void *state, const struct ft__result *result, struct ft_run *run,
				 struct ft_err *err)
{
	const struct ft__reply *reply = &result->answer->reply;

	(void)state;
	return add_two(reply, run, "calls", &ft_input_bytes, reply->io.input_bytes, &ft_output_bytes,
		       reply->io.output_bytes, err);
}

const struct ft__probe_ops ft__calls_probe = {.read = read_calls};
