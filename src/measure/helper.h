/* SPDX-License-Identifier: GPL-3.0-or-later */
/* helper.h - the protocol between foretime and foretime-helper over a stream socket.
 *
 * Both are of one build and one machine, so structs are sent as they are. The helper sends a hello once;
 * then each request except a cancellation gets one reply, before which news may come. The end of the
 * stream means that foretime is gone: the helper ends all it started. */
#ifndef FT_MEASURE_HELPER_H
#define FT_MEASURE_HELPER_H

#include "base/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FT__HELPER_SOCKET =
		98, /* the helper's end: high, because scripts use the low ones; lower if fewer are allowed.
		 * The one below is FORETIME_PROBE_FD of a child */
	FT__HELPER_PROTOCOL = 11,   /* changes with every struct here */
	FT__CPUS_MAX = 8192,        /* processors that can be pinned to are 0..FT__CPUS_MAX - 1 */
	FT__DETAIL_MAX = 4096,      /* last bytes of standard error that are returned */
	FT__PAYLOAD_MAX = 64 << 20, /* of a request: far more than the kernel takes as arguments */
	FT__COUNTERS_MAX = 16,
	FT__MOMENTS_MAX = 1 << 16, /* of a trace: when it is full, each two neighbours are merged */
};

#define FT__HELPER_MAGIC UINT32_C(0x46743168)
#define FT__NEWS_MAGIC   UINT32_C(0x4674316e)

struct ft__hello {
	uint32_t magic, protocol;
	uint32_t reaps; /* 1: processes whose parent has ended become the helper's children; 0: refused */
};

enum ft__request_kind {
	FT__RUN = 1, /* payload: the file to execute, then its arguments, each with its zero byte */
	FT__CANCEL,  /* end the run in progress; has no reply of its own, and is ignored when nothing runs */
	FT__SIGNAL,  /* words: the number of a signal for the program that runs; not answered */
	FT__PIN,     /* payload: a bit for each processor that children may use; answered with start_errno and
			wait_status */
	FT__COUNT,   /* payload: a struct perf_event_attr for each counter of the runs to come, none: no
			counters; answered with the errno of each in counts */
};

enum ft__request_flag {
	FT__PASS_THROUGH = 1, /* the child keeps standard input, output, error and the process group */
	FT__PLAIN = 2,        /* prepare and cleanup: not pinned, no samples, no report, no counters */
	FT__REAL = 4,         /* struct ft_launch, real */
	FT__TRACE = 16,       /* keep what every look at the tree showed */
	FT__KEEP_OUTPUT = 32, /* the child writes to the helper's standard output */
	FT__SOCKETS = 128,    /* look at its sockets */
	FT__NEWS = 64,        /* struct ft__news may come before the reply, one after the other */
};

struct ft__request {
	uint32_t magic, kind, flags;
	uint32_t words;  /* FT__RUN: how many strings follow, the file included */
	uint64_t length; /* bytes of payload */
	double limit_s;  /* <= 0: none */
	double sample_s; /* shortest time between two looks at the tree's memory */
};

enum ft__reply_flag {
	FT__ENDED_AT_LIMIT = 1,
	FT__ENDED_BY_CANCEL = 2,
	FT__ENDED_AS_STOPPED = 4, /* it stopped itself, and nothing would have continued it */
	FT__KILLED_FOR_MEMORY = 8,
	FT__NOT_ENDED =
		16, /* it, or a descendant, could not be ended: another user's, or stuck in the kernel */
	FT__NO_TREE = 32,         /* /proc cannot be read: peak_tree_bytes is only the largest process */
	FT__DETAIL_CUT = 64,      /* there was more on standard error than FT__DETAIL_MAX */
	FT__HAS_IO = 128,         /* io is known */
	FT__TRACE_TICKS = 256,    /* processor time of the trace is in the kernel's ticks */
	FT__HAS_DELAY = 512,      /* exec_s and run_delay_s are known */
	FT__TREE_GUESSED = 1024,  /* peak_tree_bytes is an estimate */
	FT__MEMORY_KILLS = 4096,  /* the kernel killed a process of it for memory, by its control group */
	FT__HAS_SCRATCH = 8192,   /* scratch_bytes is known */
	FT__SCRATCH_CUT = 16384,  /* there were more files than a look takes in */
	FT__HAS_DRM = 32768,      /* drm_bytes and drm_s are known: there is such a device */
	FT__NO_REAPER = 65536,    /* the hello's reaps is 0: what it left behind may have been missed */
	FT__HAS_SOCKETS = 131072, /* sent_bytes and received_bytes, unless sockets_errno tells why not */
	FT__HAS_REPORT = 2048, /* the child reported: the file follows last, as ft__wire_send_file has it */
};

/* A counter at the end of a run, as the kernel gives it (perf_event_open(2)). */
struct ft__count {
	uint64_t value, enabled_ns, running_ns;
	int32_t error; /* errno; 0: it counted */
};

/* One look at the tree. */
struct ft__moment {
	double time_s; /* since the start */
	double cpu_s;  /* used by the tree since the start */
	uint64_t rss_bytes;
	uint64_t processes;
};

/* The progress of a run. Sent if there is room: a slow listener misses some. */
struct ft__news {
	uint32_t magic; /* FT__NEWS_MAGIC; the reply has another */
	uint32_t first; /* 1: the file that the child reports to follows, as ft__wire_send_file has it */
	double time_s;  /* since the start */
	uint64_t bytes; /* of all processes now */
	uint64_t largest_bytes; /* of one of them */
	double exec_s, delay_s; /* of all so far: on processors, and waiting for one; both 0: not known */
	int32_t program;        /* its number */
};

/* Bytes of a program, and of all that it started. */
struct ft__io {
	uint64_t read_bytes, written_bytes; /* from and to storage */
	uint64_t input_bytes, output_bytes; /* through the calls of read and write */
};

struct ft__reply {
	uint32_t magic, flags;
	int32_t start_errno; /* not 0: it was not executed, and the rest is not valid. FT__PIN: EINVAL */
	int32_t wait_status; /* of the child, as from wait(2). FT__PIN: the first missing processor */
	double wall_s, user_s, system_s;
	double run_delay_s; /* time that its tasks waited for a processor, as far as was seen: */
	double exec_s;      /* the processor time seen in the same places, of user_s + system_s */
	uint64_t peak_rss_bytes, peak_tree_bytes;
	uint64_t scratch_bytes;              /* peak of what it kept on file systems */
	uint64_t sent_bytes, received_bytes; /* of its sockets */
	int32_t sockets_errno;               /* why these are not known; 0: they are */
	uint64_t drm_bytes;                  /* peak of what it held on graphics devices */
	double drm_s;                        /* and what these computed for it */
	uint64_t minor_faults, major_faults, voluntary_switches, involuntary_switches;
	struct ft__io io;
	struct ft__count counts[FT__COUNTERS_MAX];
	/* Read here: foretime sleeps until the reply comes, and is not in the queue. */
	struct ft__queue queue;               /* once everything has ended; with the helper in it */
	uint32_t detail_length, trace_length; /* bytes that follow, in this order */
};

/*
 * Whole blocks, and descriptors, over a stream socket. All are false when the other side is gone.
 */

bool ft__wire_receive(int socket, void *bytes, size_t length);
bool ft__wire_send(int socket, const void *bytes, size_t length);

/* ft__wire_send_file - send a descriptor, with one byte. ft__wire_receive_file - receive it: the caller's
 * to close; -1: there was no room for it. */
bool ft__wire_send_file(int socket, int file);
bool ft__wire_receive_file(int socket, int *file);

#endif
