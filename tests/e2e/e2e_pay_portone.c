/*
 * e2e_pay_portone.c - the accidents of others, with PortOne.
 */
#include "paycases.h"

int main(void)
{
	return paycases_run("portone");
}
