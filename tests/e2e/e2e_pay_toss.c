/*
 * e2e_pay_toss.c - the accidents of others, with Toss Payments.
 */
#include "paycases.h"

int main(void)
{
	return paycases_run("toss");
}
