/* SPDX-License-Identifier: MIT */
/*
 * HTTP/1.1 and HTTPS by libcurl: one connection, one exchange at a time.
 *
 * Nothing of the environment counts: no proxy variable, no .netrc, no cookie.
 * A redirect is an answer like any other and never followed, since it would
 * carry the credentials along.  What comes compressed is unpacked, and bounds
 * count the unpacked bytes.  Every call has a deadline, and looks at
 * `cancelled` at least ten times a second.
 *
 * Errors, each with the host in its words and what to do as its hint:
 * -ETIMEDOUT at the deadline, or when no byte came for `idle_us`;
 * -ECONNREFUSED, -EHOSTUNREACH, -ENOENT (the name is not known);
 * -EPROTO for what is no HTTP or broke off within a body whose length was
 * told; -EKEYREJECTED when the certificate is not one that was to be trusted,
 * or not of that name; -EACCES when the server refused ours; -EFBIG over the
 * bound; -ECANCELED.
 */
#ifndef COLDSWAP_SYS_HTTP_H
#define COLDSWAP_SYS_HTTP_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "buf.h"
#include "error.h"
#include "sys/secret.h"

/* Whom to trust and who we are.  Borrowed, and must outlive the connection. */
struct http_identity {
	const char *ca;           /* PEM; NULL = the system's */
	const char *certificate;  /* PEM, a chain; or NULL */
	const struct secret *key; /* PEM, of the certificate */
	const char *server_name;  /* expected in its certificate, if not the URL's; or NULL */
	bool insecure;            /* its certificate is not looked at */
	const char *proxy;        /* "http://…", "https://…", "socks5://…"; or NULL */
	const char *username;     /* Basic; or NULL */
	const struct secret *password;
};

struct http_request {
	const char *method;          /* "GET", "PATCH" */
	const char *url;             /* whole */
	const char *const *headers;  /* "Accept: application/json", NULL-terminated; or NULL */
	const struct secret *bearer; /* Authorization: Bearer; or NULL */
	const char *body;            /* or NULL */
	size_t body_len;
	uint64_t deadline_us; /* CLOCK_MONOTONIC */
	uint64_t idle_us;     /* 0 = the deadline alone */
	size_t max;           /* bytes of the body, unpacked; 0 = as many as come (`take`) */
	const volatile sig_atomic_t *cancelled;
	/*
	 * The body of an answer with a status of 200 to 299 as it comes, in pieces
	 * of any size; a negative errno ends the exchange with it.  NULL: it is
	 * collected.  Any other answer is collected always, up to 1 MiB of it.
	 */
	int (*take)(void *data, const char *bytes, size_t len, struct error *err);
	void *data;
};

struct http_answer {
	int status;              /* 200 */
	char *type;              /* "application/json"; NULL = not told */
	char *location;          /* of a redirect; or NULL */
	uint64_t retry_after_us; /* Retry-After; 0 = not told */
	struct buf body;         /* what was collected */
};

struct http;

int http_open(const struct http_identity *identity, struct http **ret, struct error *err);
void http_close(struct http *http); /* wipes what libcurl was given */
DEFINE_CLEANUP(http, http_close)

/* 0 with an answer of whatever status, or a negative errno. */
int http_ask(struct http *http, const struct http_request *request, struct http_answer *ret,
	     struct error *err);
void http_answer_done(struct http_answer *answer);
#define AUTO_HTTP_ANSWER CLEANUP(http_answer_done) struct http_answer

#endif
