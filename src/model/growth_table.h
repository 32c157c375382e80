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
				.change = {0.349, 2.52, 0.94, -0.049, -1.37, -2.48},
				.spread = 1.45,
				.reach = 1.56,
				.share = {{0.485, 0.157, 0.358},
					  {0.438, 0.0509, 0.511},
					  {0.195, 0.524, 0.281},
					  {0.0128, 0.677, 0.311},
					  {0.147, 0.626, 0.227},
					  {0.376, 0.218, 0.406}},
				.deviation = {0.0418, 0.0475, 0.331},
				.usual = {0.185, 0.417, 0.399},
				.other = 1.36,
				.step_rate = 0.0103,
				.step = 0.189,
				.step_deviation = 0.185,
			},
		[FT_CLASS_ENERGY] =
			{
				.change = {0.349, 2.52, 0.94, -0.049, -1.37, -2.48},
				.spread = 1.45,
				.reach = 1.56,
				.share = {{0.485, 0.157, 0.358},
					  {0.438, 0.0509, 0.511},
					  {0.195, 0.524, 0.281},
					  {0.0128, 0.677, 0.311},
					  {0.147, 0.626, 0.227},
					  {0.376, 0.218, 0.406}},
				.deviation = {0.0418, 0.0475, 0.331},
				.usual = {0.185, 0.417, 0.399},
				.other = 1.36,
				.step_rate = 0.0103,
				.step = 0.189,
				.step_deviation = 0.185,
			},
		[FT_CLASS_MEMORY] =
			{
				.change = {1.24, 0.849, 0.0317, -0.275, -0.351, -1.55},
				.spread = 1.04,
				.reach = 0.226,
				.share = {{0.756, 0.0136, 0.231},
					  {0.437, 0.108, 0.455},
					  {0.529, 0.189, 0.282},
					  {0.144, 0.0785, 0.778},
					  {0.291, 0.172, 0.537},
					  {0.37, 0.311, 0.319}},
				.deviation = {0.02, 0.417, 0.264},
				.usual = {0.393, 0.128, 0.479},
				.other = 0.375,
				.step_rate = 0,
				.step = 0.778,
				.step_deviation = 0.281,
			},
		[FT_CLASS_COUNT] =
			{
				.change = {0.349, 2.52, 0.94, -0.049, -1.37, -2.48},
				.spread = 1.45,
				.reach = 1.56,
				.share = {{0.485, 0.157, 0.358},
					  {0.438, 0.0509, 0.511},
					  {0.195, 0.524, 0.281},
					  {0.0128, 0.677, 0.311},
					  {0.147, 0.626, 0.227},
					  {0.376, 0.218, 0.406}},
				.deviation = {0.0418, 0.0475, 0.331},
				.usual = {0.185, 0.417, 0.399},
				.other = 1.36,
				.step_rate = 0,
				.step = 0.189,
				.step_deviation = 0.185,
			},
};

#endif
