/*
 * api_menu.c - the owner changes the menu.
 */
#include "route.h"

#include "api.h"

enum { MENU_MAX = 60 };

static void take_dish(struct in *in, void *arg)
{
	char name[LENGTHS_SIZE(LENGTHS_DISH)], name_en[LENGTHS_SIZE(LENGTHS_DISH)];
	char about[LENGTHS_SIZE(LENGTHS_DESCRIPTION)], about_en[LENGTHS_SIZE(LENGTHS_DESCRIPTION)];
	int64_t id = 0, price = 0, sold_out = 0;
	struct json *j = json_new();

	in_only(in, "menuId", "name", "nameEn", "description", "descriptionEn", "price", "soldOut", NULL);
	in_int(in, "menuId", IN_OPTIONAL, 1, INT64_MAX - 1, &id);
	in_text(in, "name", IN_REQUIRED, LENGTHS_DISH, name, sizeof name);
	in_text(in, "nameEn", IN_OPTIONAL, LENGTHS_DISH, name_en, sizeof name_en);
	in_lines(in, "description", IN_OPTIONAL, LENGTHS_DESCRIPTION, about, sizeof about);
	in_lines(in, "descriptionEn", IN_OPTIONAL, LENGTHS_DESCRIPTION, about_en, sizeof about_en);
	in_int(in, "price", IN_REQUIRED, 0, HOUSE_AMOUNT_MAX, &price);
	in_int(in, "soldOut", IN_OPTIONAL, 0, 1, &sold_out);
	if (id)
		json_int(j, "menuId", id);
	json_text(j, "name", name);
	json_text_or_null(j, "nameEn", name_en);
	json_text_or_null(j, "description", about);
	json_text_or_null(j, "descriptionEn", about_en);
	json_int(j, "price", price);
	json_int(j, "soldOut", sold_out);
	json_push(arg, j);
}

enum err api_menu(struct call *c)
{
	struct json *j = json_new(), *list = json_list();

	in_only(&c->body, "menu", NULL);
	in_list(&c->body, "menu", IN_NAMED, MENU_MAX, take_dish, list);
	json_put(j, "menu", list);
	return api_house_write(c, HOUSE_MENU, j);
}
