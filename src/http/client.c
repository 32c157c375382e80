/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.c - a client of HTTP: requests to servers at unix sockets, or over TLS, all at the same time. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "http/client.h"

#include <ctype.h>
#include <errno.h>
#include <gnutls/gnutls.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/*
 * Addresses: "https://HOST:PORT", "unix:PATH", or the path of a socket.
 */

enum { HOST_MOST = 256, PORT_MOST = 8 };

/* What follows a prefix; NULL: the text does not begin with it. */
static const char *behind(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(text, prefix, n) != 0 ? NULL : text + n;
}

/* "HOST:PORT" or "[::1]:PORT", a slash behind it or not. */
static bool split_host(const char *at, char host[HOST_MOST], char port[PORT_MOST])
{
	const char *end = strrchr(at, ':');
	size_t n = end ? (size_t)(end - at) : 0, digits = end ? strspn(end + 1, "0123456789") : 0;
	bool brackets = n > 2 && at[0] == '[' && at[n - 1] == ']';

	if (!n || n >= HOST_MOST || !digits || digits >= PORT_MOST ||
	    (end[1 + digits] && strcmp(end + 1 + digits, "/") != 0))
		return false;
	(void)snprintf(host, HOST_MOST, "%.*s", (int)(brackets ? n - 2 : n), at + brackets);
	(void)snprintf(port, PORT_MOST, "%.*s", (int)digits, end + 1);
	return !strpbrk(host, brackets ? "/@[]" : ":/@[]");
}

enum ft_status ft__http_address(const char *address, struct ft_err *err)
{
	const char *net = behind(address, "https://"), *path = behind(address, "unix:");
	char host[HOST_MOST], port[PORT_MOST];

	if (net ? split_host(net, host, port) : path ? *path != '\0' : *address && !strstr(address, "://"))
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "'%s' is not the address of a manager", address);
	return ft_remedy(err, "write https://HOST:PORT, or unix:PATH");
}

/*
 * The client's side of TLS, by libgnutls, over a socket that does not block. The library is loaded when an address is
 * https: no other start of the command should wait for it.
 */

#define SYMBOLS(X)                                                                                           \
	X(init)                                                                                              \
	X(deinit)                                                                                            \
	X(certificate_allocate_credentials)                                                                  \
	X(certificate_free_credentials)                                                                      \
	X(certificate_set_x509_system_trust)                                                                 \
	X(certificate_set_x509_trust_file)                                                                   \
	X(credentials_set)                                                                                   \
	X(set_default_priority)                                                                              \
	X(server_name_set)                                                                                   \
	X(session_set_verify_cert)                                                                           \
	X(session_get_verify_cert_status)                                                                    \
	X(transport_set_int2)                                                                                \
	X(handshake)                                                                                         \
	X(record_send)                                                                                       \
	X(record_recv)                                                                                       \
	X(record_get_direction)                                                                              \
	X(strerror)

static struct {
#define TYPE(name) __typeof__(gnutls_##name) *name; /* NOLINT(bugprone-macro-parentheses): a member */
	SYMBOLS(TYPE)
#undef TYPE
} gnutls;

static enum ft_status load_tls(struct ft_err *err)
{
	static const struct ft_symbol symbols[] = {
#define SYMBOL(name) {"gnutls_" #name, &gnutls.name},
		SYMBOLS(SYMBOL)
#undef SYMBOL
	};

	return gnutls.init
		       ? FT_OK
		       : ft_library_load("libgnutls.so.30", symbols, sizeof symbols / sizeof *symbols, err);
}

struct tls {
	gnutls_session_t session;
	gnutls_certificate_credentials_t trusted;
	char *host; /* the certificate has to name it; the session borrows it */
};

/* Certificates that are trusted. */
static enum ft_status trust_authority(struct tls *tls, const char *authority, struct ft_err *err)
{
	int n = authority
			? gnutls.certificate_set_x509_trust_file(tls->trusted, authority, GNUTLS_X509_FMT_PEM)
			: gnutls.certificate_set_x509_system_trust(tls->trusted);

