/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growth_table.h - how costs go on beyond the sizes measured, by resource class: made by
 * tools/learn-growth from reference data; doc/models.md, Beyond the data, has how well it holds. */
#ifndef FT_MODEL_GROWTH_TABLE_H
#define FT_MODEL_GROWTH_TABLE_H

#include "model/beyond.h"

const double ft__growth_slopes[FT__GROWTH_BINS] = {0, 0.25, 0.6, 1, 1.6, 2.6};

const struct ft__growth ft__growths[FT_CLASSES] =
	{
		[FT_CLASS_TIME] =
			{
				.change = {-1.01, 0.558, 0.379, -0.248, -2.24, -2.49},
				.spread = 1.16,
				.reach = 1.31,
				.share = {{0.27, 0.168, 0.562},
					  {0.409, 0.0948, 0.496},
					  {0.0593, 0.618, 0.322},
					  {0.0137, 0.653, 0.333},
					  {0.203, 0.424, 0.373},
					  {0.333, 0.224, 0.443}},
				.deviation = {0.0462, 0.04, 0.346},
				.usual = {0.076, 0.556, 0.368},
				.other = 1.32,
				.narrow = 0.235,
				.steep = 1.29,
				.step_rate = 0.0155,
				.step = -0.187,
				.step_deviation = 0.088,
			},
		[FT_CLASS_ENERGY] =
			{
				.change = {-1.01, 0.558, 0.379, -0.248, -2.24, -2.49},
				.spread = 1.16,
				.reach = 1.31,
				.share = {{0.27, 0.168, 0.562},
					  {0.409, 0.0948, 0.496},
					  {0.0593, 0.618, 0.322},
					  {0.0137, 0.653, 0.333},
					  {0.203, 0.424, 0.373},
					  {0.333, 0.224, 0.443}},
				.deviation = {0.0462, 0.04, 0.346},
				.usual = {0.076, 0.556, 0.368},
				.other = 1.32,
				.narrow = 0.235,
				.steep = 1.29,
				.step_rate = 0.0155,
				.step = -0.187,
				.step_deviation = 0.088,
			},
		[FT_CLASS_MEMORY] =
			{
				.change = {0.841, -0.734, -0.646, -0.502, -0.0695, -0.878},
				.spread = 0.416,
				.reach = 0.056,
				.share = {{0.776, 0.00945, 0.215},
					  {0.171, 0.0265, 0.802},
					  {0.804, 0.0543, 0.142},
					  {0.11, 0.0653, 0.825},
					  {0.153, 0.118, 0.729},
					  {0.361, 0.267, 0.372}},
				.deviation = {0.02, 0.374, 0.329},
				.usual = {0.0548, 0.09, 0.855},
				.other = 0.198,
				.narrow = 1.64,
				.steep = 2.54,
				.step_rate = 0,
				.step = 0.273,
				.step_deviation = 0.603,
			},
		[FT_CLASS_COUNT] =
			{
				.change = {-1.01, 0.558, 0.379, -0.248, -2.24, -2.49},
				.spread = 1.16,
				.reach = 1.31,
				.share = {{0.27, 0.168, 0.562},
					  {0.409, 0.0948, 0.496},
					  {0.0593, 0.618, 0.322},
					  {0.0137, 0.653, 0.333},
					  {0.203, 0.424, 0.373},
					  {0.333, 0.224, 0.443}},
				.deviation = {0.0462, 0.04, 0.346},
				.usual = {0.076, 0.556, 0.368},
				.other = 1.32,
				.narrow = 0.235,
				.steep = 1.29,
				.step_rate = 0,
				.step = -0.187,
				.step_deviation = 0.088,
			},
};

#endif
