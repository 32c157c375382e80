/* SPDX-License-Identifier: GPL-3.0-or-later */
/* qemu_plugin.c - foretime-qemu.so: qemu-user counts the instructions of the program that it emulates (run --emulate).
 *
 * Writes "ft1 instructions N" to the file that FORETIME_PROBE_FD names when the program ends: those from the first
 * of main on, or all where the program has no symbols. A child that it forks counts for itself. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of QEMU's interface for plugins, version 1 (qemu.org, TCG plugins), what is used here. */
struct block;
struct instruction;
typedef uint64_t plugin_id;

enum { NO_REGISTERS = 0 };

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*act)(plugin_id id, struct block *block));
void qemu_plugin_register_vcpu_tb_exec_cb(struct block *block, void (*act)(unsigned vcpu, void *ctx),
					  int flags, void *ctx);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*act)(plugin_id id, void *ctx), void *ctx);
size_t qemu_plugin_tb_n_insns(const struct block *block);
struct instruction *qemu_plugin_tb_get_insn(const struct block *block, size_t i);
const char *qemu_plugin_insn_symbol(const struct instruction *instruction);

/* QEMU 9 has this function, and takes no plugin of an older version than 2 (tried: QEMU 7.2). */
__attribute__((weak)) void *qemu_plugin_scoreboard_new(size_t bytes);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

__attribute__((constructor)) static void choose_version(void)
{
	if (qemu_plugin_scoreboard_new)
		qemu_plugin_version = 2;
}

static uint64_t all, before_main;
static bool in_main;

static void begin(unsigned vcpu, void *ctx)
{
	(void)vcpu;
	(void)ctx;
	if (!in_main)
		before_main = all;
	in_main = true;
}

/* Threads of the program are threads here. */
static void execute(unsigned vcpu, void *ctx)
{
	(void)vcpu;
	(void)__atomic_fetch_add(&all, (uint64_t)(uintptr_t)ctx, __ATOMIC_RELAXED);
}

static void translate(plugin_id id, struct block *block)
{
	const char *name = in_main ? NULL : qemu_plugin_insn_symbol(qemu_plugin_tb_get_insn(block, 0));

	(void)id;
	if (name && !strcmp(name, "main"))
		qemu_plugin_register_vcpu_tb_exec_cb(block, begin, NO_REGISTERS, NULL);
	qemu_plugin_register_vcpu_tb_exec_cb(block, execute, NO_REGISTERS,
					     (void *)(uintptr_t)qemu_plugin_tb_n_insns(block));
}

static void forget(void)
{
	all = before_main = 0;
}

static void end(plugin_id id, void *ctx)
{
	const char *file = getenv("FORETIME_PROBE_FD");
	char line[64];
	int length = snprintf(line, sizeof line, "ft1 instructions %llu\n",
			      (unsigned long long)(all - before_main));

	(void)id;
	(void)ctx;
	if (file)
		(void)!write(atoi(file), line, (size_t)length);
}

__attribute__((visibility("default"))) int qemu_plugin_install(plugin_id id, const void *info, int argc,
							       char **argv)
{
	(void)info;
	(void)argc;
	(void)argv;
	(void)pthread_atfork(NULL, NULL, forget);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	qemu_plugin_register_atexit_cb(id, end, NULL);
	return 0;
}
