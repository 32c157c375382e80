/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knowledge.c - an expert's statements on a program: laws by resource, and requirements. */
#include "base/alloc.h"
#include "base/files.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "foretime/facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *word, *about;
} kinds[] = {
#define ROW(name, word, about) {word, about},
	FT_REQUIREMENT_LIST(ROW)
#undef ROW
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

const char *ft_requirement_text(enum ft_requirement_kind kind)
{
	return (size_t)kind < N_KINDS ? kinds[kind].word : "unknown";
}

void ft_knowledge_clear(struct ft_knowledge *knowledge)
{
	if (!knowledge)
		return;
	for (size_t i = 0; i < knowledge->n_stated; i++)
		ft_free(knowledge->stated[i].law);
	for (size_t i = 0; i < knowledge->n_requirements; i++)
		ft_free(knowledge->requirement[i].value);
	ft_free(knowledge->stated);
	ft_free(knowledge->requirement);
	*knowledge = (struct ft_knowledge){0};
}

/* ---- laws --------------------------------------------------------------------------------------------- */

static struct ft_stated *find_stated(const struct ft_knowledge *knowledge, const struct ft_resource *resource)
{
	for (size_t i = 0; i < knowledge->n_stated; i++)
		if (knowledge->stated[i].resource == resource)
			return &knowledge->stated[i];
	return NULL;
}

const char *ft_knowledge_law(const struct ft_knowledge *knowledge, const struct ft_resource *resource)
{
	const struct ft_stated *stated = find_stated(knowledge, resource);

	return stated ? stated->law : NULL;
}

enum ft_status ft_knowledge_state(struct ft_knowledge *knowledge, const struct ft_resource *resource,
				  const char *law, struct ft_err *err)
{
	struct ft_stated *stated = find_stated(knowledge, resource), *grown;

	if (!law) {
		if (stated) {
			size_t at = (size_t)(stated - knowledge->stated);

			ft_free(stated->law);
			memmove(stated, stated + 1, (--knowledge->n_stated - at) * sizeof *stated);
		}
		return FT_OK;
	}
	struct ft_expr *expr;
	struct ft_err why = {0};

	enum ft_status status = ft_expr_new(&expr, law, &why);
	ft_expr_free(expr);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status) {
		(void)ft_fail(err, status, "the law of %s: %.400s", resource->name, why.text);
		(void)ft_remedy(err, "write it like 2e-9*n^3 + 0.01, in %s",
				*resource->unit ? resource->unit : "plain numbers");
	}
	if (status)
		return status;
	char *copy = ft_strdup(law);
	if (!copy)
		return ft_nomem(err);
	if (!stated) {
		grown = ft_grow(knowledge->stated, knowledge->n_stated, &knowledge->stated_capacity,
				sizeof *grown);
		if (!grown) {
			ft_free(copy);
			return ft_nomem(err);
		}
		knowledge->stated = grown;
		stated = &grown[knowledge->n_stated++];
		*stated = (struct ft_stated){.resource = resource};
	}
	ft_free(stated->law);
	stated->law = copy;
	return FT_OK;
}

enum ft_status ft_knowledge_value(const struct ft_knowledge *knowledge, const struct ft_program *program,
				  const struct ft_resource *resource, const struct ft_size *size,
				  double *value, struct ft_err *err)
{
	const char *law = ft_knowledge_law(knowledge, resource), *name[FT_PARAMS_MAX];
	struct ft_expr *expr;
	char at[256];

	*value = NAN;
	if (!law)
		return ft_fail(err, FT_ENOENT, "no law of %s was stated", resource->name);
	for (size_t i = 0; i < program->n_params; i++)
		name[i] = program->param[i].name;
	FT_TRY(ft_expr_new(&expr, law, err));
	enum ft_status status = ft_expr_eval(expr, name, size->value, program->n_params, value, err);
	ft_expr_free(expr);
	if (!status && *value >= 0)
		return FT_OK;
	(void)ft_size_format(program, size, at, sizeof at);
	if (!status)
		status = ft_fail(err, FT_EINVAL, "the stated law %s = %.100s is %g at %s", resource->name,
				 law, *value, at);
	*value = NAN;
	(void)ft_remedy(err, "state another one with foretime set '%s' --law %s='...'", program->name,
			resource->name);
	return status;
}

/* ---- requirements ------------------------------------------------------------------------------------- */

static enum ft_status unknown_kind(const char *text, struct ft_err *err)
{
	(void)ft_fail(err, FT_EPARSE, "'%.100s' is no requirement", text);
	(void)ft_remedy(err, "write memory=8GiB, processors=4, architecture=x86_64 or software=COMMAND");
	return FT_EPARSE;
}

/* The kind before '=', or the whole text; *value: what stands behind '=', NULL: there is none. */
static bool split_requirement(const char *text, enum ft_requirement_kind *kind, const char **value)
{
	size_t length = strcspn(text, "="), i;

	*value = text[length] ? text + length + 1 : NULL;
	for (i = 0; i < N_KINDS; i++)
		if (strlen(kinds[i].word) == length && !strncmp(kinds[i].word, text, length)) {
			*kind = (enum ft_requirement_kind)i;
			return true;
		}
	return false;
}

