/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_facts.h - what is told of the engine's model over one parameter as a whole. */
#ifndef FT_MODEL_ENGINE_FACTS_H
#define FT_MODEL_ENGINE_FACTS_H

#include "model/blend.h"
#include "model/types.h"

/* ft__engine_facts - all facts; FT_ENOMEM. ft__engine_fine - of fine structure alone. */
enum ft_status ft__engine_facts(struct ft_model *model, const struct ft__blend *blend,
				const struct ft_model_options *options, struct ft_err *err);
void ft__engine_fine(struct ft_model *model, const struct ft__blend *blend);

#endif
