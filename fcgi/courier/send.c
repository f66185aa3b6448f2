/*
 * send.c - a letter handed over: as mail, or to the command for text messages.
 */
#include "send.h"

#include "clock.h"
#include "json.h"
#include "run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HOOK_S = 20 };

static enum mail_end send_mail(const struct send *by, const struct dispatch_row *o, struct letter *l,
			       char answer[MAIL_ANSWER_SIZE])
{
	const char *at = strchr(by->mail->sender, '@');
	char id[320], ca[4200];
	struct buf message = {0};
	struct mail m = {
		.from = by->mail->sender,
		.from_name = l->from_name,
		.to = l->to,
		.subject = l->subject,
		.id = id,
		.text = l->text.data,
		.html = l->html.data,
		.calendar = l->calendar.len ? l->calendar.data : "",
		.method = l->method,
		.now_s = clock_now_s(),
	};
	struct mail_way way = {.server = by->mail, .password = by->password, .patience_s = by->patience_s};
	enum mail_end end = MAIL_NEVER;

	if (strcmp(by->mail->way, "OFF") == 0) {
		snprintf(answer, MAIL_ANSWER_SIZE, "no mail server is set up");
		return MAIL_LATER;
	}
	snprintf(id, sizeof id, "jari.%lld.%lld@%s", (long long)o->id, (long long)o->created_s, at ? at + 1 : "localhost");
	snprintf(ca, sizeof ca, "%s/mail-ca.pem", by->dir);
	way.ca = access(ca, R_OK) == 0 ? ca : NULL;
	if (mail_make(&message, &m))
		end = mail_send(&way, l->to, &message, answer);
	else
		snprintf(answer, MAIL_ANSWER_SIZE, "an address or a name that no mail can carry");
	buf_free(&message);
	return end;
}

static struct json *vars_json(const struct letter *l)
{
	struct json *j = json_new();

	json_text(j, "restaurant", l->house);
	json_text(j, "name", l->name);
	json_text(j, "day", l->day);
	json_text(j, "time", l->time);
	json_text(j, "party", l->party);
	json_text(j, "code", l->code);
	json_text(j, "until", l->until);
	json_text(j, "amount", l->amount);
	json_text(j, "digits", l->digits);
	json_text(j, "link", l->link);
	return j;
}

/* The command gets one JSON on its standard input; nothing personal is in its arguments. */
static enum mail_end send_sms(const struct send *by, const struct dispatch_row *o, const struct letter *l,
			      char answer[MAIL_ANSWER_SIZE])
{
	char path[RUN_PATH], key[48];
	const char *argv[] = {path, NULL};
	struct buf input = {0};
	struct json *j;
	int status;

	if (!run_find(by->dir, "send-sms", path)) {
		snprintf(answer, MAIL_ANSWER_SIZE, "no command send-sms that belongs to us and that only its owner can change");
		return MAIL_LATER;
	}
	j = json_new();
	snprintf(key, sizeof key, "jari-%lld-%lld", (long long)o->id, (long long)o->created_s);
	json_text(j, "id", key);
	json_text(j, "kind", outbox_word(o->event));
	json_text(j, "to", l->to);
	json_text(j, "lang", l->lang == LANG_KO ? "ko" : "en");
	json_text(j, "text", l->brief);
	json_put(j, "vars", vars_json(l));
	json_print(j, &input);
	json_free(j);
	status = buf_ok(&input) ? run_program(argv, input.data, input.len, HOOK_S, answer, MAIL_ANSWER_SIZE) : RUN_LATER;
	buf_free(&input);
	for (char *p = answer; *p; p++)
		*p = (unsigned char)*p < 0x20 ? ' ' : *p;
	if (status && !*answer)
		snprintf(answer, MAIL_ANSWER_SIZE, "send-sms: exit %d", status);
	/* A shell says 126 and up where a program is missing or was killed: that is no answer to the message. */
	return status == 0 ? MAIL_SENT : status == RUN_LATER || status >= RUN_TIMED_OUT ? MAIL_LATER : MAIL_NEVER;
}

enum mail_end send_letter(const struct send *by, const struct dispatch_row *o, struct letter *l, char answer[MAIL_ANSWER_SIZE])
{
	return o->by_mail ? send_mail(by, o, l, answer) : send_sms(by, o, l, answer);
}
