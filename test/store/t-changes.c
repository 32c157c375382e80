/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-changes.c - what changes of a program is written, one thing after the other. */
#include "store-test.h"

static struct ft_store *store;

static void say(char **text, const char *other)
{
	ft_free(*text);
	*text = ft_strdup(other);
}

/* One thing about it changes after the other. Returns false past the last. */
static bool change(struct ft_program *p, int which)
{
	switch (which) {
	case 0:
		say(&p->argv[0], "./other");
		return true;
	case 1:
		say(&p->argv[1], "--{n}");
		return true;
	case 2:
		say(&p->work, "n^3");
		return true;
	case 3:
		say(&p->method, "gbbp");
		return true;
	case 4:
		say(&p->where, "n % 2 == 0");
		return true;
	case 5:
		say(&p->driver, "slurm");
		return true;
	case 6:
		p->param[0].least = 32;
		return true;
	case 7:
		p->param[0].most = 4000;
		return true;
	case 8:
		p->param[0].stride = 4;
		return true;
	case 9:
		p->param[1].least = 50;
		return true;
	case 10:
		p->param[1].most = 200;
		return true;
	case 11:
		(void)ft_param_parse("n=32:4000:*2", &p->param[0], NULL);
		return true;
	case 12:
		(void)ft_param_parse("n=32:4000:*3", &p->param[0], NULL);
		return true;
	case 13:
		(void)ft_param_parse("m=50,100,200", &p->param[1], NULL);
		return true;
	case 14:
		(void)ft_param_parse("m=50,60,100,200", &p->param[1], NULL);
		return true;
	default:
		return false;
	}
}

/* Whatever it is that changed is written; and then there is nothing to write. */
static void test_each_change(void)
{
	struct ft_program program, got = {0};
	struct ft_err err = {0};
	int i, lost = 0, twice = 0;

	make_program(&program, "each", "one");
	(void)ft_store_put_program(store, &program, &err);
	for (i = 0; change(&program, i); i++) {
		if (ft_store_put_program(store, &program, &err) ||
		    ft_store_get_program(store, "each", &got, &err) || !same_program(&got, &program)) {
			lost++;
			diag("change %d: %s", i, err.text);
		}
		ft_program_clear(&got);
		int changes = sqlite3_total_changes(store->db);
		twice += ft_store_put_program(store, &program, &err) ||
			 sqlite3_total_changes(store->db) != changes;
	}
	ok(i == 15 && !lost && !twice, "each of %d changes is written, and once: %d lost, %d twice", i, lost,
	   twice);
	ft_program_clear(&program);
}

int main(void)
{
	store = open_store(temp_path("changes.db"), 0);
	test_each_change();
	ft_store_close(store);
	temp_remove();
	return done();
}