	if (n > 0 || (!authority && n == 0))
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "cannot read certificates in %s: %s",
		      authority ? authority : "those of the system",
		      n < 0 ? gnutls.strerror(n) : "there are none");
	return ft_remedy(err, "name the certificate that signed the server's: certificate=FILE.pem");
}

static void tls_free(struct tls *tls)
{
	if (!tls)
		return;
	if (tls->session)
		gnutls.deinit(tls->session);
	if (tls->trusted)
		gnutls.certificate_free_credentials(tls->trusted);
	ft_free(tls->host);
	ft_free(tls);
}

/* Continue the handshake. FT_EACCESS: the certificate is not trusted. */
static enum ft_status tls_shake(struct tls *tls, bool *done, struct ft_err *err)
{
	int n = gnutls.handshake(tls->session);

	*done = n == GNUTLS_E_SUCCESS;
	if (*done || n == GNUTLS_E_AGAIN || n == GNUTLS_E_INTERRUPTED || n == GNUTLS_E_WARNING_ALERT_RECEIVED)
		return FT_OK;
	if (n == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR) {
		/* What a person can do about it differs. */
		unsigned why = gnutls.session_get_verify_cert_status(tls->session);

		(void)ft_fail(err, FT_EACCESS, "the certificate of '%s' %s", tls->host,
			      why & GNUTLS_CERT_UNEXPECTED_OWNER   ? "is of another host"
			      : why & GNUTLS_CERT_EXPIRED          ? "has expired"
			      : why & GNUTLS_CERT_NOT_ACTIVATED    ? "is not valid yet"
			      : why & GNUTLS_CERT_SIGNER_NOT_FOUND ? "is signed by an unknown authority"
								   : "is not valid");
		return ft_remedy(err,
				 why & GNUTLS_CERT_UNEXPECTED_OWNER
					 ? "write the address with the host name that the certificate has"
					 : "name the certificate that signed it: certificate=FILE.pem");
	}
	return ft_fail(err, FT_EIO, "'%s' does not speak TLS: %s", tls->host, gnutls.strerror(n));
}

static ssize_t tls_count(ssize_t n)
{
	if (n >= 0 || n == GNUTLS_E_PREMATURE_TERMINATION) /* the length shows whether something is missing */
		return n < 0 ? 0 : n;
	errno = n == GNUTLS_E_AGAIN || n == GNUTLS_E_INTERRUPTED ? EAGAIN : EIO;
	return -1;
}

/* As send(2) and recv(2): -1 with EAGAIN when they would wait. */
static ssize_t tls_send(struct tls *tls, const void *bytes, size_t n)
{
	return tls_count(gnutls.record_send(tls->session, bytes, n));
}

static ssize_t tls_receive(struct tls *tls, void *bytes, size_t n)
{
	return tls_count(gnutls.record_recv(tls->session, bytes, n));
}

/*
 * One request: found, connected, encrypted, sent, heard. Each step returns at once.
 */

enum phase { NAMED, CONNECTS, SHAKES, SENDS, HEARS, DONE };

/* Between looks at a socket whose queue is full, which no descriptor shows. */
enum { LOOK_MS = 10, HEAD_MOST = 1 << 16 };

/* The resolver of the system waits as long as it likes, so it has a thread. Who needs this last frees it. */
struct naming {
	pthread_t thread;
	atomic_int users;
	int done; /* an eventfd: readable once it is resolved */
	int error;
	struct addrinfo *found;
	char host[HOST_MOST], port[PORT_MOST];
};

struct visit {
	struct ft__http_fetch *of;
	enum phase phase;
	int fd;    /* -1: none */
	bool full; /* the server's queue of connections is full */
	struct naming *naming;
	struct addrinfo *next; /* of the host's addresses, the one to try */
	struct tls *tls;
	struct ft_text sent, heard;
	size_t done; /* bytes of these sent */
};

