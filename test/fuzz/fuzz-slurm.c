/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-slurm.c - any bytes as what Slurm's tools print: how the cluster is set up, its nodes and partitions,
 * the fields of accounts, running jobs, and jobs that ended, which become runs once. */
#include "adapt/door.h"
#include "foretime/adapt.h"
#include "foretime/store.h"
#include "fuzz.h"
#include "store/door.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* The first byte says which tool's words follow. */
const char *const fuzz_slurm_seeds[] = {
	"\001ClusterName = big\nSLURM_CONF = /etc/slurm/slurm.conf\nSLURM_VERSION = 22.05.8\n"
	"AccountingStorageType = accounting_storage/slurmdbd\nAccountingStoreFlags = job_comment\n",
	"\002a[1-2]|epyc,ib\nb7|(null)\nc1|x=1{y}\n",
	"\003fast|epyc,ib|1-00:00:00|64000|up\nold|(null)|infinite|16000+|down\n",
	"\004JobIDRaw State ExitCode Start Elapsed TotalCPU\nUID NodeList Comment MaxRSS\n",
	"\0052026-01-31",
	"\0067d",
	"\00719                      0:50                    1:00                    normal                 "
	"                                                                                                 "
	"foretime: --time=1 --mem=50M for heat, at a risk of 1 %\n",
	"JobIDRaw@@JobID@@State@@ExitCode@@Start@@Elapsed@@TotalCPU@@MaxRSS@@NTasks@@UID@@NodeList@@"
	"AdminComment@@Comment\n"
	"1@@1@@COMPLETED@@0:0@@2026-11-23T16:08:40Z@@00:00:02@@00:01.040@@@@@@0@@a1@@@@foretime:heat,n=1\n"
	"1.batch@@1.batch@@COMPLETED@@0:0@@2026-11-23T16:08:40Z@@00:00:02@@00:01.040@@3342336@@1@@@@a1@@@@\n"
	"3@@3@@COMPLETED@@0:0@@2026-11-23T16:08:40Z@@00:00:02@@00:01.040@@@@@@0@@b7@@@@foretime:heat,n=1\n"
	"3.batch@@3.batch@@COMPLETED@@0:0@@2026-11-23T16:08:40Z@@00:00:02@@00:01.040@@3342336@@1@@@@b7@@@@\n"
	"2_7@@9@@TIMEOUT@@0:0@@2026-11-23T16:08:40Z@@1-00:00:02@@00:01.040@@@@@@0@@a2@@@@foretime:heat,n=2\n",
	NULL,
};

const char *const fuzz_slurm_pieces[] = {
	"@@",
	"|",
	"\n",
	"=",
	",",
	"1.batch@@",
	"@@foretime:",
	"foretime:heat,n=3",
	"n=1e999",
	"COMPLETED",
	"OUT_OF_MEMORY",
	"CANCELLED by 0",
	"RUNNING",
	"Unknown",
	"None assigned",
	"a[1-2],b",
	"a[1-999999999]",
	"UNLIMITED",
	"99-23:59:59",
	"-1",
	"18446744073709551616",
	"(null)",
	"\x1b[2J",
	"\xc3",
	NULL,
};

/* ---- texts that change nothing ----------------------------------------------------------------------------
 */

static const char *check_config(const char *text)
{
	struct ft_slurm_config config;
	struct ft_err err = {0};
	enum ft_status status = ft_slurm_config_parse(&config, text, &err);

	if (status)
		return fuzz_is_told(status, &err) ? NULL : "no configuration is told";
	return *config.cluster && strlen(config.cluster) < FT_SLURM_TEXT ? NULL : "a cluster has a name";
}

static const char *check_kinds(const char *text)
{
	char **kinds;
	struct ft_err err = {0};
	size_t n;
	enum ft_status status = ft_slurm_kinds_parse(text, "big", &kinds, &n, &err);
	const char *broken = NULL;

	if (status)
		return !kinds && fuzz_is_told(status, &err) ? NULL : "no list of kinds is told";
	for (size_t i = 0; i < n && !broken; i++)
		if (!strchr(kinds[i], '=') || *kinds[i] == '\0')
			broken = "nodes are of a kind";
	ft_slurm_texts_free(kinds, n);
	return broken;
}

