/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-gpu.c - memory and time on graphics devices: files of drivers, a tool that misbehaves, OpenCL. */
#include "base/alloc.h"
#include "measure/gauge.h"
#include "measure/measure.h"
#include "process-test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- drm: a folder as /proc has it ---------------------------------------------------------------------- */

/* A descriptor of a process. text NULL: its file has gone since */
static void add_descriptor(int pid, int number, const char *target, const char *text)
{
	char path[600];

	for (int i = 0; i < 3; i++) {
		static const char *const folders[] = {"", "/fd", "/fdinfo"};

		(void)snprintf(path, sizeof path, "%s/proc/%d%s", temp_folder, pid, folders[i]);
		(void)mkdir(path, 0700);
	}
	(void)snprintf(path, sizeof path, "%s/proc/%d/fd/%d", temp_folder, pid, number);
	(void)unlink(path);
	(void)!symlink(target, path);
	(void)snprintf(path, sizeof path, "%s/proc/%d/fdinfo/%d", temp_folder, pid, number);
	if (text)
		(void)temp_write(path, text, 0600);
	else
		(void)unlink(path);
}

static void test_drm(void)
{
	static const char amd[] = "pos:\t0\nflags:\t02100002\ndrm-driver:\tamdgpu\ndrm-client-id:\t7\n"
				  "drm-pdev:\t0000:03:00.0\ndrm-memory-vram:\t1024 KiB\n"
				  "drm-resident-vram:\t2 MiB\ndrm-total-vram:\t1 GiB\n"
				  "drm-memory-gtt:\t512 KiB\ndrm-engine-gfx:\t1500000000 ns\n"
				  "drm-engine-compute:\t500000000 ns\ndrm-engine-capacity-compute:\t4\n",
			  other[] = "drm-client-id: 7\ndrm-pdev: 0000:04:00.0\ndrm-total-vram0: 3 MiB\n",
			  shared[] = "drm-client-id:\t9\ndrm-pdev:\t0000:00:02.0\n"
				     "drm-total-system0:\t4096 KiB\ndrm-resident-system0:\t1048576\n"
				     "drm-total-stolen-system0:\t1 MiB\n",
			  later[] = "drm-client-id:\t7\ndrm-pdev:\t0000:03:00.0\n"
				    "drm-resident-vram:\t1 MiB\ndrm-engine-gfx:\t2500000000 ns\n",
			  broken[] = "drm-client-id:\t11\ndrm-pdev:\t0000:05:00.0\ndrm-memory-vram:\t-5 KiB\n"
				     "drm-memory-vram1:\t99999999999999999999 MiB\n"
				     "drm-memory-vram2:\t12 KB\ndrm-memory-:\t1\nno colon\n::\n"
				     "drm-engine-x:\tmany\ndrm-resident-vram3:\t5 B\n",
			  nameless[] = "drm-pdev:\t0000:06:00.0\ndrm-resident-vram:\t64 MiB\n";
	char path[600];
	struct ft__tree_member member[] = {{.pid = 41}, {.pid = 42}, {.pid = 4711}};
	struct ft__tree tree = {.member = member, .n = 3};
	struct ft__drm drm = {0};

	(void)snprintf(path, sizeof path, "%s/proc", temp_folder);
	(void)mkdir(path, 0700);
	tree.proc = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ft__drm_look(&drm, &tree);
	ok(drm.bytes == 0 && drm.n == 0, "processes without files hold nothing");
	add_descriptor(41, 5, "/dev/dri/renderD128", amd);
	add_descriptor(41, 6, "/dev/dri/renderD128", amd);
	add_descriptor(42, 3, "/dev/dri/card0", amd);
	add_descriptor(42, 4, "/home/renderD128", other);
	ft__drm_look(&drm, &tree);
	ok(drm.bytes == 2 * MB && drm.n == 1, "one client, by three descriptors of two processes: %.0f",
	   (double)drm.bytes);
	ok(ft__drm_busy_s(&drm) == 2, "all engines, not their number: %g", ft__drm_busy_s(&drm));
	add_descriptor(42, 4, "/dev/dri/renderD129", other);
	add_descriptor(42, 7, "/dev/dri/renderD130", shared);
	ft__drm_look(&drm, &tree);
	ok(drm.bytes == 7 * MB && drm.n == 3,
	   "the same number on another device, and a device with the machine's memory: %.0f",
	   (double)drm.bytes);
	add_descriptor(41, 5, "/dev/dri/renderD128", later);
	add_descriptor(41, 6, "/dev/dri/renderD128", NULL);
	add_descriptor(42, 3, "/dev/null", NULL);
	add_descriptor(42, 4, "/dev/null", NULL);
	add_descriptor(42, 7, "/dev/null", NULL);
	ft__drm_look(&drm, &tree);
	ok(drm.bytes == MB && drm.peak_bytes == 7 * MB, "what was released is gone, the peak stays");
	ok(ft__drm_busy_s(&drm) == 2.5, "the first engine computed on, the other is kept: %g",
	   ft__drm_busy_s(&drm));
	add_descriptor(41, 5, "/dev/dri/renderD128", broken);
	add_descriptor(42, 3, "/dev/dri/renderD128", nameless);
	ft__drm_look(&drm, &tree);
	ok(drm.bytes == 5, "numbers that are none, and a client without a number, are left out: %.0f",
	   (double)drm.bytes);
	ft__drm_clear(&drm);
	(void)close(tree.proc);
}

