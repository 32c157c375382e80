/* SPDX-License-Identifier: GPL-3.0-or-later */
/* virtual.c - whether a machine is a guest: processor flag, CPUID, /sys/hypervisor, firmware tables. */
#include "measure/virtual.h"
#include "base/files.h"

#include <fnmatch.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/* Firmware strings (/sys/class/dmi/id); the first row that fits. Amazon's machines are guests unless their
 * type ends in .metal. */
static const struct {
	const char *file, *pattern, *name;
} firmware[] = {
	{"product_name", "*.metal*", NULL},
	{"product_name", "KVM*", "KVM"},
	{"product_name", "Google Compute Engine", "KVM"},
	{"sys_vendor", "Amazon EC2", "KVM"},
	{"sys_vendor", "QEMU", "QEMU"},
	{"sys_vendor", "VMware*", "VMware"},
	{"sys_vendor", "innotek GmbH", "VirtualBox"},
	{"sys_vendor", "Xen", "Xen"},
	{"sys_vendor", "Parallels*", "Parallels"},
	{"product_name", "Virtual Machine", "Hyper-V"},
};

static const char *ask_firmware(const char *root)
{
	char line[FT__LINE_LENGTH];

	for (size_t i = 0; i < sizeof firmware / sizeof *firmware; i++)
		if (ft__file_line(line, root, "/sys/class/dmi/id/%s", firmware[i].file) &&
		    !fnmatch(firmware[i].pattern, line, 0))
			return firmware[i].name;
	return NULL;
}

/* Signatures at CPUID leaf 0x40000000 (each hypervisor's own manual; Linux,
 * arch/x86/kernel/cpu/hypervisor.c). */
static const char *ask_cpuid(void)
{
#if defined(__x86_64__) || defined(__i386__)
	static const struct {
		const char *signature, *name;
	} known[] = {
		{"KVMKVMKVM", "KVM"},      {"Microsoft Hv", "Hyper-V"},  {"VMwareVMware", "VMware"},
		{"XenVMMXenVMM", "Xen"},   {"TCGTCGTCGTCG", "QEMU"},     {"VBoxVBoxVBox", "VirtualBox"},
		{"bhyve bhyve ", "bhyve"}, {" lrpepyh vr", "Parallels"}, {"ACRNACRNACRN", "ACRN"},
	};
	uint32_t eax, word[3];
	char signature[sizeof word + 1] = "";
	size_t i;

	__cpuid(0x40000000, eax, word[0], word[1], word[2]);
	memcpy(signature, word, sizeof word);
	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(signature, known[i].signature))
			return known[i].name;
#endif
	return NULL;
}

/* Whether the first processor's flags hold "hypervisor". The line may be longer than a line buffer. */
static int has_flag(const char *flags)
{
	size_t line = strcspn(flags, "\n");
	const char *found = strstr(flags, " hypervisor");

	return found && (size_t)(found - flags) < line && strspn(found + strlen(" hypervisor"), " \n") > 0;
}

const char *ft__hypervisor_find(const char *root, const char *cpuinfo)
{
	const char *flags = strstr(cpuinfo, "\nflags"); /* x86 only */
	char line[FT__LINE_LENGTH];
	const char *name = NULL;

	if (ft__file_line(line, root, "/sys/hypervisor/type") && !strcmp(line, "xen"))
		return "Xen";
	if (flags && !has_flag(flags + 1))
		return NULL;
	if (flags && !*root)
		name = ask_cpuid();
	if (!name)
		name = ask_firmware(root);
	return name || !flags ? name : "unknown hypervisor";
}
