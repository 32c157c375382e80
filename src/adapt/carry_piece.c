/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry_piece.c - a piece of a plan as a script that tells how long it took. */
#include "base/text.h"
#include "foretime/carry.h"

enum ft_status ft_carry_piece(const char *const *argv, const char *folder, const char *result, char **out,
			      struct ft_err *err)
{
	struct ft_text text = {0};

	ft_text_add(&text, "#!/bin/sh\ncd ");
	ft_text_add_word(&text, folder);
	ft_text_add(&text, " || exit\nb=$(date +%%s.%%N)\n");
	ft_text_add_words(&text, argv);
	ft_text_add(&text, "\nr=$?\ne=$(date +%%s.%%N)\necho \"$r $b $e\" >");
	ft_text_add_word(&text, result);
	ft_text_add(&text, ".new && mv ");
	ft_text_add_word(&text, result);
	ft_text_add(&text, ".new ");
	ft_text_add_word(&text, result);
	ft_text_add(&text, "\n");
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