/* The default path may be in /tmp, where another user could have made that folder: check the peer. */
static bool is_trusted(int fd)
{
	const char *named = secure_getenv("FORETIME_MANAGER");
	struct ucred who;
	socklen_t bytes = sizeof who;

	return (named && *named) || (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &bytes) &&
				     (who.uid == geteuid() || who.uid == 0));
}

static enum ft_status fail_connect(const struct visit *v, const char *why)
{
	return ft_fail(&v->of->err, FT_ENOENT, "no manager answers at '%s': %s", v->of->address, why);
}

static enum ft_status take_socket(struct visit *v, int family)
{
	if (v->fd >= 0)
		(void)close(v->fd);
	v->fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return v->fd >= 0 ? FT_OK : ft_fail_errno(&v->of->err, errno, "cannot make a socket");
}

static enum ft_status connected(struct visit *v)
{
	if (v->naming) {
		v->phase = SHAKES;
		/* authority: file of certificates that are trusted; NULL: those of the system. FT_EUNAVAIL: no library; FT_EINVAL:
		 * the file has no certificate. */
		const char *host = v->naming->host;
		FT_TRY(load_tls(&v->of->err));
		struct tls *tls = ft_calloc(1, sizeof *tls);
		if (!tls)
			return ft_nomem(&v->of->err);
		enum ft_status status =
			(tls->host = ft_strdup(host)) &&
					!gnutls.certificate_allocate_credentials(&tls->trusted)
				? trust_authority(tls, v->of->authority, &v->of->err)
				: ft_nomem(&v->of->err);
		if (!status &&
		    (gnutls.init(&tls->session, GNUTLS_CLIENT | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) ||
		     gnutls.set_default_priority(tls->session) ||
		     gnutls.credentials_set(tls->session, GNUTLS_CRD_CERTIFICATE, tls->trusted) ||
		     gnutls.server_name_set(tls->session, GNUTLS_NAME_DNS, tls->host, strlen(tls->host))))
			status = ft_fail(&v->of->err, FT_EUNAVAIL, "no TLS session can be made here");
		if (status) {
			tls_free(tls);
			return status;
		}
		gnutls.session_set_verify_cert(tls->session, tls->host, 0);
		gnutls.transport_set_int2(tls->session, v->fd, v->fd);
		v->tls = tls;
		return FT_OK;
	}
	v->phase = SENDS;
	if (!v->of->ours || is_trusted(v->fd))
		return FT_OK;
	(void)ft_fail(&v->of->err, FT_EACCESS, "who answers at '%s' is another user", v->of->address);
	return ft_remedy(&v->of->err, "name it in FORETIME_MANAGER if he is to be believed");
}

/* The next of the host's addresses; why: what became of the one before. */
static enum ft_status connect_next(struct visit *v, int why)
{
	while (v->next) {
		const struct addrinfo *at = v->next;

		v->next = at->ai_next;
		FT_TRY(take_socket(v, at->ai_family));
		/* The request follows the handshake's last message: together they would wait for the
		   other side's delayed acknowledgement, 40 ms. */
		(void)setsockopt(v->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
		if (!connect(v->fd, at->ai_addr, at->ai_addrlen) || errno == EINPROGRESS)
			return FT_OK;
		why = errno;
	}
	return fail_connect(v, strerror(why));
}

static enum ft_status name_step(struct visit *v, short seen)
{
	if (!seen)
		return FT_OK;
	(void)pthread_join(v->naming->thread, NULL);
	v->phase = CONNECTS;
	v->next = v->naming->found;
	return v->naming->error ? fail_connect(v, gai_strerror(v->naming->error)) : connect_next(v, ENOENT);
}

static enum ft_status connect_step(struct visit *v, short seen)
{
	int why = 0;
	socklen_t bytes = sizeof why;