static const char *check_places(const char *text)
{
	struct ft_slurm_places places = {0};
	struct ft_err err = {0};
	const char *broken = ft_slurm_places_parse(text, "big", &places, &err) ? "there is memory" : NULL;

	for (size_t i = 0; i < places.n && !broken; i++)
		if (!*places.place[i].partition || !*places.place[i].machine ||
		    isnan(places.place[i].limit_s) || places.place[i].limit_s < 0 ||
		    strchr(places.place[i].partition, ','))
			broken = "a place has a partition, a machine and a limit";
	ft_slurm_places_clear(&places);
	return broken;
}

static const char *check_fields(const char *text)
{
	char *fields = NULL, *lacking = NULL;
	struct ft_err err = {0};
	enum ft_status status = ft_slurm_fields_choose(text, &fields, &lacking, &err);
	const char *broken = NULL;

	if (status)
		broken = fuzz_is_told(status, &err) ? NULL : "what lacks is told";
	else if (!fields || !*fields || !lacking)
		broken = "there are fields to ask for";
	free(fields);
	free(lacking);
	return broken;
}

static const char *check_since(const char *text)
{
	struct ft_err err = {0};
	int64_t since_ns;
	enum ft_status status = ft_slurm_since(text, 1800000000000000000, &since_ns, &err);

	return !status || fuzz_is_told(status, &err) ? NULL : "what is no moment is told";
}

static const char *check_raises(const char *text)
{
	char normal[] = "normal", nodes[] = "";
	struct ft_sinfo_partition partition = {normal, nodes, 3600, 1, 0, true};
	struct ft_sinfo partitions = {&partition, 1, 1};
	struct ft_slurm_raise *raise = NULL;
	struct ft_err err = {0};
	const char *broken = NULL;
	size_t n = 0;

	if (ft_slurm_raises_parse(text, &partitions, &raise, &n, &err))
		broken = "lines that cannot be read are passed over";
	for (size_t i = 0; i < n && !broken; i++)
		if (raise[i].job <= 0 || !(raise[i].new_s > raise[i].limit_s) || raise[i].new_s > 3600)
			broken = "a limit grows, and no further than its partition allows";
	free(raise);
	return broken;
}

/* ---- jobs that ended --------------------------------------------------------------------------------------
 */

static size_t sum(const struct ft_slurm_harvested *told)
{
	return told->runs + told->known + told->unsaid + told->unfinished + told->unbegun + told->nodes +
	       told->kinds + told->bad;
}

/* A store for all inputs, a new one when it has become large. */
static struct ft_store *store(void)
{
	static struct ft_store *open;
	static unsigned used;

	if (open && used++ % 500 == 0) {
		ft_store_close(open);
		open = NULL;
		(void)unlink(fuzz_path("slurm"));
	}
	if (!open && ft_store_open(&open, fuzz_path("slurm"), FT_STORE_HASTY, NULL))
		open = NULL;
	return open;
}

static const char *check_harvest(const char *text, size_t length)
{
	const struct ft_slurm_harvest options = {.cluster = "big",
						 .delimiter = "@@",
						 .machine = (const char *const[]){"a[1-9]=kind"},
						 .n_machines = 1,
						 .trust_all = true};
	struct ft_slurm_harvested told = {0}, again = {0};
	struct ft_store *into = store();
	struct ft_err err = {0};
	const char *broken = NULL;

	if (!into)
		return "a store can be made";
	enum ft_status status = ft_slurm_harvest(into, text, length, &options, &told, &err);
	if (status)
		broken = sum(&told) || !fuzz_is_told(status, &err) ? "what is no text of accounts is told"
								   : NULL;
	else if (told.bad && !*told.why)
		broken = "why no run can be made is told";
	else if (ft_slurm_harvest(into, text, length, &options, &again, &err) || again.runs)
		broken = "a job is taken once";
	else if (told.jobs != again.jobs || sum(&again) != again.jobs)
		broken = "each job is counted once";
	ft_slurm_harvested_clear(&told);
	ft_slurm_harvested_clear(&again);
	return broken;
}

const char *fuzz_slurm(const uint8_t *bytes, size_t length)
{
	static const char *(*const check[])(const char *text) = {check_config, check_kinds, check_places,
								 check_fields, check_since, check_since,
								 check_raises};
	unsigned which = fuzz_choice(&bytes, &length, 8);
	char *text = malloc(length + 1);

	if (!text)
		return NULL;
	if (length)
		memcpy(text, bytes, length);
	text[length] = '\0';
	const char *broken = which ? check[which - 1](text) : check_harvest(text, length);
	free(text);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_slurm)
#endif
