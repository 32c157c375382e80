/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aside.c - runs a query that may block for ever in a thread of its own. */
#include "base/alloc.h"
#include "base/clock.h"
#include "watch/aside.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { STACK_BYTES = 256 * 1024 };

enum state { IDLE, ASKED, ANSWERED };

struct ft__aside {
	pthread_mutex_t lock;
	enum state state; /* below the lock, as is the next one */
	bool left;        /* abandoned by its caller */
	int event;        /* an eventfd */
	int64_t asked_ns;
	size_t size;
	void (*work)(void *what);
	void (*clear)(void *what);
	void *what; /* [size] owned by the thread during the query */
};

static void destroy(struct ft__aside *aside)
{
	if (aside->state == ANSWERED && aside->clear)
		aside->clear(aside->what);
	if (aside->event >= 0)
		(void)close(aside->event);
	(void)pthread_mutex_destroy(&aside->lock);
	ft_free(aside->what);
	ft_free(aside);
}

enum ft_status ft__aside_new(struct ft__aside **out, size_t size, void (*work)(void *what),
			     void (*clear)(void *what), struct ft_err *err)
{
	struct ft__aside *aside = ft_calloc(1, sizeof *aside);

	*out = NULL;
	if (!aside)
		return ft_nomem(err);
	*aside = (struct ft__aside){.size = size, .work = work, .clear = clear};
	(void)pthread_mutex_init(&aside->lock, NULL);
	aside->what = ft_calloc(1, size);
	aside->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (aside->what && aside->event >= 0) {
		*out = aside;
		return FT_OK;
	}
	enum ft_status status =
		aside->what ? ft_fail(err, FT_EUNAVAIL, "no descriptors are left") : ft_nomem(err);
	destroy(aside);
	return status;
}

/* ---- the thread ---------------------------------------------------------------------------------------- */

static void *run_aside(void *ctx)
{
	struct ft__aside *aside = ctx;
	bool left;

	aside->work(aside->what);
	(void)pthread_mutex_lock(&aside->lock);
	aside->state = ANSWERED;
	left = aside->left;
	if (!left)
		(void)eventfd_write(aside->event, 1);
	(void)pthread_mutex_unlock(&aside->lock);
	if (left)
		destroy(aside);
	return NULL;
}

static bool begin_thread(struct ft__aside *aside)
{
	pthread_attr_t how;
	pthread_t thread;

	if (pthread_attr_init(&how))
		return false;
	bool good = !pthread_attr_setstacksize(&how, STACK_BYTES) &&
		    !pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED) &&
		    !pthread_create(&thread, &how, run_aside, aside);
	(void)pthread_attr_destroy(&how);
	return good;
}

/* ---- the caller
   ------------------------------------------------------------------------------------------ */

static enum state state_of(struct ft__aside *aside)
{
	enum state state;

	(void)pthread_mutex_lock(&aside->lock);
	state = aside->state;
	(void)pthread_mutex_unlock(&aside->lock);
	return state;
}

void ft__aside_free(struct ft__aside *aside)
{
	if (!aside)
		return;
	(void)pthread_mutex_lock(&aside->lock);
	bool asked = aside->state == ASKED;
	aside->left = true;
	(void)pthread_mutex_unlock(&aside->lock);
	if (!asked)
		destroy(aside);
}

int ft__aside_fd(const struct ft__aside *aside)
{
	return aside->event;
}

bool ft__aside_ask(struct ft__aside *aside, const void *what)
{
	if (state_of(aside) != IDLE)
		return false;
	memcpy(aside->what, what, aside->size);
	aside->asked_ns = ft_clock_ns();
	aside->state = ASKED; /* there is no thread yet */
	if (begin_thread(aside))
		return true;
	aside->state = IDLE;
	return false;
}

bool ft__aside_answer(struct ft__aside *aside, void *what, int wait_ms)
{
	struct pollfd fd = {.fd = aside->event, .events = POLLIN};
	eventfd_t n;

	if (wait_ms && state_of(aside) == ASKED)
		(void)poll(&fd, 1, wait_ms);
	if (state_of(aside) != ANSWERED)
		return false;
	(void)eventfd_read(aside->event, &n);
	memcpy(what, aside->what, aside->size);
	aside->state = IDLE; /* the thread has ended its part */
	return true;
}

int64_t ft__aside_asked_ns(struct ft__aside *aside)
{
	return state_of(aside) == ASKED ? aside->asked_ns : 0;
}
