/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timings.h - when timings that programs wrote down are taken in: when the folder changes, and now and then.
 */
#ifndef FT_MANAGER_TIMINGS_H
#define FT_MANAGER_TIMINGS_H

#include "manager/take.h"
#include "manager/worker.h"

struct ft__timings;

/* ft__timings_new - at, folder: borrowed; folder is made where it is not there. taken: called when
 * some were taken in, or something is wrong with them. FT_OK; FT_ENOMEM. */
enum ft_status ft__timings_new(struct ft__timings **out, const struct ft__store_at *at, const char *folder,
			       struct ft__worker *worker,
			       void (*taken)(void *ctx, const struct ft__taken *told,
					     const struct ft_err *err),
			       void *ctx, struct ft_err *err);
void ft__timings_free(struct ft__timings *timings); /* after the worker; accepts NULL */

/* ft__timings_trust - from the next pass on, the timings of these users (names, or numbers) are kept under
 * the names that they state; of nobody else. FT_OK; FT_EINVAL: there is no such user; FT_ENOMEM. */
enum ft_status ft__timings_trust(struct ft__timings *timings, const char *const *user, size_t n,
				 struct ft_err *err);

int ft__timings_fd(
	const struct ft__timings *timings); /* readable: the folder changed; -1: it cannot be watched */
int ft__timings_wait_ms(const struct ft__timings *timings);
void ft__timings_run(struct ft__timings *timings); /* have what is there taken in, when it is time */

#endif
