/*
 * e2e_nginx.c - what nginx and the workers must never get wrong between them: headers, limits, forged
 * requests, requests whose client is gone.
 */
#include "appliance.h"
#include "guests.h"

#include "clock.h"
#include "unit.h"

#include <arpa/inet.h>
#include <fcgiapp.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2, CONF_SIZE = 64 * 1024 };

static struct appliance box;
static const char PLAIN[] = "Content-Type: text/plain\r\n";
static const char GUEST[] = "{\"name\":\"Kim\",\"phone\":\"010-1234-5678\"}";

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, WORKERS);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* ---- a second nginx: the generated site with a few words changed ---- */

static struct appliance second;

static int end_second(void **state)
{
	(void)state;
	appliance_free(&second);
	return 0;
}

static int second_port; /* 0: any that is free */

/* Pairs of what to replace in site.conf and by what, ended by NULL. */
static void start_second(const char *const *edits)
{
	static char text[CONF_SIZE];
	char path[APPLIANCE_PATH], log[APPLIANCE_PATH], from[64], to[64];
	const char *argv[] = {"/usr/sbin/nginx", "-p", second.dir, "-c", path, "-e", "stderr", NULL};

	appliance_new(&second);
	second.port = second_port ? second_port : appliance_free_port();
	second_port = 0;
	assert_int_equal(mkdir(second.dir, 0700), 0);
	appliance_path(&second, "run/tmp", path);
	assert_int_equal(mkdir(path, 0700), 0);

	appliance_path(&box, "run/site.conf", path);
	appliance_read(path, text, sizeof text);
	snprintf(from, sizeof from, "listen 127.0.0.1:%d;", box.port);
	snprintf(to, sizeof to, "listen 127.0.0.1:%d;", second.port);
	appliance_replace(text, sizeof text, from, to);
	for (size_t i = 0; edits[i]; i += 2)
		appliance_replace(text, sizeof text, edits[i], edits[i + 1]);
	appliance_path(&second, "run/site.conf", path);
	appliance_write(path, text);

	appliance_path(&box, "run/nginx.conf", path);
	appliance_read(path, text, sizeof text);
	appliance_replace(text, sizeof text, box.dir, second.dir);
	appliance_path(&second, "run/nginx.conf", path);
	appliance_write(path, text);
	appliance_path(&second, "log", log);
	second.pid = appliance_spawn(log, argv);
	WITHIN(5000, http_get(second.port, "/style.css")->status != 0);
}

/* ---- headers ---- */

static int count_header(const struct http_answer *a, const char *name)
{
	size_t n = strlen(name);
	int count = 0;

	for (const char *p = a->head; (p = strcasestr(p, name)); p += n)
		count += p > a->head && p[-1] == '\n' && p[n] == ':';
	return count;
}

static void expect_headers(const struct http_answer *a, int status)
{
	static const struct {
		const char *name, *part;
	} wanted[] = {
		{"Content-Security-Policy", "default-src 'none'; script-src 'self'"},
		{"Content-Security-Policy", "frame-ancestors 'none'"},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "no-referrer"},
		{"X-Request-Id", ""},
		{"Cache-Control", "no-"},
	};

	if (a->status != status)
		fail_msg("%d, not %d: %s%s", a->status, status, a->head, a->body);
	for (size_t i = 0; i < COUNT(wanted); i++)
		if (!http_header_has(a, wanted[i].name, wanted[i].part) || count_header(a, wanted[i].name) != 1)
			fail_msg("status %d has not once %s: %s", status, wanted[i].name, a->head);
	assert_false(http_header_has(a, "Server", "/"));
	assert_false(http_header_has(a, "Content-Security-Policy", "unsafe"));
}

static void expect_safe(const struct http_answer *a, int status)
{
	expect_headers(a, status);
	assert_true(http_header_has(a, "Permissions-Policy", "camera=()"));
	assert_int_equal(count_header(a, "Permissions-Policy"), 1);
	assert_true(http_header_has(a, "Cross-Origin-Opener-Policy", "same-origin"));
	assert_int_equal(count_header(a, "Cross-Origin-Opener-Policy"), 1);
}

/* A script or a sheet is no page, and is spared what is said of pages. */
static void expect_part(const struct http_answer *a, int status)
{
	expect_headers(a, status);
	assert_int_equal(count_header(a, "Permissions-Policy"), 0);
	assert_int_equal(count_header(a, "Cross-Origin-Opener-Policy"), 0);
}

/* An answer of the API's own form, from nginx or from a worker. */
static void expect_said(const struct http_answer *a, int status, const char *code, bool retry)
{
	char text[HTTP_TEXT];

	expect_safe(a, status);
	assert_true(http_header_has(a, "Content-Type", "application/json"));
	assert_string_equal(http_text(a, "code", text), code);
	assert_true(*http_text(a, "message", text));
	assert_int_equal(count_header(a, "Retry-After"), retry ? 1 : 0);
}

static const struct http_answer *raw(const char *text)
{
	return http_ask(box.port, (struct http_call){.raw = text, .raw_len = strlen(text)});
}

static void good_answers_have_every_header(void **state)
{
	char etag[80], header[120];

	(void)state;
	expect_safe(http_get(box.port, "/"), 200);
	expect_part(http_get(box.port, "/api.js"), 200);
	expect_safe(http_get(box.port, "/healthz"), 200);
	expect_safe(http_get(box.port, "/metrics"), 200);
	expect_safe(http_get(box.port, "/api/restaurants/1"), 200);
	expect_safe(http_post(box.port, "/api/guests", GUEST), 200);
	assert_true(http_header(http_get(box.port, "/style.css"), "ETag", etag, sizeof etag));
	snprintf(header, sizeof header, "If-None-Match: %s\r\n", etag);
	expect_part(http_ask(box.port, (struct http_call){.path = "/style.css", .headers = header}), 304);
}

