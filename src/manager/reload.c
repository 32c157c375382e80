/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reload.c - SIGHUP: the configuration is read again. */
#include "base/alloc.h"
#include "base/text.h"
#include "manager/inside.h"

static enum ft_status trust_users(struct ft_manager *manager, const struct ft_manager_config *config,
				  struct ft_err *err)
{
	return ft__timings_trust(manager->timings, (const char *const *)config->trusted, config->n_trusted,
				 err);
}

/* A file that is wrong changes nothing. */
static enum ft_status read_again(struct ft_manager *manager, struct ft_err *err)
{
	struct ft_manager_config *config = ft_calloc(1, sizeof *config);

	if (!config)
		return ft_nomem(err);
	enum ft_status status = ft_manager_config_read(config, manager->options.config_path, err);
	if (!status)
		status = trust_users(manager, config, err);
	if (!status && (status = ft__construct_take(manager->construct, config, err)))
		(void)trust_users(manager, manager->reloaded ? manager->reloaded : manager->options.config,
				  NULL);
	if (status) {
		ft_manager_config_clear(config);
		ft_free(config);
		return status;
	}
	if (manager->reloaded)
		ft_manager_config_clear(manager->reloaded);
	ft_free(manager->reloaded);
	manager->reloaded = config;
	return FT_OK;
}

void ft__manager_reload(struct ft_manager *manager)
{
	struct ft_text text = {0};
	struct ft_err err = {0};

	if (!manager->construct || !manager->options.config_path)
		ft_text_add(&text, "there is no configuration to be read again");
	else if (read_again(manager, &err))
		ft_text_add(&text, "the configuration stays as it was: %s%s%s", err.text,
			    *err.remedy ? "; " : "", err.remedy);
	else
		ft_text_add(&text, "the configuration was read again: %zu problem%s",
			    manager->reloaded->n_problems, manager->reloaded->n_problems == 1 ? "" : "s");
	ft__manager_say(manager, text.s ? text.s : "the configuration was read again");
	ft_text_clear(&text);
}
