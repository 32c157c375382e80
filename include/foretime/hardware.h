/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hardware.h - what computes on this machine: its processors, what OpenCL offers, the cards of NVIDIA. */
#ifndef FORETIME_HARDWARE_H
#define FORETIME_HARDWARE_H

#include "foretime/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

FT_BEGIN_DECLS

/* X(name, word) */
#define FT_HARDWARE_LIST(X)                                                                                  \
	X(CPU, "cpu")                                                                                        \
	X(GPU, "gpu")                                                                                        \
	X(ACCELERATOR, "accelerator")

enum ft_hardware_kind {
#define FT_HARDWARE_ENUM(name, word) FT_HARDWARE_##name,
	FT_HARDWARE_LIST(FT_HARDWARE_ENUM)
#undef FT_HARDWARE_ENUM
};

const char *ft_hardware_kind_text(enum ft_hardware_kind kind);

/* Heap strings; NULL: not known. */
struct ft_hardware_item {
	char *id; /* "cpu", "opencl:0", "nvidia:0" */
	enum ft_hardware_kind kind;
	char *name;
	char *platform; /* "Portable Computing Language"; "CUDA" */
	char *driver;   /* its version; another one may be as fast as another device. NULL of processors */
	char *compiler; /* the version that OpenCL reports of its language and its compiler */
	int64_t units;  /* cores, compute units; 0: not known */
	int64_t memory_bytes; /* 0: not known */
};

struct ft_hardware {
	struct ft_hardware_item *item; /* [n] the processors first */
	size_t n, capacity;
	char opencl[256], nvidia[256]; /* why there is none of these; "": there is */
};

/* ft_hardware_read - look for all of it: OpenCL through its loader (libOpenCL.so.1), where that is installed;
 * the cards of NVIDIA by nvidia-smi, where that is on PATH. What is not there is no failure.
 *
 * out  the caller's, ends with ft_hardware_clear; cleared on failure
 *
 * Returns FT_OK; FT_ENOMEM; what ft_machine_read returns. Cost: some 10 ms; a second and more where drivers
 * have to be woken. */
enum ft_status ft_hardware_read(struct ft_hardware *out, struct ft_err *err);
void ft_hardware_clear(struct ft_hardware *hardware); /* accepts NULL, and twice */

/* ft_hardware_driver - what drives what a word names, an id or a kind: "NVIDIA H200, 550.54.15". Of several
 * of a kind all of them. Heap; NULL: nothing of that name, or nothing that has a driver; *failed: no memory.
 */
char *ft_hardware_driver(const struct ft_hardware *hardware, const char *word, bool *failed);

FT_END_DECLS
#endif