/* A script that is not ours is let in on one page, and of one company: that of the restaurant. */
static void only_the_page_of_a_payment_has_the_hosts_of_the_provider(void **state)
{
	static const struct {
		const char *provider, *host, *others;
	} cases[] = {{"portone", "https://cdn.portone.io", "tosspayments"}, {"toss", "https://js.tosspayments.com", "portone"}};
	const struct http_answer *a;

	(void)state;
	a = http_get(box.port, "/pay");
	expect_safe(a, 200);
	assert_false(http_header_has(a, "Content-Security-Policy", "https:")); /* nobody pays online here */
	for (size_t i = 0; i < COUNT(cases); i++) {
		appliance_sql(&box,
			      "INSERT INTO payment_settings (restaurant_id, provider, updated_at) VALUES (1, '%s', "
			      "'2026-01-01T00:00:00Z') ON CONFLICT DO UPDATE SET provider = excluded.provider",
			      cases[i].provider);
		a = http_get(box.port, "/pay?restaurant=1&payment=jari-x");
		expect_safe(a, 200);
		assert_true(http_header_has(a, "Content-Security-Policy", cases[i].host));
		assert_false(http_header_has(a, "Content-Security-Policy", cases[i].others));
		assert_true(http_header_has(a, "Cross-Origin-Opener-Policy", "same-origin-allow-popups"));
		assert_true(http_header_has(a, "X-Robots-Tag", "noindex"));
		assert_int_equal(count_header(a, "Jari-Provider"), 0);
		a = http_get(box.port, "/");
		expect_safe(a, 200);
		assert_false(http_header_has(a, "Content-Security-Policy", "https:"));
		assert_false(http_header_has(a, "Cross-Origin-Opener-Policy", "popups"));
		assert_false(http_header_has(http_get(box.port, "/pay/app.js"), "Content-Security-Policy", "https:"));
	}
	appliance_sql(&box, "UPDATE payment_settings SET provider = 'desk'");
	assert_false(http_header_has(http_get(box.port, "/pay"), "Content-Security-Policy", "https:"));
}

static void refusals_have_every_header_too(void **state)
{
	static char body[20000], head[40100], uri[9100];
	const struct http_answer *a;

	(void)state;
	memset(body, ' ', sizeof body - 1);
	/* One who reads Korean is told in Korean, and nobody else. */
	a = http_get(box.port, "/nothing.html");
	expect_safe(a, 404);
	assert_non_null(strstr(a->body, "페이지"));
	assert_null(strstr(a->body, "no such page"));
	a = raw("GET /nothing.html HTTP/1.1\r\nHost: x\r\nAccept-Language: en-US, ko-KR;q=0.9\r\nConnection: close\r\n\r\n");
	assert_non_null(strstr(a->body, "There is no such page."));
	assert_null(strstr(a->body, "페이지"));
	a = raw("GET /nothing.html HTTP/1.1\r\nHost: x\r\nAccept-Language: ko-KR,en;q=0.9\r\nConnection: close\r\n\r\n");
	assert_non_null(strstr(a->body, "페이지"));
	expect_said(http_get(box.port, "/api/nothing"), 404, "NOT_FOUND", false);
	expect_said(http_get(box.port, "/api/reservations/my"), 401, "UNAUTHORIZED", false);
	expect_said(http_get(box.port, "/api/guests"), 405, "METHOD_NOT_ALLOWED", false);
	expect_said(http_post(box.port, "/", "{}"), 405, "METHOD_NOT_ALLOWED", false);
	expect_said(http_post(box.port, "/api/guests", "{"), 400, "BAD_JSON", false);
	expect_said(http_post(box.port, "/api/guests", body), 413, "TOO_LARGE", false);
	expect_said(raw("GET / HTTP/1.1\r\n\r\n"), 400, "BAD_REQUEST", false);
	expect_said(raw("POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Length: nine\r\n\r\n"), 400, "BAD_REQUEST",
		    false);
	expect_said(raw("POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\n"), 400,
		    "BAD_REQUEST", false);
	expect_said(raw("\x16\x03\x01 hello\r\n\r\n"), 400, "BAD_REQUEST", false);
	snprintf(head, sizeof head, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: %040000d\r\n\r\n", 0);
	expect_said(raw(head), 400, "BAD_REQUEST", false);
	snprintf(uri, sizeof uri, "GET /%09000d HTTP/1.1\r\nHost: localhost\r\n\r\n", 0);
	expect_said(raw(uri), 414, "TOO_LARGE", false);

	/* A browser that is shown a page over plain http by its name on the network complains of the one that it ignores. */
	assert_int_equal(
		count_header(raw("GET / HTTP/1.1\r\nHost: box.lan\r\nConnection: close\r\n\r\n"), "Cross-Origin-Opener-Policy"),
		0);
	assert_int_equal(count_header(raw("GET / HTTP/1.1\r\nHost: box.lan\r\nX-Forwarded-Proto: https\r\nConnection: "
					  "close\r\n\r\n"),
				      "Cross-Origin-Opener-Policy"),
			 1);
}

static void nginx_speaks_the_guests_language(void **state)
{
	char text[HTTP_TEXT];

	(void)state;
	http_text(http_ask(box.port, (struct http_call){.method = "POST",
							.path = "/",
							.headers = "Accept-Language: ko\r\nContent-Length: 0\r\n"}),
		  "message", text);
	assert_string_equal(text, "이 주소에서 사용할 수 없는 방식입니다.");
	http_text(http_ask(box.port, (struct http_call){.method = "POST",
							.path = "/",
							.headers = "Accept-Language: en\r\nContent-Length: 0\r\n"}),
		  "message", text);
	assert_string_equal(text, "This address does not take that method.");
}

/* ---- limits and faults ---- */

/* Floods the login from one address with requests that cost nothing; how many got this status. */
static int flood(int port, const char *headers, int status)
{
	enum { FLOOD = 80 };
	struct http_call calls[FLOOD];
	struct http_answer answers[FLOOD];
	int n = 0;

	for (int i = 0; i < FLOOD; i++)
		calls[i] = (struct http_call){.path = "/api/login", .headers = headers, .body = "x"};
	http_many(port, calls, FLOOD, 20, answers);
	for (int i = 0; i < FLOOD; i++) {
		if (answers[i].status == 429)
			expect_said(&answers[i], 429, "RATE_LIMITED", true);
		n += answers[i].status == status;
		http_free(&answers[i]);
	}
	return n;
}

static void a_flood_from_one_address_gets_429(void **state)
{
	static const char *const edits[] = {"127.0.0.0/8  1;", "127.0.0.0/8  0;", NULL};
	int refused;

	(void)state;
	start_second(edits);
	refused = flood(second.port, PLAIN, 429);
	assert_true(refused > 20 && refused < 70);
}

static void the_box_itself_is_never_limited(void **state)
{
	(void)state;
	assert_int_equal(flood(box.port, PLAIN, 415), 80);
}

/* ---- doors ---- */

/* Whatever names somebody else makes of a request from loopback a guest's: all of them share a limit, and see no numbers. */
static void whoever_is_passed_on_is_not_the_box(void **state)
{
	static const char *const marks[] = {
		"X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 127.0.0.1",     "X-Forwarded-Host: box",
		"X-Forwarded-Proto: https",     "X-Real-IP: 127.0.0.1",           "CF-Connecting-IP: ::1",
		"True-Client-IP: 127.0.0.1",    "Forwarded: for=_x;by=127.0.0.1", "Via: 1.1 box",
	};
	char headers[160];
	int refused;

	(void)state;
	for (size_t i = 0; i < COUNT(marks); i++) {
		snprintf(headers, sizeof headers, "%s\r\n", marks[i]);
		if (http_ask(box.port, (struct http_call){.path = "/metrics", .headers = headers})->status != 403)
			fail_msg("%s: /metrics is open", marks[i]);
	}
	assert_int_equal(http_get(box.port, "/metrics")->status, 200);
	for (size_t i = 0; i < COUNT(marks); i += COUNT(marks) - 1) {
		snprintf(headers, sizeof headers, "Content-Type: text/plain\r\n%s\r\n", marks[i]);
		refused = flood(box.port, headers, 429);
		if (refused <= 20 || (i == 0 && refused >= 70)) /* the first flood has used up what there is for all of them */
			fail_msg("%s: %d refused", marks[i], refused);
	}
}

static int connect_to(const char *path)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
	assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
	return fd;
}

