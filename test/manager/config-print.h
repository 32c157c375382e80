/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config-print.h - what was read of a configuration, for tests: written, read and written again it is the
 * same. */
#ifndef FT_TEST_MANAGER_CONFIG_PRINT_H
#define FT_TEST_MANAGER_CONFIG_PRINT_H

#include "base/text.h"
#include "manager/config.h"

/* config_print - as a manager.conf that reads back as the same. */
void config_print(const struct ft_manager_config *config, struct ft_text *out);

#endif
