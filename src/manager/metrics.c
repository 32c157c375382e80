/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metrics.c - counters, as Prometheus reads them: those of what is answered, and how a row is printed. */
#include "manager/metrics.h"
#include "manager/routes.h"

void ft__metrics_add(const struct ft__metric *row, const void *numbers, struct ft_text *out)
{
	for (; row->name; row++)
		ft_text_add(out, "# HELP %s %s\n# TYPE %s %s\n%s %.17g\n", row->name, row->about, row->name,
			    row->type, row->name,
			    *(const double *)(const void *)((const char *)numbers + row->at));
}

struct metrics_numbers {
	double requests, connections, refused, slow, waiting, kept, made, snapshots, fits, changes, timings,
		unread, bad, observations, listeners;
};

#define AT(name) offsetof(struct metrics_numbers, name)
static const struct ft__metric rows[] = {
	{"foretime_requests_total", "counter", "requests answered or refused", AT(requests)},
	{"foretime_connections", "gauge", "connections now", AT(connections)},
	{"foretime_connections_refused_total", "counter", "of users who had too many", AT(refused)},
	{"foretime_connections_slow_total", "counter", "closed before their request was whole", AT(slow)},
	{"foretime_requests_waiting", "gauge", "requests that wait for a model", AT(waiting)},
	{"foretime_answers_kept_total", "counter", "requests answered from the cache", AT(kept)},
	{"foretime_answers_made_total", "counter", "questions to models that the cache could not answer",
	 AT(made)},
	{"foretime_snapshots", "gauge", "programs whose models are held", AT(snapshots)},
	{"foretime_snapshots_made_total", "counter", "times that models were read or fitted", AT(fits)},
	{"foretime_store_changes_total", "counter", "changes of the store that were seen", AT(changes)},
	{"foretime_timings_total", "counter", "timings of programs taken in", AT(timings)},
	{"foretime_timings_unread", "gauge", "files of timings that cannot be read", AT(unread)},
	{"foretime_timings_bad_total", "counter", "lines of them that are none", AT(bad)},
	{"foretime_load_observations_total", "counter", "of the background load, kept", AT(observations)},
	{"foretime_listeners", "gauge", "listeners to events", AT(listeners)},
	{0},
};

static void count_problems(const struct ft_manager *manager, struct metrics_numbers *out)
{
	struct ft_http_counts http;
	unsigned long fits;
	size_t snapshots = ft__snapshots_count(manager->snapshots, &fits);

	ft_http_count(manager->http, &http);
	*out = (struct metrics_numbers){
		.requests = (double)http.requests,
		.connections = (double)http.connections,
		.refused = (double)http.refused,
		.slow = (double)http.slow,
		.waiting = (double)http.waiting,
		.kept = (double)ft__cache_hits(manager->cache),
		.made = (double)manager->answers,
		.snapshots = (double)snapshots,
		.fits = (double)fits,
		.changes = (double)manager->stale,
		.timings = (double)manager->spooled.runs,
		.unread = (double)manager->spooled.unread,
		.bad = (double)manager->spooled.bad,
		.observations = manager->history ? (double)ft__history_count(manager->history) : 0,
		.listeners = (double)ft_http_feed_listeners(manager->feed),
	};
}

struct ft_http_answer *ft__routes_metrics(void *ctx, struct ft_http_ask *ask)
{
	const struct ft_manager *manager = ctx;
	struct ft_http_answer *answer = NULL;
	struct ft_text text = {0};
	struct metrics_numbers numbers;

	(void)ask;
	count_problems(manager, &numbers);
	ft__metrics_add(rows, &numbers, &text);
	if (manager->construct)
		ft__construct_metrics(manager->construct, &text);
	if (!text.failed)
		answer = ft_http_answer_new(200, "text/plain; version=0.0.4", text.s, text.length);
	ft_text_clear(&text);
	return answer;
}
