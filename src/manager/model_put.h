/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_put.h - what was measured elsewhere, into the store. */
#ifndef FT_MANAGER_MODEL_PUT_H
#define FT_MANAGER_MODEL_PUT_H

#include "foretime/store.h"
#include "tell/manager.h"

/* ft__model_put - add runs to a program: all that a text tells, or nothing of it.
 *
 * store  open for writing; not within ft_store_begin
 * name   of the program: what the text calls it does not count
 * text   [n] what foretime export prints, as JSON or CSV, not compressed
 * told   out; name is borrowed
 *
 * Runs that are there already are not added again. A program that has a version keeps it, and its command: no
 * text carries one. Runs of a machine that the text does not name are of one called elsewhere.
 *
 * Returns FT_OK; FT_EINVAL, FT_EPARSE, FT_ENOTOURS: what cannot be read, several programs, a name that is
 * none or belongs to others; FT_EEXIST: it has runs with other parameters; what the store returns. */
enum ft_status ft__model_put(struct ft_store *store, const char *name, const char *text, size_t n,
			     struct ft_told_put *told, struct ft_err *err);

#endif