static int connect_by_ipv6(int port)
{
	struct sockaddr_in6 at = {
		.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
	return fd;
}

/* What nginx answers there, its head in `text`. */
static int ask_by(int fd, const char *what, const char *headers, char *text, size_t size)
{
	int status = 0;
	ssize_t n;

	dprintf(fd, "GET %s HTTP/1.0\r\nHost: x\r\n%s\r\n", what, headers);
	n = read(fd, text, size - 1);
	close(fd);
	assert_true(n > 0);
	text[n] = '\0';
	assert_int_equal(sscanf(text, "HTTP/1.%*d %d", &status), 1);
	return status;
}

/* What nginx answers there to a tunnel that asks for this guest. */
static int ask_through(const char *path, const char *what, const char *guest)
{
	char text[2048];

	return ask_by(connect_to(path), what, guest, text, sizeof text);
}

static void a_tunnel_has_a_socket_of_its_own(void **state)
{
	static const char guest[] = "CF-Connecting-IP: 203.0.113.9\r\n", itself[] = "CF-Connecting-IP: 127.0.0.1\r\n";
	static char listens[APPLIANCE_PATH + 32];
	static const char *const edits[] = {"#     listen           unix:/run/jari-tunnel.sock;",
					    listens,
					    "#     set_real_ip_from unix:;",
					    "set_real_ip_from unix:;",
					    "#     real_ip_header   CF-Connecting-IP;",
					    "real_ip_header CF-Connecting-IP;",
					    NULL};
	static char path[APPLIANCE_PATH];

	(void)state;
	appliance_path(&box, "tunnel", path);
	snprintf(listens, sizeof listens, "listen unix:%s;", path);
	start_second(edits);
	assert_int_equal(ask_through(path, "/healthz", guest), 200);
	assert_int_equal(ask_through(path, "/metrics", guest), 403);
	assert_int_equal(ask_through(path, "/metrics", ""), 403);
	assert_int_equal(ask_through(path, "/metrics", itself), 403);
	assert_int_equal(http_get(second.port, "/metrics")->status, 200);
}

/* The cookie of a new guest at this port: its name and its flags say whether the guest speaks TLS. */
static const char *cookie_by(int port, const char *headers)
{
	static char cookie[400];
	char all[300];
	const struct http_answer *a;

	snprintf(all, sizeof all, "Content-Type: application/json\r\n%s", headers);
	a = http_ask(port, (struct http_call){.path = "/api/guests", .headers = all, .body = GUEST});
	assert_int_equal(a->status, 200);
	http_header(a, "Set-Cookie", cookie, sizeof cookie);
	return cookie;
}

/*
 * Tailscale passes on to a port.  It puts the one address of the guest into X-Forwarded-For, whatever the guest has sent there, and
 * says X-Forwarded-Host and X-Forwarded-Proto (addProxyForwardedHeaders of its ipn/ipnlocal/serve.go).
 */
static void a_tunnel_that_knows_ports_has_one_of_its_own(void **state)
{
	static const char serve[] = "X-Forwarded-Host: box.tail.ts.net\r\nX-Forwarded-Proto: https\r\n";
	static char listens[64], one[200], two[200], claims[200];
	static const char *const edits[] = {"#     listen           unix:/run/jari-tunnel.sock;",
					    listens,
					    "#     set_real_ip_from unix:;",
					    "set_real_ip_from 127.0.0.1;",
					    "#     real_ip_header   CF-Connecting-IP;",
					    "real_ip_header X-Forwarded-For;",
					    NULL};
	int port = appliance_free_port();
	struct http_call metrics = {.path = "/metrics"};

	(void)state;
	snprintf(listens, sizeof listens, "listen 127.0.0.1:%d;", port);
	snprintf(one, sizeof one, "%sX-Forwarded-For: 203.0.113.9\r\nContent-Type: text/plain\r\n", serve);
	snprintf(two, sizeof two, "%sX-Forwarded-For: 2001:db8::7\r\nContent-Type: text/plain\r\n", serve);
	snprintf(claims, sizeof claims, "%sX-Forwarded-For: 127.0.0.1\r\n", serve);
	start_second(edits);
	assert_in_range(flood(port, one, 429), 21, 69);
	assert_in_range(flood(port, two, 429), 21, 69); /* a limit of their own */
	metrics.headers = one;
	assert_int_equal(http_ask(port, metrics)->status, 403);
	metrics.headers = two;
	assert_int_equal(http_ask(port, metrics)->status, 403);
	metrics.headers = claims;
	assert_int_equal(http_ask(port, metrics)->status, 403);
	assert_non_null(strstr(cookie_by(port, "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\n"), "; Secure"));
	assert_memory_equal(cookie_by(port, "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\n"),
			    "__Host-jari=", 12);
	assert_memory_equal(cookie_by(port, "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: http\r\n"), "jari=", 5);
}

/* Without the lines of a tunnel or proxy nobody is believed who says that a guest speaks TLS. */
static void who_is_not_trusted_makes_no_cookie_secure(void **state)
{
	(void)state;
	assert_memory_equal(cookie_by(box.port, "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\n"), "jari=", 5);
}

static void the_box_is_itself_by_ipv6_too(void **state)
{
	static char listens[128], at[64];
	static const char *const edits[] = {at, listens, NULL};
	char text[2048];
	int port = appliance_free_port();

	(void)state;
	second_port = appliance_free_port();
	snprintf(at, sizeof at, "listen 127.0.0.1:%d;", second_port);
	snprintf(listens, sizeof listens, "%s listen [::1]:%d;", at, port);
	start_second(edits);
	assert_int_equal(ask_by(connect_by_ipv6(port), "/metrics", "", text, sizeof text), 200);
	assert_int_equal(ask_by(connect_by_ipv6(port), "/metrics", "X-Forwarded-For: ::1\r\n", text, sizeof text), 403);
	assert_int_equal(ask_by(connect_by_ipv6(port), "/metrics", "Via: 1.1 x\r\n", text, sizeof text), 403);
}

/* ---- a domain with a certificate: the site as certbot leaves it, and the lines of the comment ---- */

static char tls_key[APPLIANCE_PATH], tls_chain[APPLIANCE_PATH];

static void make_certificate(void)
{
	static struct ran ran;
	struct appliance openssl = box;

	appliance_path(&box, "key.pem", tls_key);
	appliance_path(&box, "chain.pem", tls_chain);
	openssl.program = "/usr/bin/openssl";
	appliance_run(&openssl, &ran, NULL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
		      "-days", "2", "-subj", "/CN=book.example", "-addext", "subjectAltName=DNS:book.example", "-keyout",
		      tls_key, "-out", tls_chain, NULL);
	if (ran.exit != 0)
		fail_msg("openssl: %s", ran.err);
}

/* The answer over TLS with its head, its certificate checked. */
static const char *over_tls(int port, const char *path, const char *body)
{
	static struct ran ran;
	struct appliance curl = box;
	char url[120], resolve[80];

	curl.program = "/usr/bin/curl";
	snprintf(url, sizeof url, "https://book.example:%d%s", port, path);
	snprintf(resolve, sizeof resolve, "book.example:%d:127.0.0.1", port);
	if (body)
		appliance_run(&curl, &ran, NULL, "-s", "-i", "--cacert", tls_chain, "--resolve", resolve, "-H",
			      "Content-Type: application/json", "-d", body, url, NULL);
	else
		appliance_run(&curl, &ran, NULL, "-s", "-i", "--cacert", tls_chain, "--resolve", resolve, url, NULL);
	if (ran.exit != 0)
		fail_msg("curl %s: %d %s", url, ran.exit, ran.err);
	return ran.out;
}

static void a_domain_has_tls(void **state)
{
	static char server[400], lines[600], at[64];
	static const char *const edits[] = {"\nserver {\n",
					    server,
					    at,
					    lines,
					    "server_name _;",
					    "server_name book.example;",
					    "#     add_header Strict-Transport-Security",
					    "add_header Strict-Transport-Security",
					    NULL};
	static const char *const paths[] = {"/", "/desk/", "/nothing.html", "/api/nothing", "/api/reservations/my", "/healthz"};
	int port = appliance_free_port();
	const struct http_answer *a;
	const char *got;
	char text[300];

	(void)state;
	make_certificate();
	second_port = appliance_free_port();
	snprintf(at, sizeof at, "\tlisten 127.0.0.1:%d;", second_port);
	snprintf(lines, sizeof lines,
		 "\tlisten 127.0.0.1:%d ssl http2;\n\tssl_certificate %s;\n\tssl_certificate_key %s;\n"
		 "\tssl_protocols TLSv1.2 TLSv1.3;",
		 port, tls_chain, tls_key);
	snprintf(server, sizeof server,
		 "\nserver {\n\tif ($host = book.example) {\n\t\treturn 301 https://$host$request_uri;\n\t}\n"
		 "\tlisten  127.0.0.1:%d;\n\tserver_name book.example;\n\treturn 404;\n}\nserver {\n",
		 second_port);
	start_second(edits);

	snprintf(text, sizeof text, "GET /r?x=1 HTTP/1.1\r\nHost: book.example\r\nConnection: close\r\n\r\n");
	a = http_ask(second.port, (struct http_call){.raw = text, .raw_len = strlen(text)});
	assert_int_equal(a->status, 301);
	assert_true(http_header_has(a, "Location", "https://book.example/r?x=1"));
	assert_int_equal(count_header(a, "Strict-Transport-Security"), 0);

	for (size_t i = 0; i < COUNT(paths); i++) {
		got = over_tls(port, paths[i], NULL);
		assert_memory_equal(got, "HTTP/2 ", 7);
		if (!strcasestr(got, "\nstrict-transport-security: max-age=31536000\r") ||
		    !strcasestr(got, "\ncross-origin-opener-policy: same-origin\r"))
			fail_msg("%s: %.900s", paths[i], got);
	}
	got = over_tls(port, "/api/guests", GUEST);
	assert_memory_equal(got, "HTTP/2 200", 10);
	assert_non_null(strcasestr(got, "\nset-cookie: __Host-jari="));
	assert_non_null(strcasestr(got, "; Secure"));
	/* In a context that is secure a browser keeps the desk for an evening without the box; the worker is a script of ours. */
	got = over_tls(port, "/desk/sw.js", NULL);
	assert_memory_equal(got, "HTTP/2 200", 10);
	assert_true(strcasestr(got, "\ncontent-type: application/javascript") ||
		    strcasestr(got, "\ncontent-type: text/javascript"));
	assert_non_null(strcasestr(got, "\ncontent-security-policy: default-src 'none'; connect-src 'self'\r"));
	assert_non_null(strcasestr(got, "\ncache-control: no-cache\r"));
	/* In the house, without TLS, no header promises any. */
	assert_int_equal(count_header(http_get(box.port, "/"), "Strict-Transport-Security"), 0);
}

static int listen_at(const char *path)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
	assert_int_equal(listen(fd, 64), 0);
	return fd;
}