/* ---- reports -------------------------------------------------------------------------------------------- */

static void test_reports(void)
{
	static const char text[] = "ft1 device 7 100\nft1 device 8 50\nft1 device 7 20\nft1 device 8 60\n"
				   "ft1 device 7\nft1 device x 5\nft1 device 7 -1\nft1 device 7 1e99\n"
				   "ft1 device 7 1 2\n";
	struct ft__report report = {0};

	ok(!ft__report_add(&report, text, sizeof text - 1, NULL) && report.n_devices == 2 &&
		   report.device_peak == 150 && report.device_bytes == 80 && !report.n,
	   "the peak over both processes: %g", report.device_peak);
	ft__report_clear(&report);
	ft_alloc_fail_at(1);
	enum ft_status status = ft__report_add(&report, text, sizeof text - 1, NULL);
	ft_alloc_fail_at(0);
	ok(status == FT_ENOMEM && !report.n_devices, "no memory");
	ft__report_clear(&report);
}

/* ---- nvidia-smi ----------------------------------------------------------------------------------------- */

/* The run goes on until the tool was called so many times, and shows its number in a file. */
static const char waiting[] =
	"echo $$ >\"$TMPDIR/pid\"; i=0; while [ $(wc -l <\"$TMPDIR/calls\") -lt {n} ] && [ $i -lt 600 ]; do "
	"i=$((i + 1)); sleep 0.05; done";

static bool open_words(struct subject *s, const char *gpu, const char *shell)
{
	static const char *const none[] = {NULL};

	make(s, "hostile", none);
	s->argv[0] = (char *)(uintptr_t) "sh";
	s->argv[1] = (char *)(uintptr_t) "-c";
	s->argv[2] = (char *)(uintptr_t)shell;
	s->program.argc = 3;
	s->launch.gpu = gpu;
	return !open_subject(s);
}

static const char *reason(const struct subject *s)
{
	for (size_t i = 0; i < last(s)->n_samples; i++)
		if (last(s)->sample[i].resource == &ft_gpu_memory_bytes)
			return last(s)->sample[i].reason ? last(s)->sample[i].reason : "";
	return "no sample";
}

/* A run with a tool of these lines. calls: how many of its calls the run waits for; expected: in the reason; NULL: it has the
 * value */
static void try_tool(const char *lines, int calls, double bytes, const char *expected, const char *what)
{
	char path[600], script[1200];
	struct subject s;

	(void)snprintf(path, sizeof path, "%s/calls", temp_folder);
	(void)temp_write(path, "", 0600);
	(void)snprintf(path, sizeof path, "%s/pid", temp_folder);
	(void)unlink(path);
	(void)snprintf(path, sizeof path, "%s/nvidia-smi", temp_folder);
	(void)snprintf(script, sizeof script,
		       "#!/bin/sh\n"
		       "pid=$(cat \"$TMPDIR/pid\" 2>/dev/null)\n"
		       "[ -z \"$pid\" ] || echo \"$@\" >>\"$TMPDIR/calls\"\n%s\n",
		       lines);
	(void)temp_write(path, script, 0700);
	if (!ok(open_words(&s, "nvidia", waiting), "%s: it begins", what))
		return;
	enum ft_status status = run(&s, calls, 60);
	/* A table that is made at the end of a run is read in the next. */
	for (int i = 0; expected && i < 1000 && !status && !strstr(reason(&s), expected); i++)
		status = run(&s, calls, 60);
	double seen = value(&s, &ft_gpu_memory_bytes);
	if (!ok(!status && last(&s)->outcome == FT_DONE &&
			(expected ? isnan(seen) && strstr(reason(&s), expected) : seen == bytes),
		"%s: %s", what, expected ? expected : "measured"))
		diag("%g, '%s'", seen, reason(&s));
	ok(expected || ft_run_value(last(&s), &ft_wall_s) > 0, "and the rest is measured");
	unmake(&s);
}