	if (!v->naming) {
		const char *named = behind(v->of->address, "unix:"), *path = named ? named : v->of->address;
		struct sockaddr_un at = {.sun_family = AF_UNIX};

		if (strlen(path) >= sizeof at.sun_path)
			return ft_fail(&v->of->err, FT_EINVAL, "'%s' is too long for a socket", path);
		memcpy(at.sun_path, path, strlen(path) + 1);
		if (v->fd < 0)
			FT_TRY(take_socket(v, AF_UNIX));
		v->full = false;
		if (!connect(v->fd, (const struct sockaddr *)&at, sizeof at))
			return connected(v);
		v->full = errno == EAGAIN;
		return v->full ? FT_OK : fail_connect(v, strerror(errno));
	}
	if (!seen)
		return FT_OK;
	if (getsockopt(v->fd, SOL_SOCKET, SO_ERROR, &why, &bytes) || why)
		return connect_next(v, why);
	return connected(v);
}

static enum ft_status shake_step(struct visit *v)
{
	bool done;

	FT_TRY(tls_shake(v->tls, &done, &v->of->err));
	v->phase = done ? SENDS : SHAKES;
	return FT_OK;
}

static enum ft_status no_answer(const struct visit *v)
{
	return ft_fail(&v->of->err, FT_EIO, "what comes from '%s' is no answer", v->of->address);
}

static enum ft_status send_step(struct visit *v)
{
	const char *at = v->sent.s + v->done;
	ssize_t n = v->tls ? tls_send(v->tls, at, v->sent.length - v->done)
			   : send(v->fd, at, v->sent.length - v->done, MSG_NOSIGNAL);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? FT_OK : no_answer(v);
	v->done += (size_t)n;
	v->phase = v->done < v->sent.length ? SENDS : HEARS;
	return FT_OK;
}

/* The length is required, since a dying server sends less. length: out, of the whole answer; 0: its head is
 * not complete. false: it is no answer. */
static bool read_head(const struct ft_text *text, unsigned *code, const char **body, size_t *length)
{
	const char *end = text->s ? strstr(text->s, "\r\n\r\n") : NULL;
	const char *header = end ? strcasestr(text->s, "\r\nContent-Length:") : NULL;

	*length = 0;
	if (text->s && strncmp(text->s, "HTTP/1.", text->length < 7 ? text->length : 7) != 0)
		return false;
	if (!end)
		return text->length < HEAD_MOST;
	if (!header || header > end || text->length < 12)
		return false;
	*code = (unsigned)strtoul(text->s + 9, NULL, 10);
	*body = end + 4;
	*length = strtoul(header + 17, NULL, 10);
	*length += *length < SIZE_MAX / 2 ? (size_t)(*body - text->s) : 0;
	return true;
}

static enum ft_status hear_step(struct visit *v, size_t most)
{
	char buffer[16384];
	const char *body = NULL;
	size_t length;
	ssize_t n =
		v->tls ? tls_receive(v->tls, buffer, sizeof buffer) : recv(v->fd, buffer, sizeof buffer, 0);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? FT_OK : no_answer(v);
	if (n)
		ft_text_add_bytes(&v->heard, buffer, (size_t)n);
	if (v->heard.failed)
		return ft_nomem(&v->of->err);
	if (!read_head(&v->heard, &v->of->code, &body, &length))
		return no_answer(v);
	if (length > most || v->heard.length > most)
		return ft_fail(&v->of->err, FT_EIO, "'%s' sends more than %zu bytes, which no manager does",
			       v->of->address, most);
	if (n ? body && v->heard.length > length : !body || v->heard.length != length)
		return no_answer(v);
	if (n)
		return FT_OK;
	v->phase = DONE;
	v->of->body = ft_strdup(body);
	return v->of->body ? FT_OK : ft_nomem(&v->of->err);
}

/* Steps that need no further event follow at once. */
static void step(struct visit *v, short seen, size_t most)
{
	enum ft_status status = FT_OK;
	enum phase before;

	do {
		before = v->phase;
		status = before == NAMED      ? name_step(v, seen)
			 : before == CONNECTS ? connect_step(v, seen)
			 : before == SHAKES   ? shake_step(v)
			 : before == SENDS    ? send_step(v)
					      : hear_step(v, most);
		seen = 0;
	} while (!status && v->phase != before && v->phase != DONE);
	if (status)
		v->phase = DONE;
}

/*
 * All of them, until the last one is done, or the time is over.
 */

static void leave_naming(struct naming *naming)
{
	if (atomic_fetch_sub(&naming->users, 1) > 1)
		return;
	if (naming->found)
		freeaddrinfo(naming->found);
	(void)close(naming->done);
	ft_free(naming);
}

static void *resolve(void *ctx)
{
	const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
	struct naming *naming = ctx;

	naming->error = getaddrinfo(naming->host, naming->port, &wanted, &naming->found);
	(void)!write(naming->done, &(uint64_t){1}, sizeof(uint64_t));
	leave_naming(naming);
	return NULL;
}

/* Signals are for the caller's threads. */
static enum ft_status begin_naming(struct visit *v)
{
	struct naming *naming = ft_calloc(1, sizeof *naming);
	sigset_t all, before;

