/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seats.c - who is asked, and who waits for it. A seat whose thread hangs is one less; the others go on. */
#include "base/alloc.h"
#include "web/inside.h"

enum ft_status ft__seats_open(struct ft_web *web, struct ft_err *err)
{
	for (size_t i = 0; i < FT__WEB_SEATS; i++) {
		FT_TRY(ft__aside_new(&web->seat[i].aside, sizeof(struct ft__errand), ft__errand_run,
				     ft__errand_clear, err));
		FT_TRY(ft__web_watch(web, ft__aside_fd(web->seat[i].aside), err));
	}
	return FT_OK;
}

void ft__seats_close(struct ft_web *web)
{
	struct ft__queued *queued;

	for (size_t i = 0; i < FT__WEB_SEATS; i++)
		ft__aside_free(web->seat[i].aside);
	while ((queued = web->first)) {
		web->first = queued->next;
		ft__errand_clear(&queued->errand);
		ft_free(queued);
	}
}

/* Those who came first sit down first. */
static void sit_down(struct ft_web *web)
{
	for (size_t i = 0; i < FT__WEB_SEATS && web->first; i++) {
		struct ft__queued *queued = web->first;
		if (web->seat[i].ask || !ft__aside_ask(web->seat[i].aside, &queued->errand))
			continue;
		web->seat[i].ask = queued->ask;
		web->first = queued->next;
		web->last = web->first ? web->last : NULL;
		ft_free(queued);
	}
}

struct ft_http_answer *ft__seats_ask(struct ft_web *web, struct ft_http_ask *ask, struct ft__errand *errand)
{
	struct ft__queued *queued = ft_malloc(sizeof *queued);

	if (!queued) {
		ft__errand_clear(errand);
		return NULL;
	}
	*queued = (struct ft__queued){*errand, ask, NULL};
	if (web->last)
		web->last->next = queued;
	else
		web->first = queued;
	web->last = queued;
	ft_http_put_off(ask);
	sit_down(web);
	return NULL;
}

void ft__seats_settle(struct ft_web *web)
{
	struct ft__errand errand;

	for (size_t i = 0; i < FT__WEB_SEATS; i++) {
		if (!web->seat[i].ask || !ft__aside_answer(web->seat[i].aside, &errand, 0))
			continue;
		ft_http_give(web->seat[i].ask, ft__errand_answer(&errand));
		web->seat[i].ask = NULL;
		ft__errand_clear(&errand);
	}
	sit_down(web);
}
