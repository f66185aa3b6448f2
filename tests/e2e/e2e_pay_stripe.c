/*
 * e2e_pay_stripe.c - the accidents of others, with Stripe.
 */
#include "paycases.h"

int main(void)
{
	return paycases_run("stripe");
}
