/*
 * embed.S - the texts that travel inside the program: the schema, migrations, demo data, the nginx site.
 */
	.section .rodata
	.macro text name, file
	.global \name
	.type \name, %object
\name:
	.incbin "\file"
	.byte 0
	.size \name, . - \name
	.endm

	text embed_0001_init, "db/migrations/0001_init.sql"
	text embed_0002_tickets, "db/migrations/0002_tickets.sql"
	text embed_0003_people, "db/migrations/0003_people.sql"
	text embed_0004_sittings, "db/migrations/0004_sittings.sql"
	text embed_0005_ink, "db/migrations/0005_ink.sql"
	text embed_0006_once, "db/migrations/0006_once.sql"
	text embed_0007_desk, "db/migrations/0007_desk.sql"
	text embed_0008_messages, "db/migrations/0008_messages.sql"
	text embed_0009_upkeep, "db/migrations/0009_upkeep.sql"
	text embed_0010_strangers, "db/migrations/0010_strangers.sql"
	text embed_0011_rules, "db/migrations/0011_rules.sql"
	text embed_0012_desk, "db/migrations/0012_desk.sql"
	text embed_0013_round, "db/migrations/0013_round.sql"
	text embed_schema, "db/schema.sql"
	text embed_demo, "db/demo.sql"
	text embed_import_tables, "db/import/tables.sql"
	text embed_nginx, "nginx.conf.example"
	text embed_page, "www/guest/index.html"
	text embed_pay, "www/pay/index.html"

	.section .note.GNU-stack,"",%progbits
