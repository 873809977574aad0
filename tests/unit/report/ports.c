/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <jansson.h>
#include <locale.h>
#include <string.h>

#include "base/text.h"
#include "report.h"
#include "sata.h"
#include "work/advice.h"

struct view {
	struct machine machine;
	const struct portmap *map;
	struct advice *advice;
	struct buf text;
};

static void view_done(struct view *view)
{
	advice_free(view->advice);
	machine_done(&view->machine);
	buf_done(&view->text);
}
#define AUTO_VIEW CLEANUP(view_done) struct view

static struct view open_view(const struct tree *tree)
{
	struct view view = { .machine = machine_open(tree) };

	view.map = sata_map(&view.machine);
	cr_assert_eq(advice_make(view.machine.facts, &view.advice, NULL), 0);
	return view;
}

static const char *text(struct view *view, struct screen screen)
{
	setlocale(LC_ALL, "C.UTF-8");
	buf_clear(&view->text);
	view->text.len = 0;
	cr_assert_eq(ports_text(view->machine.facts, view->map, view->advice, &screen, &view->text,
				NULL),
		     0);
	return buf_text(&view->text);
}

static json_t *json(struct view *view)
{
	AUTO_BUF document = BUF_INIT;

	cr_assert_eq(ports_json(view->machine.facts, view->map, view->advice, &document, NULL), 0);
	json_t *value = json_loads(buf_text(&document), 0, NULL);
	cr_assert_not_null(value);
	return value;
}

static const json_t *at(const json_t *value, const char *key, size_t index)
{
	return json_array_get(json_object_get(value, key), index);
}

Test(report_ports, json_has_its_shape)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	AUTO_VIEW view = open_view(&tree);
	json_t *document = json(&view);
	const json_t *controller = at(document, "controllers", 0);
	const json_t *port = at(controller, "ports", 2);
	const json_t *disk = json_object_get(port, "disk");
	const json_t *advice = json_object_get(document, "advice");

	cr_assert_str_eq(json_string_value(json_object_get(document, "command")), "ports");
	cr_assert_str_eq(json_string_value(json_object_get(controller, "implemented_mask")), "0x7");
	cr_assert_eq(json_integer_value(json_object_get(port, "ceiling_mb_s")), 300);
	cr_assert(json_is_null(json_object_get(port, "limit_gbps")));
	cr_assert_str_eq(json_string_value(json_object_get(disk, "serial")), "SERc");
	cr_assert(json_is_false(json_object_get(disk, "boot")));
	cr_assert(json_is_false(json_object_get(at(controller, "ports", 3), "implemented")));
	cr_assert(json_is_null(json_object_get(at(controller, "ports", 3), "disk")));
	cr_assert_str_eq(json_string_value(json_object_get(at(document, "held_back", 0), "cause")),
			 "port");
	cr_assert_str_eq(json_string_value(json_object_get(advice, "action")), "swap");
	cr_assert(json_is_null(json_object_get(at(advice, "options", 1), "loses_at_least_mb_s")));
	cr_assert_str_eq(json_string_value(json_object_get(at(advice, "options", 0), "verdict")),
			 "rejected");
	json_decref(document);
}

/* Without a log: not known is null, and says why. */
Test(report_ports, json_of_what_is_not_known)
{
	AUTO_TREE tree = sata_new(NULL);
	AUTO_VIEW view = open_view(&tree);
	json_t *document = json(&view);
	const json_t *controller = at(document, "controllers", 0);

	cr_assert(json_is_null(json_object_get(controller, "implemented_mask")));
	cr_assert(json_is_null(json_object_get(at(controller, "ports", 3), "implemented")));
	cr_assert(json_is_false(json_object_get(json_object_get(document, "log"), "complete")));
	json_decref(document);
}

/* A command is never wrapped: it is there to be copied. */
static void fits(const char *text, unsigned width)
{
	AUTO_FREE char *copy = strdup(text);
	char *rest = copy;

	for (char *line; (line = strsep(&rest, "\n")) != NULL;)
		if (!strstr(line, ": coldswap "))
			cr_assert_leq(text_columns(line), width, "too wide for %u: %s", width,
				      line);
}

Test(report_ports, the_board_fits_its_screen)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	AUTO_VIEW view = open_view(&tree);

	for (unsigned width = 40; width <= 120; width += 5)
		fits(text(&view, (struct screen){ .width = width, .utf8 = true }), width);
}

Test(report_ports, the_exchange_is_an_arrow)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	AUTO_VIEW view = open_view(&tree);
	const char *drawn = text(&view, (struct screen){ .width = 80 });

	cr_assert_not_null(strstr(drawn, " +->| port 1"));
	cr_assert_not_null(strstr(drawn, " +->| port 2"));
	cr_assert_not_null(strstr(drawn, "    | port 0"));
	cr_assert_not_null(strstr(drawn, "| ports 3-4"));
	for (const char *p = drawn; *p != '\0'; p++)
		cr_assert((unsigned char)*p < 0x80, "not ASCII");
	cr_assert_not_null(strstr(text(&view, (struct screen){ .width = 80, .utf8 = true }),
				  "\u250c\u2500>\u2502 port 1"));
}

Test(report_ports, hostile_names_are_inert)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	disk_udev(&tree, "8:32",
		  "E:ID_BUS=ata\nE:ID_MODEL=a\\x1b[2Jb\nE:ID_SERIAL_SHORT=S\x1b[31m\xff\n");
	AUTO_VIEW view = open_view(&tree);
	static const struct screen screens[] = {
		{ .width = 80 },
		{ .width = 80, .plain = true },
		{ .width = 40 },
		{ .width = 80, .quiet = true },
	};

	for (size_t i = 0; i < ELEMENTS(screens); i++) {
		cr_assert_null(strchr(text(&view, screens[i]), '\x1b'));
		cr_assert_null(strchr(text(&view, screens[i]), '\xff'));
	}
	json_decref(json(&view));
}

Test(report_ports, plain_is_one_fact_a_line)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	AUTO_VIEW view = open_view(&tree);
	const char *plain = text(&view, (struct screen){ .width = 80, .plain = true });

	cr_assert_not_null(strstr(plain, "port 2: 3.0 Gb/s: "));
	cr_assert_not_null(strstr(plain, "advice: swap\n"));
	cr_assert_null(strchr(plain, '|'));
}
