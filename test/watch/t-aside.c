/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions that are answered, late, and never; and who does not wait for them. */
#include "../tap.h"
#include "base/alloc.h"
#include "watch/aside.h"

#include <poll.h>
#include <unistd.h>

struct question {
	int gate; /* it is answered once this can be read: -1: at once */
	int number;
	char *text;
};

static int cleared[2]; /* a pipe: a byte for each that was let go */

static void work(void *what)
{
	struct question *question = what;
	char byte;

	if (question->gate >= 0)
		(void)!read(question->gate, &byte, 1);
	question->number++;
}

static void clear(void *what)
{
	ft_free(((struct question *)what)->text);
	(void)!write(cleared[1], "", 1);
}

static void test_answers(void)
{
	struct question question = {.gate = -1, .number = 41};
	struct ft__aside *aside = NULL;
	struct pollfd fd = {.events = POLLIN};
	int i;

	ok(!ft__aside_new(&aside, sizeof question, work, NULL, NULL), "somebody is asked");
	ok(!ft__aside_asked_ns(aside) && !ft__aside_answer(aside, &question, 10), "nothing, as yet");
	for (i = 0; i < 100; i++) {
		question.number = i;
		if (!ft__aside_ask(aside, &question) || !ft__aside_answer(aside, &question, 60000) ||
		    question.number != i + 1)
			break;
	}
	ok(i == 100, "a hundred answers, one after the other");
	(void)ft__aside_ask(aside, &question);
	fd.fd = ft__aside_fd(aside);
	ok(poll(&fd, 1, 60000) == 1 && ft__aside_answer(aside, &question, 0), "a descriptor tells of one");
	ok(!poll(&fd, 1, 0), "and is quiet when it was taken");
	ft__aside_free(aside);
	ft__aside_free(NULL);
}

static void test_late(void)
{
	struct ft__aside *aside = NULL;
	struct question question = {.number = 1}, other = {.gate = -1};
	int gate[2];
	char byte;

	if (pipe(gate) || pipe(cleared))
		return;
	question.gate = gate[0];
	question.text = ft_strdup("its own");
	(void)ft__aside_new(&aside, sizeof question, work, clear, NULL);
	ok(ft__aside_ask(aside, &question) && !ft__aside_answer(aside, &question, 1), "one does not answer");
	ok(ft__aside_asked_ns(aside) && !ft__aside_ask(aside, &other), "nor is it asked another thing");
	(void)!write(gate[1], "", 1);
	ok(ft__aside_answer(aside, &question, 60000) && question.number == 2, "until it does");
	ok(ft__aside_ask(aside, &question), "and does not again");
	ft__aside_free(aside);
	(void)!write(gate[1], "", 1);
	ok(read(cleared[0], &byte, 1) == 1, "who went let it go when it was answered");
	(void)close(gate[0]);
	(void)close(gate[1]);
}

static void test_faults(void)
{
	struct ft__aside *aside = NULL;
	unsigned long n = 0;

	do {
		ft_alloc_fail_at(++n);
	} while (ft__aside_new(&aside, 64, work, NULL, NULL) == FT_ENOMEM && n < 10);
	ft_alloc_fail_at(0);
	ok(aside && n == 3, "no memory, twice: it says so");
	ft__aside_free(aside);
}

int main(void)
{
	test_answers();
	test_late();
	test_faults();
	return done();
}
