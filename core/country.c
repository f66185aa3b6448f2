/*
 * country.c - what is usual in a country.
 */
#include "country.h"

#include <string.h>

/* clang-format off */
const struct country countries[] = {
	/* code, in Korean, in English, zone, currency, calling code, first day of the week, a number */
	{"AD", "안도라", "Andorra", "Europe/Andorra", "EUR", 376, 1, "+376 312 345"},
	{"AE", "아랍에미리트", "United Arab Emirates", "Asia/Dubai", "AED", 971, 1, "050 123 4567"},
	{"AL", "알바니아", "Albania", "Europe/Tirane", "ALL", 355, 1, "067 212 3456"},
	{"AR", "아르헨티나", "Argentina", "America/Argentina/Buenos_Aires", "ARS", 54, 1, "011 15-2345-6789"},
	{"AT", "오스트리아", "Austria", "Europe/Vienna", "EUR", 43, 1, "0664 123456"},
	{"AU", "호주", "Australia", "Australia/Sydney", "AUD", 61, 1, "0412 345 678"},
	{"BA", "보스니아 헤르체고비나", "Bosnia and Herzegovina", "Europe/Sarajevo", "BAM", 387, 1, "061 123 456"},
	{"BE", "벨기에", "Belgium", "Europe/Brussels", "EUR", 32, 1, "0470 12 34 56"},
	{"BG", "불가리아", "Bulgaria", "Europe/Sofia", "EUR", 359, 1, "043 012 345"},
	{"BR", "브라질", "Brazil", "America/Sao_Paulo", "BRL", 55, 7, "(11) 96123-4567"},
	{"BY", "벨라루스", "Belarus", "Europe/Minsk", "BYN", 375, 1, "029 491-19-11"},
	{"CA", "캐나다", "Canada", "America/Toronto", "CAD", 1, 7, "(506) 234-5678"},
	{"CH", "스위스", "Switzerland", "Europe/Zurich", "CHF", 41, 1, "078 123 45 67"},
	{"CL", "칠레", "Chile", "America/Santiago", "CLP", 56, 1, "9 2123 4567"},
	{"CN", "중국", "China", "Asia/Shanghai", "CNY", 86, 1, "131 2345 6789"},
	{"CY", "키프로스", "Cyprus", "Asia/Nicosia", "EUR", 357, 1, "96 123456"},
	{"CZ", "체코", "Czechia", "Europe/Prague", "CZK", 420, 1, "601 123 456"},
	{"DE", "독일", "Germany", "Europe/Berlin", "EUR", 49, 1, "01512 3456789"},
	{"DK", "덴마크", "Denmark", "Europe/Copenhagen", "DKK", 45, 1, "34 41 23 45"},
	{"EE", "에스토니아", "Estonia", "Europe/Tallinn", "EUR", 372, 1, "5123 4567"},
	{"ES", "스페인", "Spain", "Europe/Madrid", "EUR", 34, 1, "612 34 56 78"},
	{"FI", "핀란드", "Finland", "Europe/Helsinki", "EUR", 358, 1, "041 2345678"},
	{"FR", "프랑스", "France", "Europe/Paris", "EUR", 33, 1, "06 12 34 56 78"},
	{"GB", "영국", "United Kingdom", "Europe/London", "GBP", 44, 1, "07400 123456"},
	{"GR", "그리스", "Greece", "Europe/Athens", "EUR", 30, 1, "691 234 5678"},
	{"HK", "홍콩", "Hong Kong", "Asia/Hong_Kong", "HKD", 852, 7, "5123 4567"},
	{"HR", "크로아티아", "Croatia", "Europe/Zagreb", "EUR", 385, 1, "092 123 4567"},
	{"HU", "헝가리", "Hungary", "Europe/Budapest", "HUF", 36, 1, "06 20 123 4567"},
	{"ID", "인도네시아", "Indonesia", "Asia/Jakarta", "IDR", 62, 7, "0812-345-678"},
	{"IE", "아일랜드", "Ireland", "Europe/Dublin", "EUR", 353, 1, "085 012 3456"},
	{"IL", "이스라엘", "Israel", "Asia/Jerusalem", "ILS", 972, 7, "050-234-5678"},
	{"IN", "인도", "India", "Asia/Kolkata", "INR", 91, 7, "081234 56789"},
	{"IS", "아이슬란드", "Iceland", "Atlantic/Reykjavik", "ISK", 354, 1, "611 1234"},
	{"IT", "이탈리아", "Italy", "Europe/Rome", "EUR", 39, 1, "312 345 6789"},
	{"JP", "일본", "Japan", "Asia/Tokyo", "JPY", 81, 7, "090-1234-5678"},
	{"KR", "대한민국", "South Korea", "Asia/Seoul", "KRW", 82, 7, "010-1234-5678"},
	{"KW", "쿠웨이트", "Kuwait", "Asia/Kuwait", "KWD", 965, 6, "500 12345"},
	{"LI", "리히텐슈타인", "Liechtenstein", "Europe/Vaduz", "CHF", 423, 1, "660 234 567"},
	{"LT", "리투아니아", "Lithuania", "Europe/Vilnius", "EUR", 370, 1, "0612 34567"},
	{"LU", "룩셈부르크", "Luxembourg", "Europe/Luxembourg", "EUR", 352, 1, "628 123 456"},
	{"LV", "라트비아", "Latvia", "Europe/Riga", "EUR", 371, 1, "21 234 567"},
	{"MC", "모나코", "Monaco", "Europe/Monaco", "EUR", 377, 1, "06 12 34 56 78"},
	{"MD", "몰도바", "Moldova", "Europe/Chisinau", "MDL", 373, 1, "0621 12 345"},
	{"ME", "몬테네그로", "Montenegro", "Europe/Podgorica", "EUR", 382, 1, "067 622 901"},
	{"MK", "북마케도니아", "North Macedonia", "Europe/Skopje", "MKD", 389, 1, "072 345 678"},
	{"MT", "몰타", "Malta", "Europe/Malta", "EUR", 356, 7, "9696 1234"},
	{"MX", "멕시코", "Mexico", "America/Mexico_City", "MXN", 52, 7, "222 123 4567"},
	{"MY", "말레이시아", "Malaysia", "Asia/Kuala_Lumpur", "MYR", 60, 1, "012-345 6789"},
	{"NL", "네덜란드", "Netherlands", "Europe/Amsterdam", "EUR", 31, 1, "06 12345678"},
	{"NO", "노르웨이", "Norway", "Europe/Oslo", "NOK", 47, 1, "406 12 345"},
	{"NZ", "뉴질랜드", "New Zealand", "Pacific/Auckland", "NZD", 64, 1, "021 123 4567"},
	{"PH", "필리핀", "Philippines", "Asia/Manila", "PHP", 63, 7, "0905 123 4567"},
	{"PL", "폴란드", "Poland", "Europe/Warsaw", "PLN", 48, 1, "512 345 678"},
	{"PT", "포르투갈", "Portugal", "Europe/Lisbon", "EUR", 351, 7, "912 345 678"},
	{"RO", "루마니아", "Romania", "Europe/Bucharest", "RON", 40, 1, "0712 034 567"},
	{"RS", "세르비아", "Serbia", "Europe/Belgrade", "RSD", 381, 1, "060 1234567"},
	{"RU", "러시아", "Russia", "Europe/Moscow", "RUB", 7, 1, "8 (912) 345-67-89"},
	{"SA", "사우디아라비아", "Saudi Arabia", "Asia/Riyadh", "SAR", 966, 7, "051 234 5678"},
	{"SE", "스웨덴", "Sweden", "Europe/Stockholm", "SEK", 46, 1, "070-123 45 67"},
	{"SG", "싱가포르", "Singapore", "Asia/Singapore", "SGD", 65, 7, "8123 4567"},
	{"SI", "슬로베니아", "Slovenia", "Europe/Ljubljana", "EUR", 386, 1, "031 234 567"},
	{"SK", "슬로바키아", "Slovakia", "Europe/Bratislava", "EUR", 421, 1, "0912 123 456"},
	{"SM", "산마리노", "San Marino", "Europe/San_Marino", "EUR", 378, 1, "66 66 12 12"},
	{"TH", "태국", "Thailand", "Asia/Bangkok", "THB", 66, 7, "081 234 5678"},
	{"TR", "튀르키예", "Türkiye", "Europe/Istanbul", "TRY", 90, 1, "0501 234 56 78"},
	{"TW", "대만", "Taiwan", "Asia/Taipei", "TWD", 886, 7, "0912 345 678"},
	{"UA", "우크라이나", "Ukraine", "Europe/Kyiv", "UAH", 380, 1, "050 123 4567"},
	{"US", "미국", "United States", "America/New_York", "USD", 1, 7, "(201) 555-0123"},
	{"VN", "베트남", "Vietnam", "Asia/Ho_Chi_Minh", "VND", 84, 1, "0912 345 678"},
	{"XK", "코소보", "Kosovo", "Europe/Belgrade", "EUR", 383, 1, "043 201 234"},
	{"ZA", "남아프리카 공화국", "South Africa", "Africa/Johannesburg", "ZAR", 27, 7, "071 123 4567"},
};
/* clang-format on */
const size_t country_count = sizeof countries / sizeof countries[0];

const struct country *country_find(const char *code)
{
	for (size_t i = 0; i < country_count; i++)
		if (strcmp(countries[i].code, code) == 0)
			return &countries[i];
	return NULL;
}

bool country_known(const char *code)
{
	return country_find(code) != NULL;
}

enum lang country_lang(const struct country *c)
{
	return strcmp(c->code, "KR") == 0 ? LANG_KO : LANG_EN;
}

const char *country_phone(const char *code, int calling_code)
{
	const struct country *c = country_find(code);

	for (size_t i = 0; (!c || c->calling_code != calling_code) && i < country_count; i++)
		if (countries[i].calling_code == calling_code)
			c = &countries[i];
	return c && c->calling_code == calling_code ? c->phone : "";
}
