/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls.c - the client's side of TLS, by libgnutls. It is loaded when an address is https: no other start of
 * the command should wait for it. */
#include "base/alloc.h"
#include "base/files.h"
#include "http/tls.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <string.h>

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
#define TYPE(name) __typeof__(gnutls_##name) *name;
	SYMBOLS(TYPE)
#undef TYPE
} gnutls;

static enum ft_status load(struct ft_err *err)
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

struct ft__tls {
	gnutls_session_t session;
	gnutls_certificate_credentials_t trusted;
	char *host; /* the certificate has to name it; the session borrows it */
};

/* Certificates that are trusted. */
static enum ft_status trust(struct ft__tls *tls, const char *authority, struct ft_err *err)
{
	int n = authority
			? gnutls.certificate_set_x509_trust_file(tls->trusted, authority, GNUTLS_X509_FMT_PEM)
			: gnutls.certificate_set_x509_system_trust(tls->trusted);

	if (n > 0 || (!authority && n == 0))
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "cannot read certificates in %s: %s",
		      authority ? authority : "those of the system",
		      n < 0 ? gnutls.strerror(n) : "there are none");
	return ft_remedy(err, "name the certificate that signed the server's: authority=FILE.pem");
}

enum ft_status ft__tls_new(struct ft__tls **out, int fd, const char *host, const char *authority,
			   struct ft_err *err)
{
	FT_TRY(load(err));
	struct ft__tls *tls = ft_calloc(1, sizeof *tls);
	if (!tls)
		return ft_nomem(err);
	enum ft_status status =
		(tls->host = ft_strdup(host)) && !gnutls.certificate_allocate_credentials(&tls->trusted)
			? trust(tls, authority, err)
			: ft_nomem(err);
	if (!status && (gnutls.init(&tls->session, GNUTLS_CLIENT | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) ||
			gnutls.set_default_priority(tls->session) ||
			gnutls.credentials_set(tls->session, GNUTLS_CRD_CERTIFICATE, tls->trusted) ||
			gnutls.server_name_set(tls->session, GNUTLS_NAME_DNS, tls->host, strlen(tls->host))))
		status = ft_fail(err, FT_EUNAVAIL, "no TLS session can be made here");
	if (status) {
		ft__tls_free(tls);
		return status;
	}
	gnutls.session_set_verify_cert(tls->session, tls->host, 0);
	gnutls.transport_set_int2(tls->session, fd, fd);
	*out = tls;
	return FT_OK;
}

void ft__tls_free(struct ft__tls *tls)
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

/* What a person can do about it differs. */
static enum ft_status refuse_certificate(const struct ft__tls *tls, struct ft_err *err)
{
	unsigned why = gnutls.session_get_verify_cert_status(tls->session);

	(void)ft_fail(err, FT_EACCESS, "the certificate of '%s' %s", tls->host,
		      why & GNUTLS_CERT_UNEXPECTED_OWNER   ? "is of another host"
		      : why & GNUTLS_CERT_EXPIRED          ? "has expired"
		      : why & GNUTLS_CERT_NOT_ACTIVATED    ? "is not valid yet"
		      : why & GNUTLS_CERT_SIGNER_NOT_FOUND ? "is signed by an unknown authority"
							   : "is not valid");
	return ft_remedy(err, why & GNUTLS_CERT_UNEXPECTED_OWNER
				      ? "write the address with the host name that the certificate has"
				      : "name the certificate that signed it: authority=FILE.pem");
}

enum ft_status ft__tls_shake(struct ft__tls *tls, bool *done, struct ft_err *err)
{
	int n = gnutls.handshake(tls->session);

	*done = n == GNUTLS_E_SUCCESS;
	if (*done || n == GNUTLS_E_AGAIN || n == GNUTLS_E_INTERRUPTED || n == GNUTLS_E_WARNING_ALERT_RECEIVED)
		return FT_OK;
	if (n == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR)
		return refuse_certificate(tls, err);
	return ft_fail(err, FT_EIO, "'%s' does not speak TLS: %s", tls->host, gnutls.strerror(n));
}

static ssize_t count(ssize_t n)
{
	if (n >= 0 || n == GNUTLS_E_PREMATURE_TERMINATION) /* the length shows whether something is missing */
		return n < 0 ? 0 : n;
	errno = n == GNUTLS_E_AGAIN || n == GNUTLS_E_INTERRUPTED ? EAGAIN : EIO;
	return -1;
}

ssize_t ft__tls_send(struct ft__tls *tls, const void *bytes, size_t n)
{
	return count(gnutls.record_send(tls->session, bytes, n));
}

ssize_t ft__tls_receive(struct ft__tls *tls, void *bytes, size_t n)
{
	return count(gnutls.record_recv(tls->session, bytes, n));
}

bool ft__tls_writes(const struct ft__tls *tls)
{
	return gnutls.record_get_direction(tls->session);
}
