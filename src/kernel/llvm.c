/* SPDX-License-Identifier: GPL-3.0-or-later */
/* llvm.c - loads LLVM's library. */
#include "kernel/llvm.h"
#include "base/library.h"

#include <stdbool.h>
#include <stdio.h>

/* The name under which a distribution keeps it; from version 18 on the number stands behind. False: no more.
 */
static bool library_name(char *file, size_t size, size_t i, int version)
{
	switch (i) {
	case 0:
		return snprintf(file, size, "libLLVM-%d.so.1", version) > 0;
	case 1:
		return snprintf(file, size, "libLLVM-%d.so", version) > 0;
	case 2:
		return snprintf(file, size, "libLLVM.so.%d.1", version) > 0;
	default:
		return false;
	}
}

enum ft_status ft__llvm_load(struct ft__llvm *out, int version, struct ft_err *err)
{
	const struct ft_symbol symbols[] = {
#define ROW(type, name, arguments) {"LLVM" #name, &out->name},
		FT__LLVM_LIST(ROW)
#undef ROW
	};
	char file[32];
	size_t i;

	for (i = 0; library_name(file, sizeof file, i, version); i++)
		if (!ft_library_load(file, symbols, sizeof symbols / sizeof *symbols, NULL))
			return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "cannot load libLLVM of version %d, which reads what clang %d makes",
		      version, version);
	(void)ft_remedy(err, "apt install libllvm%d, or choose another compiler with --flags clang=NAME",
			version);
	return FT_EUNAVAIL;
}
