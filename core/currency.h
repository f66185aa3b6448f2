/*
 * currency.h - the currencies of ISO 4217, and amounts as people write them.
 *
 * Amounts are whole numbers of the smallest unit everywhere: cents of the euro, won of the won.  Only what a person reads or
 * types has a point in it, and it goes through here.
 */
#ifndef JARI_CURRENCY_H
#define JARI_CURRENCY_H

#include <stdbool.h>
#include <stdint.h>

/* By their digits behind the point: none, two, three.  (0011_rules.sql and schema.sql have the first and the last once more;
 * a test compares.)  Those with four are no money that a guest has in the pocket. */
/* clang-format off */
#define CURRENCY_WHOLE(X) \
	X(BIF) X(CLP) X(DJF) X(GNF) X(ISK) X(JPY) X(KMF) X(KRW) X(PYG) X(RWF) X(UGX) X(UYI) X(VND) X(VUV) X(XAF) X(XOF) X(XPF)
#define CURRENCY_MILLS(X) \
	X(BHD) X(IQD) X(JOD) X(KWD) X(LYD) X(OMR) X(TND)
#define CURRENCY_CENTS(X) \
	X(AED) X(AFN) X(ALL) X(AMD) X(AOA) X(ARS) X(AUD) X(AWG) X(AZN) X(BAM) X(BBD) X(BDT) X(BGN) X(BMD) X(BND) X(BOB) X(BRL) \
	X(BSD) X(BTN) X(BWP) X(BYN) X(BZD) X(CAD) X(CDF) X(CHF) X(CNY) X(COP) X(CRC) X(CUP) X(CVE) X(CZK) X(DKK) X(DOP) X(DZD) \
	X(EGP) X(ERN) X(ETB) X(EUR) X(FJD) X(FKP) X(GBP) X(GEL) X(GHS) X(GIP) X(GMD) X(GTQ) X(GYD) X(HKD) X(HNL) X(HTG) X(HUF) \
	X(IDR) X(ILS) X(INR) X(IRR) X(JMD) X(KES) X(KGS) X(KHR) X(KPW) X(KYD) X(KZT) X(LAK) X(LBP) X(LKR) X(LRD) X(LSL) X(MAD) \
	X(MDL) X(MGA) X(MKD) X(MMK) X(MNT) X(MOP) X(MRU) X(MUR) X(MVR) X(MWK) X(MXN) X(MYR) X(MZN) X(NAD) X(NGN) X(NIO) X(NOK) \
	X(NPR) X(NZD) X(PAB) X(PEN) X(PGK) X(PHP) X(PKR) X(PLN) X(QAR) X(RON) X(RSD) X(RUB) X(SAR) X(SBD) X(SCR) X(SDG) X(SEK) \
	X(SGD) X(SHP) X(SLE) X(SOS) X(SRD) X(SSP) X(STN) X(SVC) X(SYP) X(SZL) X(THB) X(TJS) X(TMT) X(TOP) X(TRY) X(TTD) X(TWD) \
	X(TZS) X(UAH) X(USD) X(UYU) X(UZS) X(VES) X(WST) X(XCD) X(YER) X(ZAR) X(ZMW)
/* clang-format on */

enum { CURRENCY_DIGITS_MAX = 3, CURRENCY_TEXT_SIZE = 36 };

/* May a restaurant have it?  Three capital letters, and its digits are known. */
bool currency_known(const char *code);

/* Digits behind the point.  An old book may have a code that is not known: it has two, as the upgrade took it to have. */
int currency_digits(const char *code);
/* How many of the smallest unit make a whole one: 1, 100, 1000. */
int64_t currency_units(const char *code);

/* What a person writes before the number, of what every telephone can show in a text message; "" where that is the code. */
const char *currency_symbol(const char *code);

/* "19.50" for 1950, with all its digits and nothing else: for CSV files and commands. */
void currency_put(int64_t amount, int digits, char out[CURRENCY_TEXT_SIZE]);

/* "19.50" or "19.5" as 1950.  False: no amount, more digits than the currency has (zeros do not count), or above max. */
bool currency_take(const char *text, int digits, int64_t max, int64_t *amount);

#endif