static enum ft_status parse_requirement(const char *text, struct ft_requirement *out, struct ft_err *err)
{
	const char *value;
	enum ft_status status = FT_OK;

	*out = (struct ft_requirement){0};
	if (!split_requirement(text, &out->kind, &value) || !value || !*value)
		return unknown_kind(text, err);
	if (out->kind == FT_REQUIRES_MEMORY)
		status = ft_bytes_parse(value, &out->amount, err);
	else if (out->kind == FT_REQUIRES_PROCESSORS)
		status = ft_number_parse(value, &out->amount, err);
	else if (out->kind == FT_REQUIRES_SOFTWARE && strchr(value, ' '))
		status = unknown_kind(text, err);
	if (!status && (out->kind == FT_REQUIRES_MEMORY || out->kind == FT_REQUIRES_PROCESSORS) &&
	    !(out->amount > 0)) {
		(void)ft_fail(err, FT_EPARSE, "'%.100s' requires nothing", text);
		status = ft_remedy(err, "write an amount above 0, or take the requirement away");
	}
	if (status)
		return status;
	out->value = ft_strdup(value);
	return out->value ? FT_OK : ft_nomem(err);
}

static size_t release_requirements(struct ft_knowledge *knowledge, enum ft_requirement_kind kind,
				   const char *value)
{
	size_t i = knowledge->n_requirements, n = 0;

	while (i-- > 0) {
		const struct ft_requirement *r = &knowledge->requirement[i];

		if (r->kind != kind || (value && strcmp(r->value, value) != 0))
			continue;
		struct ft_requirement *gone = &knowledge->requirement[i];

		ft_free(gone->value);
		memmove(gone, gone + 1, (--knowledge->n_requirements - i) * sizeof *gone);
		n++;
	}
	return n;
}

enum ft_status ft_knowledge_require(struct ft_knowledge *knowledge, const char *text, struct ft_err *err)
{
	struct ft_requirement requirement;

	FT_TRY(parse_requirement(text, &requirement, err));
	struct ft_requirement *grown = ft_grow(knowledge->requirement, knowledge->n_requirements,
					       &knowledge->requirement_capacity, sizeof *grown);
	if (!grown) {
		ft_free(requirement.value);
		return ft_nomem(err);
	}
	knowledge->requirement = grown;
	(void)release_requirements(knowledge, requirement.kind,
				   requirement.kind == FT_REQUIRES_SOFTWARE ? requirement.value : NULL);
	knowledge->requirement[knowledge->n_requirements++] = requirement;
	return FT_OK;
}

enum ft_status ft_knowledge_release(struct ft_knowledge *knowledge, const char *text, struct ft_err *err)
{
	enum ft_requirement_kind kind;
	const char *value;

	if (!split_requirement(text, &kind, &value))
		return unknown_kind(text, err);
	if (release_requirements(knowledge, kind, value))
		return FT_OK;
	return ft_fail(err, FT_ENOENT, "there is no requirement '%.100s'", text);
}

bool ft_requirement_unmet(const struct ft_requirement *requirement, const struct ft_machine *machine,
			  bool here, char *why, size_t length)
{
	const char *host = here ? "this machine" : machine->host ? machine->host : "that machine";
	char wanted[FT_UNIT_LENGTH], there[FT_UNIT_LENGTH], found[PATH_MAX];
	bool unmet = false;

	if (length)
		why[0] = '\0';
	switch (requirement->kind) {
	case FT_REQUIRES_MEMORY:
		unmet = machine->memory_bytes > 0 && (double)machine->memory_bytes < requirement->amount;
		if (unmet)
			(void)snprintf(why, length, "%s of memory are required, and %s has %s",
				       ft_value_format(requirement->amount, "bytes", wanted), host,
				       ft_value_format((double)machine->memory_bytes, "bytes", there));
		break;
	case FT_REQUIRES_PROCESSORS:
		unmet = machine->threads > 0 && machine->threads < requirement->amount;
		if (unmet)
			(void)snprintf(why, length, "%s processors are required, and %s has %d",
				       ft_number_format(requirement->amount, wanted), host, machine->threads);
		break;
	case FT_REQUIRES_ARCHITECTURE:
		unmet = machine->architecture && strcmp(machine->architecture, requirement->value) != 0;
		if (unmet)
			(void)snprintf(why, length, "architecture %s is required, and %s is %s",
				       requirement->value, host, machine->architecture);
		break;
	case FT_REQUIRES_SOFTWARE:
		unmet = here && ft_path_find(requirement->value, found) != 0;
		if (unmet)
			(void)snprintf(why, length, "%s is required, and is not found on this machine",
				       requirement->value);
		break;
	}
	return unmet;
}