static void without_workers_there_is_a_502_that_says_when_to_come_back(void **state)
{
	static const char *const edits[] = {"/jari.sock\" max_fails", "/nobody.sock\" max_fails", NULL};
	static char text[CONF_SIZE];
	char path[APPLIANCE_PATH];

	(void)state;
	start_second(edits);
	expect_said(http_get(second.port, "/api/restaurants/1"), 502, "BOOK_BUSY", true);
	expect_said(http_get(second.port, "/healthz"), 502, "BOOK_BUSY", true);
	expect_said(http_post(second.port, "/api/guests", GUEST), 502, "BOOK_BUSY", true);
	expect_safe(http_get(second.port, "/"), 200);
	/* nginx would write down who asked, and for which ticket. */
	expect_said(http_get(second.port, "/api/tickets/aSecretTicket"), 502, "BOOK_BUSY", true);
	appliance_path(&box, "run/nginx.log", path);
	assert_null(strstr(appliance_read(path, text, sizeof text), "127.0.0.1"));
	assert_null(strstr(text, "aSecretTicket"));
	appliance_path(&second, "log", path);
	assert_null(strstr(appliance_read(path, text, sizeof text), "aSecretTicket"));
}

static void workers_that_never_answer_become_a_504(void **state)
{
	static const char *const edits[] = {"/jari.sock\" max_fails", "/silent.sock\" max_fails", "fastcgi_read_timeout 30s",
					    "fastcgi_read_timeout 1s", NULL};
	char path[APPLIANCE_PATH];
	int fd;

	(void)state;
	appliance_path(&box, "run/silent.sock", path);
	fd = listen_at(path);
	start_second(edits);
	expect_said(http_get(second.port, "/api/restaurants/1"), 504, "BOOK_BUSY", true);
	close(fd);
}

