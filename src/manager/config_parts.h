/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_parts.h - the parts of a configuration, each read into what the manager uses. */
#ifndef FT_MANAGER_CONFIG_PARTS_H
#define FT_MANAGER_CONFIG_PARTS_H

#include "manager/config.h"
#include "manager/config_node.h"

extern const struct ft__conf_row ft__problem_rows[], ft__policy_rows[], ft__condition_rows[];

/* Each reads one part and appends it; the last two take lists of such. */
enum ft_status ft__policy_read(struct ft__conf_reading *r, const struct ft__conf_node *node,
			       struct ft_policies *policies);
enum ft_status ft__policies_read(struct ft__conf_reading *r, const struct ft__conf_node *node,
				 struct ft_policies *policies);

/* ft__policy_of_word - the one word that PMM's released code has for all of a policy: now, idle, nousers. */
enum ft_status ft__policy_of_word(struct ft__conf_reading *r, const struct ft__conf_node *node,
				  struct ft_policies *policies);

enum ft_status ft__problem_read(struct ft__conf_reading *r, const struct ft__conf_node *node,
				struct ft_manager_config *config);
void ft__problem_clear(struct ft_manager_problem *problem);

/* ft__params_read - the parameters of a program, in the order of its command, and what constrains them. */
enum ft_status ft__params_read(struct ft__conf_reading *r, const struct ft__conf_node *node,
			       struct ft_manager_problem *problem);

#endif
