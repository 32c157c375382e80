/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c - identifies a machine from /proc and /sys, this one or a recorded one.
 *
 * An unknown fact stays NULL or 0. hwloc knows topologies better than we do (odd kernels, hybrid
 * processors), but reads only the machine that it runs on: recorded trees are counted from /sys here. */
#include "base/alloc.h"
#include "base/command.h"
#include "base/files.h"
#include "base/text.h"
#include "foretime/measure.h"
#include "measure/measure.h"
#include "measure/opencl.h"

#include <errno.h>
#include <fnmatch.h>
#include <hwloc.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/*
 * Whether a machine is a guest: processor flag, CPUID, /sys/hypervisor, firmware tables.
 */

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

/* Whether the first processor's flags contain "hypervisor". The line may be longer than a line buffer. */
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

/*
 * Identifies a machine from /proc and /sys, this one or a recorded one.
 */

enum {
	CPUINFO_LENGTH = 8192, /* a processor's part has some 2 KiB */
	ENVIRON_LENGTH = 16384,
	CPUS_MOST = 1 << 16, /* of a recorded tree: more than any kernel has */
};

struct machine_reader {
	const char *root;
	char cpuinfo[CPUINFO_LENGTH]; /* its beginning: on large machines the whole takes long to make */
	struct ft_machine *machine;
	bool no_memory;
};

/* Store a fact; NULL and "" are none. */
static void put_fact(struct machine_reader *reader, char **to, const char *text)
{
	if (!text || !*text)
		return;
	*to = ft_strdup(text);
	reader->no_memory |= !*to;
}

/* ---- processor ---------------------------------------------------------------------------------------- */

/* ARM processors give numbers instead of a name (MIDR_EL1; Linux, arch/arm64/include/asm/cputype.h). */
static const struct {
	unsigned implementer, part;
	const char *name;
} arm_parts[] = {
	{0x41, 0xd03, "ARM Cortex-A53"},     {0x41, 0xd07, "ARM Cortex-A57"},
	{0x41, 0xd08, "ARM Cortex-A72"},     {0x41, 0xd0b, "ARM Cortex-A76"},
	{0x41, 0xd0c, "ARM Neoverse-N1"},    {0x41, 0xd40, "ARM Neoverse-V1"},
	{0x41, 0xd49, "ARM Neoverse-N2"},    {0x41, 0xd4f, "ARM Neoverse-V2"},
	{0x43, 0x0af, "Cavium ThunderX2"},   {0x46, 0x001, "Fujitsu A64FX"},
	{0x48, 0xd01, "HiSilicon TSV110"},   {0x61, 0x022, "Apple M1 Icestorm"},
	{0x61, 0x023, "Apple M1 Firestorm"}, {0xc0, 0xac3, "Ampere-1"},
	{0xc0, 0xac4, "Ampere-1a"},
};

static void read_cpu_name(struct machine_reader *reader)
{
	/* x86 and more; MIPS; old ARM; POWER; RISC-V */
	static const char *const keys[] = {"model name", "cpu model", "Processor", "cpu", "uarch"};
	char line[FT__LINE_LENGTH];

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (ft__file_value(line, reader->cpuinfo, keys[i])) {
			put_fact(reader, &reader->machine->cpu, line);
			return;
		}
	}
	char implementer[FT__LINE_LENGTH], part[FT__LINE_LENGTH];
	struct ft_text name = {0};

	if (!ft__file_value(implementer, reader->cpuinfo, "CPU implementer") ||
	    !ft__file_value(part, reader->cpuinfo, "CPU part"))
		return;
	unsigned long maker = strtoul(implementer, NULL, 0);
	unsigned long p = strtoul(part, NULL, 0);
	for (size_t k = 0; k < sizeof arm_parts / sizeof *arm_parts; k++) {
		if (arm_parts[k].implementer == maker && arm_parts[k].part == p) {
			put_fact(reader, &reader->machine->cpu, arm_parts[k].name);
			return;
		}
	}
	ft_text_add(&name, "ARM implementer %s part %s", implementer, part);
	put_fact(reader, &reader->machine->cpu, name.s);
	reader->no_memory |= name.failed;
	ft_text_clear(&name);
}

/* ---- topology ----------------------------------------------------------------------------------------- */

/* Parse a list such as "0-3,8": the next range, and the rest behind it; false at the end. */
static bool next_range(const char **list, long *first, long *last)
{
	char *end;

	*first = *last = strtol(*list, &end, 10);
	if (end == *list)
		return false;
	if (*end == '-')
		*last = strtol(end + 1, &end, 10);
	if (*first < 0 || *last >= CPUS_MOST)
		return false;
	*list = *end == ',' ? end + 1 : end;
	return true;
}

/* Whether a processor comes first in a list of its siblings: so each core, and each socket, is counted
   once. */
static bool leads_siblings(const char *root, long cpu, const char *file)
{
	char line[FT__LINE_LENGTH];

	return ft__file_line(line, root, "/sys/devices/system/cpu/cpu%ld/topology/%s", cpu, file) &&
	       strtol(line, NULL, 10) == cpu;
}