/* How often a directive stands in the generated site, comments apart. */
static int lines_with(const char *text, const char *directive)
{
	int n = 0;

	for (const char *p = text; (p = strstr(p, directive)); p++) {
		const char *line = p;

		while (line > text && line[-1] != '\n')
			line--;
		n += strspn(line, "\t ") == (size_t)(p - line);
	}
	return n;
}

static void nothing_is_sent_twice_and_no_connection_is_kept(void **state)
{
	static char text[CONF_SIZE];
	char path[APPLIANCE_PATH];

	(void)state;
	appliance_path(&box, "run/site.conf", path);
	appliance_read(path, text, sizeof text);
	assert_int_equal(lines_with(text, "server \"unix:"), 1);
	assert_int_equal(lines_with(text, "fastcgi_next_upstream off;"), 1);
	assert_int_equal(lines_with(text, "fastcgi_next_upstream"), 1);
	assert_int_equal(lines_with(text, "fastcgi_keep_conn off;"), 1);
	assert_int_equal(lines_with(text, "fastcgi_keep_conn"), 1);
	assert_int_equal(lines_with(text, "keepalive "), 0);
	assert_int_equal(lines_with(text, "fastcgi_ignore_client_abort off;"), 1);
}

static void the_socket_is_for_nginx_alone(void **state)
{
	char path[APPLIANCE_PATH];
	struct stat st;

	(void)state;
	appliance_path(&box, "run/jari.sock", path);
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISSOCK(st.st_mode));
	assert_int_equal(st.st_mode & 0777, 0660);
}

/* ---- FastCGI by hand ---- */

struct records {
	char data[32768];
	size_t len;
};

static void add_record(struct records *r, int type, const void *content, size_t n)
{
	unsigned char head[8] = {1, (unsigned char)type, 0, 1, (unsigned char)(n >> 8), (unsigned char)n, 0, 0};

	assert_true(r->len + sizeof head + n <= sizeof r->data);
	memcpy(r->data + r->len, head, sizeof head);
	if (n)
		memcpy(r->data + r->len + sizeof head, content, n);
	r->len += sizeof head + n;
}

/* BEGIN_REQUEST as a responder; keep: do not close the connection afterwards. */
static void add_begin(struct records *r, bool keep)
{
	const char begin[8] = {0, 1, keep, 0, 0, 0, 0, 0};

	add_record(r, 1, begin, sizeof begin);
}

/* Names and values in turn, ended by NULL. */
static void add_params(struct records *r, const char *const *pairs)
{
	char text[2048];
	size_t n = 0;

	for (size_t i = 0; pairs[i]; i += 2) {
		text[n++] = (char)strlen(pairs[i]);
		text[n++] = (char)strlen(pairs[i + 1]);
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", pairs[i], pairs[i + 1]);
	}
	add_record(r, 4, text, n);
	add_record(r, 4, "", 0);
}

static int reach_workers(void)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(to.sun_path, sizeof to.sun_path, "%s/jari.sock", box.dir);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
	return fd;
}

static void send_records(int fd, const struct records *r)
{
	assert_int_equal(send(fd, r->data, r->len, MSG_NOSIGNAL), r->len);
}

/* Does anything come within ms? */
static bool hears(int fd, int ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, ms) > 0;
}

/* Everything up to the end of the connection, as text; fails when it is kept open. */
static void read_to_end(int fd, char *out, size_t size)
{
	size_t used = 0;
	ssize_t n;

	while (hears(fd, 3000) && (n = recv(fd, out + used, size - 1 - used, 0)) > 0)
		used += (size_t)n;
	assert_true(hears(fd, 0)); /* the end of file, not silence */
	for (size_t i = 0; i < used; i++)
		if (!out[i])
			out[i] = ' ';
	out[used] = '\0';
	close(fd);
}

/* A newcomer's booking that nginx stamped age_ms ago, of which `missing` bytes never come; its answer. */
static void post_by_hand(int age_ms, size_t missing, char *out, size_t size)
{
	char stamp[32], length[24], key[32];
	int64_t at = clock_now_ms() - age_ms;
	const char *const params[] = {"REQUEST_METHOD",
				      "POST",
				      "PATH_INFO",
				      "/api/reservations",
				      "CONTENT_TYPE",
				      "application/json",
				      "CONTENT_LENGTH",
				      length,
				      "REQ_MSEC",
				      stamp,
				      "REMOTE_ADDR",
				      "127.0.0.1",
				      "HTTP_IDEMPOTENCY_KEY",
				      key,
				      NULL};
	struct records r = {.len = 0};
	struct http_call call = guests_newcomer();
	int fd = reach_workers();

	snprintf(stamp, sizeof stamp, "%lld.%03d", (long long)(at / 1000), (int)(at % 1000));
	snprintf(length, sizeof length, "%zu", strlen(call.body));
	snprintf(key, sizeof key, "by-hand-%lld", (long long)clock_mono_us());
	add_begin(&r, false);
	add_params(&r, params);
	add_record(&r, 5, call.body, strlen(call.body) - missing);
	add_record(&r, 5, "", 0);
	send_records(fd, &r);
	read_to_end(fd, out, size);
}

/* ---- forged requests ---- */

static void a_body_is_read_to_its_end_before_any_answer(void **state)
{
	static const struct {
		const char *method, *path, *status;
	} routes[] = {
		{"POST", "/api/nothing", "Status: 404"},
		{"POST", "/api/restaurants/1", "Status: 405"},
		{"POST", "/api/guests", "Status: 413"},
	};
	static const char part[8000];
	char answer[4096];

	(void)state;
	for (size_t i = 0; i < COUNT(routes); i++) {
		const char *const params[] = {"REQUEST_METHOD", routes[i].method, "PATH_INFO",
					      routes[i].path,   "CONTENT_TYPE",   "application/json",
					      "CONTENT_LENGTH", "80000",          NULL};
		struct records r = {.len = 0};
		int fd = reach_workers();

		add_begin(&r, false);
		add_params(&r, params);
		add_record(&r, 5, part, sizeof part);
		send_records(fd, &r);
		assert_false(hears(fd, 100));
		r.len = 0;
		add_record(&r, 5, part, sizeof part);
		for (int n = 0; n < 9; n++)
			send_records(fd, &r);
		r.len = 0;
		add_record(&r, 5, "", 0);
		send_records(fd, &r);
		read_to_end(fd, answer, sizeof answer);
		assert_non_null(strstr(answer, routes[i].status));
	}
}

