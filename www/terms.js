/*
 * terms.js - what a party pays, by the restaurant's policies.
 */

/* What a party pays ahead, by the restaurant's policies or by what the owner is typing. */
export const depositOf = (p, party) =>
	party * (party >= p.depositLargeFrom ? p.depositLargePerPerson : p.depositPerPerson);