/* "32K", "1024K", "32M", "16384 kB" as the kernel prints them; 0: no amount of memory. */
static int64_t parse_bytes(const char *text)
{
	char *end;
	int64_t value = strtoll(text, &end, 10);

	end += *end == ' ';
	if (value < 0 || value > INT64_MAX >> 20)
		return 0;
	return value << (*end == 'K' || *end == 'k' ? 10 : *end == 'M' ? 20 : 0);
}

static void read_sys_caches(struct machine_reader *reader, long cpu)
{
	int64_t *const level[] = {&reader->machine->l1d_bytes, &reader->machine->l2_bytes,
				  &reader->machine->l3_bytes};
	char line[FT__LINE_LENGTH];

	for (long i = 0;
	     ft__file_line(line, reader->root, "/sys/devices/system/cpu/cpu%ld/cache/index%ld/level", cpu, i);
	     i++) {
		long k = strtol(line, NULL, 10);
		if (k < 1 || k > 3)
			continue;
		(void)ft__file_line(line, reader->root, "/sys/devices/system/cpu/cpu%ld/cache/index%ld/type",
				    cpu, i);
		if (!strcmp(line, "Instruction"))
			continue;
		if (ft__file_line(line, reader->root, "/sys/devices/system/cpu/cpu%ld/cache/index%ld/size",
				  cpu, i))
			*level[k - 1] = parse_bytes(line);
	}
}

static int64_t hwloc_cache_bytes(hwloc_topology_t topology, hwloc_obj_type_t type)
{
	hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);

	return cache ? (int64_t)cache->attr->cache.size : 0;
}

static int hwloc_count(hwloc_topology_t topology, hwloc_obj_type_t type)
{
	int n = hwloc_get_nbobjs_by_type(topology, type);

	return n > 0 ? n : 0;
}

/* The whole machine, also inside a job that has a part of it. False when hwloc finds nothing. */
static bool read_hwloc_topology(struct ft_machine *machine)
{
	hwloc_topology_t topology;

	if (access("/sys/devices/system/cpu", R_OK)) { /* hwloc would print that it is not there */
		machine->threads = (int)sysconf(_SC_NPROCESSORS_CONF);
		return machine->threads > 0;
	}
	if (hwloc_topology_init(&topology))
		return false;
	(void)hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	(void)hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
#if HWLOC_API_VERSION >= 0x00020100
	/* hwloc's x86 component would move us to each processor for CPUID, which costs milliseconds; the
	   kernel has the same facts. */
	(void)hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
#endif
	if (!hwloc_topology_load(topology)) {
		machine->sockets = hwloc_count(topology, HWLOC_OBJ_PACKAGE);
		machine->cores = hwloc_count(topology, HWLOC_OBJ_CORE);
		machine->threads = hwloc_count(topology, HWLOC_OBJ_PU);
		machine->l1d_bytes = hwloc_cache_bytes(topology, HWLOC_OBJ_L1CACHE);
		machine->l2_bytes = hwloc_cache_bytes(topology, HWLOC_OBJ_L2CACHE);
		machine->l3_bytes = hwloc_cache_bytes(topology, HWLOC_OBJ_L3CACHE);
	}
	hwloc_topology_destroy(topology);
	return machine->threads > 0;
}

/* ---- the rest ----------------------------------------------------------------------------------------- */

static void read_system(struct machine_reader *reader)
{
	char release[4096], name[FT__LINE_LENGTH], kernel[FT__LINE_LENGTH];
	struct ft_text system = {0};

	if (!ft__file_read(release, sizeof release, reader->root, "/etc/os-release"))
		(void)ft__file_read(release, sizeof release, reader->root, "/usr/lib/os-release");
	(void)ft__file_value(name, release, "PRETTY_NAME");
	size_t length = strlen(name);
	if (length >= 2 && (*name == '"' || *name == '\'') && name[length - 1] == *name)
		ft_text_add_bytes(&system, name + 1, length - 2);
	else
		ft_text_add_bytes(&system, name, length);
	if (ft__file_line(kernel, reader->root, "/proc/sys/kernel/osrelease"))
		ft_text_add(&system, "%sLinux %s", system.length ? ", " : "", kernel);
	put_fact(reader, &reader->machine->system, system.s);
	reader->no_memory |= system.failed;
	ft_text_clear(&system);
}

/* A variable of the environment: ours, or that of the process which recorded the tree. */
static const char *get_variable(const char *environment, size_t length, const char *name)
{
	size_t wanted = strlen(name);
	const char *p = environment;

	if (!environment)
		return getenv(name);
	while (p < environment + length) {
		if (!strncmp(p, name, wanted) && p[wanted] == '=')
			return p + wanted + 1;
		p += strlen(p) + 1;
	}
	return NULL;
}