static void test_nvidia(void)
{
	char before[8192], path[8800];

	(void)snprintf(before, sizeof before, "%s", getenv("PATH"));
	(void)snprintf(path, sizeof path, "%s:%s", temp_folder, before);
	(void)setenv("PATH", path, 1);
	try_tool("[ -z \"$pid\" ] || printf '1, 4000\\n%s, 100\\n%s, 28\\n' $pid $pid", 8, 128 * MB, NULL,
		 "two devices, and another's process");
	try_tool("[ -z \"$pid\" ] || echo \"$pid, [N/A]\"", 1, 0, "reports no memory of a process",
		 "a driver that hides it");
	try_tool("echo 'GPU 0: NVIDIA, 81920 MiB, 3 %'", 0, 0, "printed no process", "other columns");
	try_tool("[ -z \"$pid\" ] || echo \"$pid, 100 MiB, python\"", 1, 0, "printed no process",
		 "more columns");
	try_tool("[ -z \"$pid\" ] || { echo 'Unable to determine the device handle'; exit 15; }", 1, 0,
		 "failed: Unable", "one that fails in mid-run");
	try_tool("[ -z \"$pid\" ] || rm -f \"$TMPDIR/nvidia-smi\"", 1, 0, "not on PATH", "one that vanishes");
	try_tool("[ -z \"$pid\" ] || sleep 30", 1, 0, "before nvidia-smi had answered",
		 "one that hangs in mid-run");
	try_tool("yes 123456789 | head -c 300000", 0, 0, "nvidia-smi", "one that floods");
	if (!test_quick())
		try_tool("sleep 30", 0, 0, "does not answer in time", "one that always hangs");
	(void)snprintf(path, sizeof path, "%s/nvidia-smi", temp_folder);
	(void)unlink(path);
	(void)setenv("PATH", before, 1);
}

/* ---- OpenCL --------------------------------------------------------------------------------------------- */

static void test_opencl(void)
{
	static const struct {
		const char *word[8];
		double mib;
		const char *what;
	} rows[] = {
		{{"b64", "r", "b32", "b16", "r"}, 64, "what was released does not count"},
		{{"b10", "i", "s8", "f"}, 22, "a buffer, an image, and shared memory"},
		{{"s8", "f", "s8", "f", "s8", "f"}, 8, "shared memory, released each time"},
		{{"b16", "p", "b32"}, 48, "two processes together"},
		{{"b24", "k"}, 24, "one that is ended by a signal"},
	};
	struct subject s;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		make(&s, "opencl", rows[i].word);
		s.launch.gpu = "opencl";
		if (open_subject(&s) || run(&s, 1, 60)) {
			ok(false, "%s: %s", rows[i].what, s.err.text);
			return;
		}
		if (last(&s)->exit_status == 77) {
			diag("no device of OpenCL is here");
			unmake(&s);
			return;
		}
		double mib = value(&s, &ft_gpu_memory_bytes) / MB;
		ok(mib == rows[i].mib, "%s: %g MiB", rows[i].what, mib);
		unmake(&s);
	}
	if (!open_words(&s, "opencl", "exit 0") || run(&s, 1, 60))
		return;
	ok(strstr(reason(&s), "did not call OpenCL") != NULL, "a program that calls none: %s", reason(&s));
	unmake(&s);
}

static void test_wishes(void)
{
	struct subject s;

	ok(!open_words(&s, "nvidia,sun", "exit 0") && s.err.status == FT_EINVAL &&
		   strstr(s.err.text, "'sun'"),
	   "an unknown probe: %s", s.err.text);
	ok(!open_words(&s, "", "exit 0") && s.err.status == FT_EINVAL, "none");
	ok(!open_words(&s, "drm,", "exit 0") && s.err.status == FT_EINVAL, "an empty one");
	if (!open_words(&s, "all", "exit 0") || run(&s, 1, 60))
		return;
	ok(value(&s, &ft_gpu_memory_bytes) == 0 || *reason(&s), "all: nothing, or why not: %s", reason(&s));
	unmake(&s);
	if (!open_words(&s, NULL, "exit 0") || run(&s, 1, 60))
		return;
	ok(!strcmp(reason(&s), "no sample"), "without a wish, a run that uses none has no sample");
	unmake(&s);
}

int main(void)
{
	(void)temp_path("");
	if (setenv("TMPDIR", temp_folder, 1) || chdir(temp_folder))
		return 99;
	test_drm();
	test_reports();
	test_wishes();
	test_nvidia();
	test_opencl();
	(void)!chdir("/");
	temp_remove();
	return done();
}