static void a_worker_closes_even_what_it_is_asked_to_keep(void **state)
{
	static const char *const params[] = {"REQUEST_METHOD", "GET", "PATH_INFO", "/healthz", NULL};
	struct records r = {.len = 0};
	char answer[4096];
	int fd = reach_workers();

	(void)state;
	add_begin(&r, true);
	add_params(&r, params);
	add_record(&r, 5, "", 0);
	send_records(fd, &r);
	read_to_end(fd, answer, sizeof answer);
	assert_non_null(strstr(answer, "Status: 200"));
}

static void a_peer_that_never_hangs_up_keeps_no_worker(void **state)
{
	static const char *const params[] = {"REQUEST_METHOD", "GET", "PATH_INFO", "/healthz", NULL};
	struct http_call call = {.path = "/healthz", .timeout_ms = 1000};
	struct records r = {.len = 0};
	int fds[WORKERS];
	char byte;

	(void)state;
	add_begin(&r, false);
	add_params(&r, params);
	add_record(&r, 5, "", 0);
	for (int i = 0; i < WORKERS; i++) {
		fds[i] = reach_workers();
		send_records(fds[i], &r);
		assert_true(hears(fds[i], 3000));
		while (recv(fds[i], &byte, 1, 0) > 0)
			;
	}
	assert_int_equal(http_ask(box.port, call)->status, 200); /* libfcgi alone would wait 2 s for each of them */
	for (int i = 0; i < WORKERS; i++)
		close(fds[i]);
}

/*
 * libfcgi reads 8192 bytes at a time.  What it has not read when a request is finished on a kept
 * connection is taken for the next records, so a body with records at just the right place is a
 * request of its own.  The place depends on the length of the parameters; all possible ones are tried.
 */
struct forgeries {
	int sent, unanswered;
	int wrong; /* answers to another request than the one that was sent */
};

static struct forgeries send_forgeries(int port)
{
	static const char *const params[] = {"REQUEST_METHOD", "GET", "PATH_INFO", "/smuggled", "REMOTE_USER", "owner", NULL};
	struct records forged = {.len = 0};
	static char body[16000];
	struct forgeries n = {0};

	add_begin(&forged, false);
	add_params(&forged, params);
	add_record(&forged, 5, "", 0);
	for (size_t filler = 7200; filler < 8000; filler += n.sent % 2 ? 0 : 2) {
		const struct http_answer *a;
		bool unknown = n.sent++ % 2;

		memset(body, 'x', sizeof body);
		memcpy(body + filler, forged.data, forged.len);
		a = http_ask(port, (struct http_call){.path = unknown ? "/api/nothing" : "/api/restaurants/1",
						      .body = body,
						      .body_len = filler + forged.len});
		n.unanswered += a->status == 502;
		n.wrong += a->status != 502 && a->status != (unknown ? 404 : 405);
	}
	return n;
}

/* A worker as it should not be: it leaves the body unread.  Counts the forged requests that it takes. */
static void be_naive(int fd, _Atomic int *forged)
{
	FCGX_Request r;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	FCGX_Init();
	FCGX_InitRequest(&r, fd, 0);
	while (FCGX_Accept_r(&r) == 0) {
		const char *path = FCGX_GetParam("PATH_INFO", r.envp);

		*forged += path && strcmp(path, "/smuggled") == 0;
		FCGX_PutS(path && strstr(path, "nothing") ? "Status: 404\r\n\r\n" : "Status: 405\r\n\r\n", r.out);
		FCGX_Finish_r(&r);
	}
	_exit(0);
}

static const char *const keeping[] = {"fastcgi_keep_conn off;",
				      "fastcgi_keep_conn on;",
				      "max_fails=0;",
				      "max_fails=0; keepalive 1;",
				      "/jari.sock\" max_fails",
				      NULL,
				      NULL};

