/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - a request that is whole: who may ask, and which route answers. */
#include "http/inside.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- who may ask --------------------------------------------------------------------------------------- */

/* In a time that says nothing of where they differ. */
static bool same_secret(const char *ours, const char *theirs)
{
	size_t n = strlen(ours), m = strlen(theirs), i;
	unsigned differ = n != m;

	for (i = 0; i < n; i++)
		differ |= (unsigned char)ours[i] ^ (unsigned char)theirs[m ? i % m : 0];
	return !differ;
}

static bool has_token(const struct ft__http_request *request)
{
	const char *said = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Authorization");

	return said && !strncasecmp(said, "Bearer ", 7) && same_secret(request->door->token, said + 7);
}

/* A page of another site that resolves its name to our address (DNS rebinding) names itself. */
static bool names_us(const struct ft__http_request *request)
{
	const char *said = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Host");
	const char *colon = said ? strrchr(said, ':') : NULL;
	size_t n = !said ? 0 : colon && !strchr(colon, ']') ? (size_t)(colon - said) : strlen(said), i;

	for (i = 0; said && request->door->host[i]; i++)
		if (strlen(request->door->host[i]) == n && !strncasecmp(request->door->host[i], said, n))
			return true;
	return false;
}

/* A browser says which page asks: it has to be one that came from here. The page itself, typed or followed
 * to, is asked by none. */
static bool is_our_page(const struct ft__http_request *request)
{
	const char *origin = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Origin");
	const char *site =
		MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Sec-Fetch-Site");
	const char *host = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Host");

	if (origin && (!host || strncmp(origin, "http://", 7) != 0 || strcasecmp(origin + 7, host) != 0))
		return false;
	return !site || !strcmp(site, "same-origin") || !strcmp(site, "none");
}

static struct ft_http_answer *turn_away(const struct ft__http_request *request, const char *method, bool open)
{
	const struct ft__door *door = request->door;

	/* What is read as text would end there: a name for another one. */
	if (strstr(request->target, "%00"))
		return ft_http_refuse(400, "no name has a byte of 0", "leave out %00");
	if (door->host && !names_us(request))
		return ft_http_refuse(421, "this server has another name",
				      "ask it by the name that it was configured with");
	if (door->browsers && !open && !is_our_page(request))
		return ft_http_refuse(403, "a page of another site asks",
				      "open the address that was printed");
	if (door->token && !open && !has_token(request))
		return ft_http_refuse(401, "a token is needed",
				      "send the header 'Authorization: Bearer TOKEN'");
	if (door->read_only && strcmp(method, "GET") != 0)
		return ft_http_refuse(403, "only GET is answered here", "use the unix socket");
	return NULL;
}

/* ---- which route --------------------------------------------------------------------------------------- */

/* Whether a path is that of a route; rest: what stands for its '*'. */
static bool matches_route(const char *pattern, const char *path, const char **rest)
{
	size_t n = strlen(pattern);

	*rest = "";
	if (!n || pattern[n - 1] != '*')
		return !strcmp(pattern, path);
	if (strncmp(pattern, path, n - 1) != 0 || !path[n - 1])
		return false;
	*rest = path + n - 1;
	return true;
}

/* Who asks it of whom. */
static bool may_ask(const struct ft_http_route *route, const struct ft_http_peer *peer)
{
	return !route->owner || (peer->local && peer->uid == geteuid());
}

static struct ft_http_answer *no_route(const struct ft__door *door, bool other_method)
{
	if (other_method)
		return ft_http_refuse(405, "this path takes another method",
				      door->browsers ? "use GET for queries and POST for data"
						     : "GET /openapi.json describes it");
	return ft_http_refuse(404, "there is nothing of this name",
			      door->browsers ? "the page begins at /" : "GET /openapi.json lists all paths");
}

/* The route of a path and method, and what stands for its '*'; NULL: there is none. */
static const struct ft_http_route *find_route(const struct ft_http *http, const char *method,
					      const char *path, const char **rest, bool *other_method)
{
	for (const struct ft_http_route *route = http->routes; route->method; route++) {
		if (!matches_route(route->path, path, rest))
			continue;
		if (!strcmp(route->method, method))
			return route;
		*other_method = true;
	}
	return NULL;
}

/* Bytes of a stranger take no memory. */
void ft__body_expect(struct ft__http_request *request, const char *method, const char *path)
{
	const struct ft__door *door = request->door;
	const char *rest;
	bool other_method = false;
	const struct ft_http_route *route = find_route(door->http, method, path, &rest, &other_method);
	struct ft_http_answer *refusal = turn_away(request, method, route && route->open);

	request->most = door->http->limits.body_bytes;
	request->unheard = refusal || !route || !may_ask(route, &request->visitor->peer);
	ft_http_answer_free(refusal);
	if (route && !request->unheard && route->body_bytes) {
		request->most = route->body_bytes;
		request->longer = route->longer;
	}
}

struct ft_http_answer *ft__dispatch(struct ft__http_request *request)
{
	struct ft_http *http = request->door->http;
	const char *path = request->ask.rest;
	bool other_method = false;
	const struct ft_http_route *route =
		find_route(http, request->ask.method, path, &request->ask.rest, &other_method);
	struct ft_http_answer *answer = turn_away(request, request->ask.method, route && route->open);

	if (!answer && http->peek && !strcmp(request->ask.method, "GET"))
		answer = http->peek(http->ctx, request->ask.target, &request->ask.peer);
	if (answer)
		return answer;
	if (!route)
		return no_route(request->door, other_method);
	if (!may_ask(route, &request->ask.peer))
		return ft_http_refuse(403, "only the owner of this server may do that",
				      "ask at its unix socket, as its user");
	request->ask.of = route->of;
	return route->answer(http->ctx, &request->ask);
}

/* ---- what stands behind '?' ------------------------------------------------------------------------------
 */

const char *ft_http_value(const struct ft_http_ask *ask, const char *key)
{
	return MHD_lookup_connection_value(((const struct ft__http_request *)ask)->connection,
					   MHD_GET_ARGUMENT_KIND, key);
}

const char *ft_http_header(const struct ft_http_ask *ask, const char *name)
{
	return MHD_lookup_connection_value(((const struct ft__http_request *)ask)->connection,
					   MHD_HEADER_KIND, name);
}

struct each {
	bool (*each)(void *ctx, const char *key, const char *value);
	void *ctx;
};

static enum MHD_Result next(void *ctx, enum MHD_ValueKind kind, const char *key, const char *value)
{
	const struct each *each = ctx;

	(void)kind;
	return each->each(each->ctx, key, value) ? MHD_YES : MHD_NO;
}

void ft_http_each(const struct ft_http_ask *ask, bool (*each)(void *ctx, const char *key, const char *value),
		  void *ctx)
{
	struct each told = {each, ctx};

	(void)MHD_get_connection_values(((const struct ft__http_request *)ask)->connection,
					MHD_GET_ARGUMENT_KIND, next, &told);
}