	if (!naming)
		return ft_nomem(&v->of->err);
	(void)split_host(behind(v->of->address, "https://"), naming->host, naming->port);
	naming->done = eventfd(0, EFD_CLOEXEC);
	naming->users = 2;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	int why = naming->done < 0 ? errno : pthread_create(&naming->thread, NULL, resolve, naming);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!why) {
		v->naming = naming;
		return FT_OK;
	}
	if (naming->done >= 0)
		(void)close(naming->done);
	ft_free(naming);
	return ft_fail_errno(&v->of->err, why, "cannot resolve the name in '%s'", v->of->address);
}

static enum ft_status begin(struct visit *v)
{
	struct ft__http_fetch *of = v->of;
	const char *net = behind(of->address, "https://");

	of->code = 0;
	of->body = NULL;
	of->err = (struct ft_err){0};
	FT_TRY(ft__http_address(of->address, &of->err));
	ft_text_add(&v->sent, "%s %s HTTP/1.1\r\nHost: %.*s\r\nContent-Length: 0\r\nConnection: close\r\n",
		    of->method, of->target, net ? (int)strcspn(net, "/") : 9, net ? net : "localhost");
	if (of->token && net)
		ft_text_add(&v->sent, "Authorization: Bearer %s\r\n", of->token);
	ft_text_add(&v->sent, "\r\n");
	if (v->sent.failed)
		return ft_nomem(&of->err);
	v->phase = net ? NAMED : CONNECTS;
	return net ? begin_naming(v) : FT_OK;
}

static void end(struct visit *v)
{
	tls_free(v->tls);
	if (v->fd >= 0)
		(void)close(v->fd);
	if (v->sent.s && v->sent.length) /* it may contain a token */
		explicit_bzero(v->sent.s, v->sent.length);
	ft_text_clear(&v->sent);
	ft_text_clear(&v->heard);
	if (v->naming && v->phase == NAMED) /* the resolver is still at work */
		(void)pthread_detach(v->naming->thread);
	if (v->naming)
		leave_naming(v->naming);
}

/* Wait for an event of any of them, so long at most. false: nothing happened in all that time. */
static bool wait_for_any(const struct visit *visit, struct pollfd *poll_at, size_t n, double left_s)
{
	bool look = false;
	double ms = left_s * 1e3 + 1;

	for (size_t i = 0; i < n; i++) {
		const struct visit *v = &visit[i];
		bool writes = v->phase == CONNECTS || v->phase == SENDS;

		if (v->tls && v->phase != DONE) {
			/* What it waits for: to write, else to read. */
			writes = gnutls.record_get_direction(v->tls->session);
		}
		look = look || v->full;
		poll_at[i] = (struct pollfd){.fd = v->phase == DONE || v->full ? -1
						   : v->phase == NAMED         ? v->naming->done
									       : v->fd,
					     .events = writes ? POLLOUT : POLLIN};
	}
	bool whole = !look || ms <= LOOK_MS;
	return poll(poll_at, (nfds_t)n, whole ? (int)(ms < 1e9 ? ms : 1e9) : LOOK_MS) != 0 || !whole;
}

