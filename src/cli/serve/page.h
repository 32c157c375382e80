/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - foretime serve without a manager: the page. */
#ifndef FT_CLI_SERVE_PAGE_H
#define FT_CLI_SERVE_PAGE_H

#include "web/web.h"

#include <stdbool.h>

/* cli_serve_page - until a signal ends it; open: in the browser of this desktop. Returns the exit status. */
int cli_serve_page(const struct ft_web_options *options, bool open);

#endif