/* Without this the two tests below would prove nothing. */
static void a_naive_worker_takes_a_forged_request(void **state)
{
	const char *edits[COUNT(keeping)];
	_Atomic int *forged = mmap(NULL, sizeof *forged, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char path[APPLIANCE_PATH];
	pid_t pids[16]; /* more than nginx keeps connections: a kept one holds its worker */
	int fd;

	(void)state;
	appliance_path(&box, "run/naive.sock", path);
	fd = listen_at(path);
	for (size_t i = 0; i < COUNT(pids); i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0)
			be_naive(fd, forged);
	}
	memcpy(edits, keeping, sizeof keeping);
	edits[5] = "/naive.sock\" max_fails";
	start_second(edits);
	send_forgeries(second.port); /* a forged request's answer may go to the next request: not counted here */
	for (size_t i = 0; i < COUNT(pids); i++) {
		appliance_signal(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	close(fd);
	assert_true(*forged > 0);
	munmap(forged, sizeof *forged);
}

/*
 * Every request that a worker saw was one that a client sent.  An nginx that keeps connections may
 * choose one that its worker has just closed; that request is a 502 and reaches no worker.
 */
static void expect_no_forgery(int port, bool keeps)
{
	int64_t before = appliance_counter(&box, "requests"), seen;
	struct forgeries n = send_forgeries(port);

	seen = appliance_counter(&box, "requests") - before;
	assert_true(seen <= n.sent && seen >= n.sent - n.unanswered);
	assert_true(n.unanswered <= (keeps ? n.sent / 10 : 0));
	assert_int_equal(n.wrong, 0);
}

static void no_body_becomes_a_request(void **state)
{
	(void)state;
	expect_no_forgery(box.port, false);
}

static void no_body_becomes_a_request_even_if_nginx_keeps_connections(void **state)
{
	const char *edits[COUNT(keeping)];

	(void)state;
	memcpy(edits, keeping, sizeof keeping);
	edits[4] = NULL;
	start_second(edits);
	expect_no_forgery(second.port, true);
}

/* ---- requests whose client is gone ---- */

static int64_t users(void)
{
	return appliance_number(&box, "SELECT count(*) FROM users");
}

static void signal_workers(int signal)
{
	pid_t pids[WORKERS];
	int n = appliance_pids(&box, BOARD_WORKER, pids, WORKERS);

	assert_int_equal(n, WORKERS);
	for (int i = 0; i < n; i++)
		appliance_signal(pids[i], signal);
}

/* Even what nginx refuses before it knows the address is answered in the API's own form. */
static void an_unknown_encoding_gets_json(void **state)
{
	static const char raw[] =
		"POST /api/guests HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
		"Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}";
	const struct http_answer *a = http_ask(box.port, (struct http_call){.raw = raw, .raw_len = sizeof raw - 1});
	char code[HTTP_TEXT];

	(void)state;
	assert_true(a->status >= 400 && a->status < 600);
	assert_true(http_header_has(a, "Content-Type", "application/json"));
	assert_true(*http_text(a, "code", code));
	assert_non_null(strstr(http_text(a, "message", code), "요청")); /* a client that does not say is Korean */
}

static void a_guest_who_has_gone_books_nothing(void **state)
{
	enum { GONE = 5 };
	struct http_call calls[GONE];
	struct http_answer answers[GONE];
	int64_t before = users(), stale = appliance_counter(&box, "stale_requests");

	(void)state;
	for (int i = 0; i < GONE; i++) {
		calls[i] = guests_newcomer();
		calls[i].timeout_ms = 200;
	}
	signal_workers(SIGSTOP); /* for less than the second after which the supervisor would kill them */
	http_many(box.port, calls, GONE, GONE, answers);
	usleep(100000); /* nginx learns that they left; nothing shows when it has */
	signal_workers(SIGCONT);
	for (int i = 0; i < GONE; i++) {
		assert_int_equal(answers[i].end, HTTP_TIMEOUT);
		http_free(&answers[i]);
	}
	WITHIN(3000, appliance_counter(&box, "stale_requests") == stale + GONE);
	assert_int_equal(users(), before);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	assert_int_equal(users(), before + 1);
}

/* What they asked for may cost a lot: hanging up and asking again must not keep the workers busy. */
static void nothing_is_read_for_a_guest_who_has_gone(void **state)
{
	enum { GONE = 5 };
	struct http_call calls[GONE];
	struct http_answer answers[GONE];
	int64_t stale = appliance_counter(&box, "stale_requests"), read = appliance_counter(&box, "days_read");

	(void)state;
	for (int i = 0; i < GONE; i++)
		calls[i] = (struct http_call){.path = "/api/reservations/days?restaurantId=1&month=2031-05&partySize=2",
					      .timeout_ms = 200};
	signal_workers(SIGSTOP);
	http_many(box.port, calls, GONE, GONE, answers);
	usleep(100000);
	signal_workers(SIGCONT);
	for (int i = 0; i < GONE; i++) {
		assert_int_equal(answers[i].end, HTTP_TIMEOUT);
		http_free(&answers[i]);
	}
	WITHIN(3000, appliance_counter(&box, "stale_requests") == stale + GONE);
	assert_int_equal(appliance_counter(&box, "days_read"), read);
}

static void a_request_older_than_nginx_waits_is_not_carried_out(void **state)
{
	int64_t before = users(), stale = appliance_counter(&box, "stale_requests");
	char answer[4096];

	(void)state;
	post_by_hand(26000, 0, answer, sizeof answer);
	assert_non_null(strstr(answer, "Status: 503"));
	assert_non_null(strstr(answer, "TOO_LATE"));
	assert_int_equal(users(), before);
	assert_int_equal(appliance_counter(&box, "stale_requests"), stale + 1);
	post_by_hand(1000, 0, answer, sizeof answer);
	assert_non_null(strstr(answer, "Status: 201"));
	assert_int_equal(users(), before + 1);
}

static void a_body_that_came_short_is_not_carried_out(void **state)
{
	int64_t before = users();
	char answer[4096];

	(void)state;
	post_by_hand(0, 1, answer, sizeof answer);
	assert_non_null(strstr(answer, "Status: 400"));
	assert_non_null(strstr(answer, "BAD_REQUEST"));
	assert_int_equal(users(), before);
}

/* ---- a share of the workers ---- */

/* A month for a client at that address, which nginx stamped age_ms ago. */
static void read_by_hand(const char *address, int age_ms, char *out, size_t size)
{
	char stamp[32];
	int64_t at = clock_now_ms() - age_ms;
	const char *const params[] = {"REQUEST_METHOD",
				      "GET",
				      "PATH_INFO",
				      "/api/reservations/days",
				      "QUERY_STRING",
				      "restaurantId=1&month=2031-05",
				      "CONTENT_LENGTH",
				      "0",
				      "REQ_MSEC",
				      stamp,
				      "REMOTE_ADDR",
				      address,
				      NULL};
	struct records r = {.len = 0};
	int fd = reach_workers();

	snprintf(stamp, sizeof stamp, "%lld.%03d", (long long)(at / 1000), (int)(at % 1000));
	add_begin(&r, false);
	add_params(&r, params);
	add_record(&r, 5, "", 0);
	send_records(fd, &r);
	read_to_end(fd, out, size);
}

/* As if every worker were at work on something that this address reads; a worker that has served says so itself. */
static void occupy(const char *address)
{
	struct board *b = guests_hall(&box)->board;

	for (int i = 0; i < BOARD_POSTS; i++)
		if (board_read(b, i).kind == BOARD_WORKER) {
			board_busy(b, i);
			board_reads_for(b, i, rate_address(address));
		}
}

static void one_address_does_not_keep_every_worker_on_its_reads(void **state)
{
	char answer[16384];

	(void)state;
	/* A worker that has just answered the test before may say that it rests after it was said to be busy here. */
	WITHIN(10000,
	       (occupy("192.0.2.7"), read_by_hand("192.0.2.7", 100, answer, sizeof answer), strstr(answer, "Status: 429")));
	assert_non_null(strstr(answer, "RATE_LIMITED"));
	assert_non_null(strstr(answer, "Retry-After: 1"));
	occupy("192.0.2.7");
	read_by_hand("192.0.2.8", 100, answer, sizeof answer);
	assert_non_null(strstr(answer, "Status: 200"));
	/* A worker was free for it at once: they are not scarce.  On a busy machine it may have waited all the same. */
	WITHIN(10000,
	       (occupy("192.0.2.7"), read_by_hand("192.0.2.7", 0, answer, sizeof answer), strstr(answer, "Status: 200")));
	occupy("127.0.0.1");
	read_by_hand("127.0.0.1", 100, answer, sizeof answer); /* the box itself */
	assert_non_null(strstr(answer, "Status: 200"));
	for (int i = 0; i < BOARD_POSTS; i++)
		if (board_read(guests_hall(&box)->board, i).kind == BOARD_WORKER)
			board_rest(guests_hall(&box)->board, i);
}

/* ---- the log ---- */

static char *log_text(void)
{
	static char text[512 * 1024];
	char path[APPLIANCE_PATH];

	appliance_path(&box, "run/access.log", path);
	return appliance_read(path, text, sizeof text);
}

/* The line of that request, "" until it is written. */
static const char *line_of(const char *id, char out[1024])
{
	const char *at = strstr(log_text(), id), *end = at ? strchr(at, '\n') : NULL;

	snprintf(out, 1024, "%.*s", end ? (int)(end - at) : 0, end ? at : "");
	return out;
}

/* A browser's console stays for faults: a page asks with a header, and nothing but the status line differs. */
static void a_page_is_told_a_refusal_as_200_and_the_log_has_its_status(void **state)
{
	static const struct {
		const char *path;
		int status;
	} refused[] = {{"/api/desk/me", 401}, {"/api/reservations/999999", 401}, {"/api/no-such-thing", 404}};
	char line[1024], status[80], id[80], wanted[80];

	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		const struct http_answer *api = http_get(box.port, refused[i].path);
		const struct http_answer *page = http_ask(
			box.port, (struct http_call){.path = refused[i].path, .headers = "Jari-Page: 1\r\n"});

		assert_int_equal(api->status, refused[i].status);
		assert_null(strcasestr(api->head, "Jari-Status"));
		assert_int_equal(page->status, 200);
		assert_true(http_header(page, "Jari-Status", status, sizeof status));
		assert_int_equal(atoi(status), refused[i].status);
		assert_string_equal(page->body, api->body);
		assert_true(http_header(page, "X-Request-Id", id, sizeof id));
		WITHIN(15000, *line_of(id, line));
		snprintf(wanted, sizeof wanted, " status=%d ", refused[i].status);
		assert_non_null(strstr(line, wanted));
	}
	/* What is no refusal says nothing of it. */
	assert_null(strcasestr(
		http_ask(box.port, (struct http_call){.path = "/api/restaurants", .headers = "Jari-Page: 1\r\n"})->head,
		"Jari-Status"));
}

/* A guest asks what became of their booking: the id of their request leads to its ticket, and that to the book. */
static void what_became_of_a_request_is_found_in_the_log(void **state)
{
	struct http_call booking = guests_newcomer();
	char line[1024], made[80], refused[80], polled[80], token[HTTP_TEXT], path[HTTP_TEXT + 20], body[1024], word[64];
	const struct http_answer *a = http_ask(box.port, booking);
	int64_t reservation = http_int(a, "reservationId");

	(void)state;
	assert_int_equal(a->status, 201);
	assert_true(http_header(a, "X-Request-Id", made, sizeof made));
	assert_null(strcasestr(a->head, "Jari-Outcome"));
	http_text(a, "manageToken", token);
	snprintf(body, sizeof body, "%s", booking.body);
	appliance_replace(body, sizeof body, "\"partySize\":1", "\"partySize\":999");
	a = http_ask(box.port, (struct http_call){.path = booking.path, .headers = booking.headers, .body = body});
	assert_int_equal(a->status, 400);
	assert_true(http_header(a, "X-Request-Id", refused, sizeof refused));
	assert_null(strcasestr(a->head, "Jari-Outcome"));
	snprintf(path, sizeof path, "/api/tickets/%.40s", token);
	a = http_get(box.port, path);
	assert_true(http_header(a, "X-Request-Id", polled, sizeof polled));
	WITHIN(15000, *line_of(polled, line));
	assert_non_null(strstr(line, "path=/api/tickets/- "));
	assert_non_null(strstr(line, " code=NO_SUCH_TICKET"));
	WITHIN(15000, *line_of(refused, line)); /* each process of nginx has a buffer of its own */
	assert_non_null(strstr(line, "status=400"));
	assert_non_null(strstr(line, " code=PARTY_SIZE slot=1/20"));
	assert_non_null(strstr(line, " party=999"));
	WITHIN(15000, *line_of(made, line));
	assert_non_null(strstr(line, " code=OK ticket="));
	snprintf(word, sizeof word, " ticket=%lld ",
		 (long long)appliance_number(&box, "SELECT ticket FROM reservations WHERE reservation_id = %lld",
					     (long long)reservation));
	assert_non_null(strstr(line, word));
	/* No client's address, token or number is in it; nor what is asked over and over. */
	assert_null(strstr(log_text(), "127.0.0.1"));
	assert_null(strstr(log_text(), token));
	assert_null(strstr(log_text(), "010-55"));
	assert_null(strstr(log_text(), "path=/healthz "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_is_told_a_refusal_as_200_and_the_log_has_its_status),
		cmocka_unit_test(what_became_of_a_request_is_found_in_the_log),
		cmocka_unit_test(good_answers_have_every_header),
		cmocka_unit_test(only_the_page_of_a_payment_has_the_hosts_of_the_provider),
		cmocka_unit_test(refusals_have_every_header_too),
		cmocka_unit_test(nginx_speaks_the_guests_language),
		cmocka_unit_test_teardown(a_flood_from_one_address_gets_429, end_second),
		cmocka_unit_test(the_box_itself_is_never_limited),
		cmocka_unit_test(whoever_is_passed_on_is_not_the_box),
		cmocka_unit_test_teardown(a_tunnel_has_a_socket_of_its_own, end_second),
		cmocka_unit_test_teardown(a_tunnel_that_knows_ports_has_one_of_its_own, end_second),
		cmocka_unit_test(who_is_not_trusted_makes_no_cookie_secure),
		cmocka_unit_test_teardown(the_box_is_itself_by_ipv6_too, end_second),
		cmocka_unit_test_teardown(a_domain_has_tls, end_second),
		cmocka_unit_test_teardown(without_workers_there_is_a_502_that_says_when_to_come_back, end_second),
		cmocka_unit_test_teardown(workers_that_never_answer_become_a_504, end_second),
		cmocka_unit_test(nothing_is_sent_twice_and_no_connection_is_kept),
		cmocka_unit_test(the_socket_is_for_nginx_alone),
		cmocka_unit_test(a_body_is_read_to_its_end_before_any_answer),
		cmocka_unit_test(a_worker_closes_even_what_it_is_asked_to_keep),
		cmocka_unit_test(a_peer_that_never_hangs_up_keeps_no_worker),
		cmocka_unit_test_teardown(a_naive_worker_takes_a_forged_request, end_second),
		cmocka_unit_test(no_body_becomes_a_request),
		cmocka_unit_test_teardown(no_body_becomes_a_request_even_if_nginx_keeps_connections, end_second),
		cmocka_unit_test(an_unknown_encoding_gets_json),
		cmocka_unit_test(a_guest_who_has_gone_books_nothing),
		cmocka_unit_test(nothing_is_read_for_a_guest_who_has_gone),
		cmocka_unit_test(a_request_older_than_nginx_waits_is_not_carried_out),
		cmocka_unit_test(a_body_that_came_short_is_not_carried_out),
		cmocka_unit_test(one_address_does_not_keep_every_worker_on_its_reads),
	};
	int failed = cmocka_run_group_tests(tests, set_up, tear_down);

	appliance_free(&box); /* should the teardown have failed */
	return failed;
}
