/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-xml.c - any bytes as a configuration of the manager, as PMM writes them. It is refused with words, or
 * means the same when it is written and read again. */
#include "fuzz.h"

const char *const fuzz_xml_seeds[] = {
	"<config><load_monitor><load_path>/l</load_path><write_period>5</write_period></"
	"load_monitor><routine>"
	"<name>dgemm</name><exe_path>/bin/dgemm</exe_path><exe_args>-q  "
	"fast</exe_args><model_path>/m</model_path>"
	"<parameters><n_p>2</n_p><param><order>1</order><name>k</name><start>1</start><end>99</"
	"end><stride>10</stride>"
	"<offset>5</offset><nonzero_end>no</nonzero_end></param><param><order>0</order><name>n</"
	"name><min>64</min>"
	"<max>512</max></param><param_constraint><formula>n*k</formula><min>10</min><max>4000</max></"
	"param_constraint>"
	"</parameters><condition>nousers</condition><priority>7</"
	"priority><construction><method>naive_bisect</method>"
	"<min_sample_num>2</min_sample_num><max_completion>40</max_completion></construction></routine></"
	"config>",
	"<?xml version=\"1.0\"?><!-- c --><config><benchmarking_policies><policy><time_constraint "
	"type=\"periodic\">"
	"<day_of_week>sat-sun</day_of_week><hour>22-5</hour></time_constraint><condition "
	"type=\"halt_file\"><halt_path>/h"
	"</halt_path></condition><condition "
	"type=\"load_threshold\">0.5</condition></policy></benchmarking_policies></config>",
	"<problem><name>p</name><command>p</command><parameters><param>n=1:9</param></parameters><policy>"
	"<time_constraint type=\"until\">2026-12-24T08:00:00Z</time_constraint></policy></problem>",
	"<!DOCTYPE c [<!ENTITY a \"b\">]><config><store>&a;</store></config>",
	NULL,
};

const char *const fuzz_xml_pieces[] = {
	"<",
	">",
	"/>",
	"</",
	"&lt;",
	"&#10;",
	"&#0;",
	"&a;",
	"<![CDATA[",
	"]]>",
	"<!DOCTYPE ",
	"<!ENTITY ",
	"<!--",
	"<?",
	"=\"",
	"<condition type=\"user_login\"/>",
	"<policy>",
	"<value>",
	"<param>",
	"<name>",
	"1e999",
	"-1",
	"\xff\xfe",
	"\x1b",
	"encoding=\"UTF-16\"",
	"xmlns:a=\"b\"",
	NULL,
};

const char *fuzz_xml(const uint8_t *bytes, size_t length)
{
	return fuzz_config(bytes, length);
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_xml)
#endif