static void read_scheduler(struct machine_reader *reader)
{
	static const struct {
		const char *variable, *words;
	} schedulers[] = {
		{"SLURM_JOB_ID", "Slurm job"}, {"PBS_JOBID", "PBS job"},    {"LSB_JOBID", "LSF job"},
		{"OAR_JOB_ID", "OAR job"},     {"FLUX_JOB_ID", "Flux job"},
	};
	char recorded[ENVIRON_LENGTH];
	struct ft_text words = {0};
	const char *job = NULL;
	size_t length = 0, i;

	if (*reader->root)
		length = ft__file_read(recorded, sizeof recorded, reader->root, "/proc/self/environ");
	for (i = 0; i < sizeof schedulers / sizeof *schedulers; i++) {
		job = get_variable(*reader->root ? recorded : NULL, length, schedulers[i].variable);
		if (job && *job)
			break;
		job = NULL;
	}
	if (!job)
		return;
	ft_text_add(&words, "%s %s", schedulers[i].words, job);
	put_fact(reader, &reader->machine->scheduler, words.s);
	reader->no_memory |= words.failed;
	ft_text_clear(&words);
}

/* Over the hardware only; memory in whole GiB, because kernels keep different shares of it for themselves. */
static void put_fingerprint(struct machine_reader *reader)
{
	const struct ft_machine *m = reader->machine;
	int64_t memory_gib = (m->memory_bytes + (INT64_C(1) << 29)) >> 30;
	char digits[FT_HASH_LENGTH];
	struct ft_text facts = {0};

	ft_text_add(&facts, "%s|%s|%d|%d|%d|", m->cpu ? m->cpu : "", m->architecture ? m->architecture : "",
		    m->sockets, m->cores, m->threads);
	ft_text_add(&facts, "%" PRId64 "|%" PRId64 "|%" PRId64 "|%" PRId64 "|%s", m->l1d_bytes, m->l2_bytes,
		    m->l3_bytes, memory_gib, m->hypervisor ? m->hypervisor : "");
	reader->no_memory |= facts.failed;
	if (!facts.failed)
		put_fact(reader, &reader->machine->fingerprint,
			 ft_hash_format(ft_hash_bytes(FT_HASH_START, facts.s, facts.length), digits));
	ft_text_clear(&facts);
}

enum ft_status ft_machine_read(const char *root, struct ft_machine *out, struct ft_err *err)
{
	struct machine_reader reader = {.root = root, .machine = out};

	*out = (struct ft_machine){0};
	if (!ft__file_read(reader.cpuinfo, sizeof reader.cpuinfo, root, "/proc/cpuinfo") && *root) {
		enum ft_status status =
			ft_fail_errno(err, errno ? errno : ENOENT,
				      "cannot read the recorded machine '%s/proc/cpuinfo'", root);

		(void)ft_remedy(err, "name a folder that holds a machine's /proc and /sys");
		return status;
	}
	read_cpu_name(&reader);
	if (*root || !read_hwloc_topology(out)) {
		struct ft_machine *machine = reader.machine;
		char online[4096]; /* long where every second thread is off */
		const char *list = online;
		long first, last;

		(void)ft__file_read(online, sizeof online, reader.root, "/sys/devices/system/cpu/online");
		while (next_range(&list, &first, &last)) {
			if (!machine->threads)
				read_sys_caches(&reader, first);
			for (long cpu = first; cpu <= last; cpu++) {
				machine->threads++;
				machine->cores += leads_siblings(reader.root, cpu, "thread_siblings_list");
				machine->sockets += leads_siblings(reader.root, cpu, "core_siblings_list");
			}
		}
	}
	/* From /proc and not from hwloc: it adds up NUMA nodes, which lack memory that was plugged in later. */
	char meminfo[FT__LINE_LENGTH], line[FT__LINE_LENGTH];

	(void)ft__file_read(meminfo, sizeof meminfo, reader.root, "/proc/meminfo");
	if (ft__file_value(line, meminfo, "MemTotal"))
		reader.machine->memory_bytes = parse_bytes(line); /* always kB, which are KiB */
	char fact[FT__LINE_LENGTH];
	struct utsname names;

	if (ft__file_line(fact, reader.root, "/proc/sys/kernel/hostname"))
		put_fact(&reader, &reader.machine->host, fact);
	if (ft__file_line(fact, reader.root, "/proc/sys/kernel/arch")) /* since Linux 6.1 */
		put_fact(&reader, &reader.machine->architecture, fact);
	else if (!*reader.root && !uname(&names))
		put_fact(&reader, &reader.machine->architecture, names.machine);
	if (ft__file_line(fact, reader.root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"))
		put_fact(&reader, &reader.machine->governor, fact);
	put_fact(&reader, &reader.machine->hypervisor, ft__hypervisor_find(reader.root, reader.cpuinfo));
	read_system(&reader);
	read_scheduler(&reader);
	put_fingerprint(&reader);
	if (!reader.no_memory)
		return FT_OK;
	ft_machine_clear(out);
	return ft_nomem(err);
}
