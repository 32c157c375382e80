/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blend_pack.h - an engine's blend as bytes, and back. */
#ifndef FT_MODEL_BLEND_PACK_H
#define FT_MODEL_BLEND_PACK_H

#include "model/blend.h"
#include "model/types.h"

void ft__blend_pack(const struct ft__blend *blend, struct ft__packer *packer);

/* ft__blend_unpack - the model's knots are there already. Ends with ft__blend_clear, also on failure.
 * FT_EPARSE: no such bytes; FT_ENOMEM. */
enum ft_status ft__blend_unpack(struct ft__blend *b, const struct ft_model *model, struct ft__unpacker *from,
				struct ft_err *err);

#endif