void ft__http_fetch(struct ft__http_fetch *fetch, size_t n, double limit_s, size_t most_bytes)
{
	struct visit *visit = ft_calloc(n ? n : 1, sizeof *visit);
	struct pollfd *seen = ft_calloc(n ? n : 1, sizeof *seen);
	double began_s = ft_clock_s(), left_s = limit_s;
	size_t going = 0;
	char limit[FT_UNIT_LENGTH];

	for (size_t i = 0; i < n; i++) {
		if (!visit || !seen) {
			fetch[i].body = NULL;
			(void)ft_nomem(&fetch[i].err);
			continue;
		}
		visit[i].of = &fetch[i];
		visit[i].fd = -1;
		if (begin(&visit[i]))
			visit[i].phase = DONE;
		going++;
	}
	while (going && left_s > 0) {
		going = 0;
		for (size_t i = 0; i < n; i++) {
			if (visit[i].phase != DONE)
				step(&visit[i], seen[i].revents, most_bytes);
			going += visit[i].phase != DONE;
		}
		if (going && !wait_for_any(visit, seen, n, left_s))
			break;
		left_s = limit_s - (ft_clock_s() - began_s);
	}
	for (size_t i = 0; visit && seen && i < n; i++) {
		if (visit[i].phase != DONE)
			(void)ft_fail(&fetch[i].err, FT_EIO, "'%s' did not answer within %s",
				      fetch[i].address, ft_value_format(limit_s, "s", limit));
		end(&visit[i]);
	}
	ft_free(visit);
	ft_free(seen);
}

enum { WAIT_S = 10, ANSWER_MOST = 64 << 20 };

static enum ft_status ask_once(const char *socket_path, const char *method, const char *target,
			       unsigned *code, char **body, struct ft_err *err)
{
	struct ft__http_fetch fetch = {
		.address = socket_path, .method = method, .target = target, .ours = true};

	ft__http_fetch(&fetch, 1, WAIT_S, ANSWER_MOST);
	*code = fetch.code;
	*body = fetch.body;
	if (fetch.err.status && err)
		*err = fetch.err;
	return fetch.err.status;
}

enum ft_status ft__http_get(const char *socket_path, const char *target, unsigned *code, char **body,
			    struct ft_err *err)
{
	return ask_once(socket_path, "GET", target, code, body, err);
}

enum ft_status ft__http_post(const char *socket_path, const char *target, unsigned *code, char **body,
			     struct ft_err *err)
{
	return ask_once(socket_path, "POST", target, code, body, err);
}

char *ft__http_encode(const char *text)
{
	struct ft_text target = {0};

	ft_text_add(&target, "%s", "");
	for (; *text; text++)
		if (isalnum((unsigned char)*text) || strchr("-_.~/", *text))
			ft_text_add_bytes(&target, text, 1);
		else
			ft_text_add(&target, "%%%02X", (unsigned)(unsigned char)*text);
	return ft_text_take(&target);
}

char *ft__http_socket(void)
{
	const char *named = secure_getenv("FORETIME_MANAGER"), *runtime = secure_getenv("XDG_RUNTIME_DIR");
	struct ft_text text = {0};

	if (named && *named)
		ft_text_add(&text, "%s", named);
	else if (runtime && *runtime == '/')
		ft_text_add(&text, "%s/foretime/manager.sock", runtime);
	else
		ft_text_add(&text, "/tmp/foretime-%lu/manager.sock", (unsigned long)geteuid());
	return ft_text_take(&text);
}
