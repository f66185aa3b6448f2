/*
 * judge.mjs - holds what is said to a provider, and what is answered, against the types of the provider's own SDK.
 *
 * The SDKs come with their types only (.d.ts).  A JSON schema is made of those that are needed: strictly, so a field that the
 * SDK does not know is a mistake, and a word that it does not list too.  Stripe's requests are forms, where a number is a text
 * of digits; its answers name resources that are not played here, of which it is asked only that they are objects.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const HOME = path.join(ROOT, 'build/pay');
export const needs = createRequire(path.join(HOME, 'package.json'));
const Ajv = needs('ajv').default;

const PORTONE = path.join(HOME, 'node_modules/@portone/server-sdk/dist/generated');
const STRIPE = path.join(HOME, 'node_modules/stripe/esm');

/* ---- types to schemas ---- */

class Reader {
	constructor() {
		this.ts = needs('typescript');
		this.files = new Map();
		this.defs = {};
		this.form = false;
	}

	/* What a file declares, by name: a name may be an interface and a namespace at once. */
	file(name) {
		if (!this.files.has(name)) {
			const source = this.ts.createSourceFile(name, readFileSync(name, 'utf8'), this.ts.ScriptTarget.Latest, true);
			this.files.set(name, { name, ...this.declared(source.statements), imports: this.imported(name, source) });
		}
		return this.files.get(name);
	}

	declared(statements) {
		const types = new Map();
		const spaces = new Map();
		for (const s of statements) {
			if (this.ts.isModuleDeclaration(s) && s.body) spaces.set(s.name.text, [...(spaces.get(s.name.text) ?? []), ...s.body.statements]);
			else if (this.ts.isInterfaceDeclaration(s) || this.ts.isTypeAliasDeclaration(s)) types.set(s.name.text, s);
		}
		return { types, spaces };
	}

	imported(name, source) {
		const imports = new Map();
		for (const s of source.statements) {
			const named = this.ts.isImportDeclaration(s) && s.importClause?.namedBindings;
			if (!named?.elements) continue;
			const from = path.resolve(path.dirname(name), s.moduleSpecifier.text.replace(/\.m?js$/, '.d.ts'));
			for (const e of named.elements) imports.set(e.name.text, { from, name: (e.propertyName ?? e.name).text });
		}
		return imports;
	}

	/* A place: a file and the namespaces one stands in.  Looks a name up there, outwards, and among what is imported. */
	look(place, words) {
		for (let depth = place.inside.length; depth >= 0; depth--) {
			const found = this.within(place.file, place.inside.slice(0, depth), words);
			if (found) return found;
		}
		const other = place.file.imports.get(words[0]);
		if (!other || !existsSync(other.from)) return null;
		return this.within(this.file(other.from), [], [other.name, ...words.slice(1)]);
	}

	within(file, inside, words) {
		let at = file;
		const spaces = [...inside, ...words.slice(0, -1)];
		for (const word of spaces) {
			if (!at.spaces.has(word)) return null;
			at = this.declared(at.spaces.get(word));
		}
		const node = at.types.get(words.at(-1));
		return node ? { node, place: { file, inside: spaces }, key: `${path.basename(path.dirname(file.name))}/${path.basename(file.name, '.d.ts')}:${[...spaces, words.at(-1)].join('.')}` } : null;
	}

	words(name) {
		return this.ts.isIdentifier(name) ? [name.text] : [...this.words(name.left), name.right.text];
	}

	named(found) {
		const key = (this.form ? 'form ' : '') + found.key;
		if (!(key in this.defs)) {
			this.defs[key] = true;
			this.defs[key] = this.ts.isInterfaceDeclaration(found.node) ? this.interface(found.node, found.place) : this.schema(found.node.type, found.place);
		}
		return { $ref: `#/$defs/${encodeURIComponent(key).replace(/%/g, '~p')}` };
	}

	interface(node, place) {
		const own = this.members(node.members, place);
		for (const clause of node.heritageClauses ?? [])
			for (const t of clause.types) {
				const up = this.look(place, this.words(t.expression));
				const more = up && this.members(up.node.members, up.place);
				if (more) Object.assign(own, { properties: { ...more.properties, ...own.properties }, required: [...new Set([...more.required, ...own.required])] });
			}
		return own;
	}

	members(members, place) {
		const out = { type: 'object', properties: {}, required: [], additionalProperties: false };
		for (const m of members) {
			if (this.ts.isIndexSignatureDeclaration(m)) out.additionalProperties = this.schema(m.type, place);
			if (!this.ts.isPropertySignature(m)) continue;
			out.properties[m.name.text] = this.schema(m.type, place);
			if (!m.questionToken) out.required.push(m.name.text);
		}
		return out;
	}

	number() {
		return this.form ? { type: 'string', pattern: '^-?[0-9]+$' } : { type: 'number' };
	}

	reference(node, place) {
		const words = this.words(node.typeName);
		const name = words.join('.');
		if (name === 'Array' || name === 'ReadonlyArray') return { type: 'array', items: this.schema(node.typeArguments[0], place) };
		if (name === 'ApiList') return { type: 'object', properties: { object: { const: 'list' }, data: { type: 'array', items: this.schema(node.typeArguments[0], place) }, has_more: { type: 'boolean' }, url: { type: 'string' } }, required: ['object', 'data', 'has_more', 'url'], additionalProperties: false };
		if (name === 'Emptyable') return { anyOf: [{ const: '' }, this.schema(node.typeArguments[0], place)] };
		if (name === 'OtherString' || name === 'Decimal') return { type: 'string' };
		if (name === 'Unrecognized') return { not: {} };
		const found = this.look(place, words);
		if (!found) return {};
		const another = found.place.file !== place.file && found.place.file.name.startsWith(path.join(STRIPE, 'resources'));
		return another ? { type: 'object' } : this.named(found);
	}

	anyWord(node) {
		return this.ts.isIntersectionTypeNode(node) || (this.ts.isTypeReferenceNode(node) && this.words(node.typeName).join('.') === 'OtherString');
	}

	/* A list of words with "or another one" behind it is closed here: nobody says another one. */
	union(node, place) {
		const closed = node.types.some((t) => this.ts.isLiteralTypeNode(t) && this.ts.isStringLiteral(t.literal));
		const kinds = node.types.filter((t) => !(closed && this.anyWord(t))).map((t) => this.schema(t, place));
		return { anyOf: kinds.filter((k) => !('not' in k) && !(k.properties && Object.values(k.properties).some((p) => 'not' in p))) };
	}

	/* What a function of a client takes, but for what goes into the address. */
	options(file, client, name, inAddress) {
		const found = this.within(this.file(file), [], [client]);
		const call = found.node.type.members.find((m) => m.name.text === name).type;
		const out = this.members(call.parameters[0].type.members, found.place);
		delete out.properties[inAddress];
		return { ...out, required: out.required.filter((r) => r !== inAddress) };
	}

	schema(node, place) {
		const { SyntaxKind: K } = this.ts;
		if (this.ts.isParenthesizedTypeNode(node)) return this.schema(node.type, place);
		if (this.ts.isTypeOperatorNode(node)) return this.schema(node.type, place);
		if (this.ts.isUnionTypeNode(node)) return this.union(node, place);
		if (this.ts.isArrayTypeNode(node)) return { type: 'array', items: this.schema(node.elementType, place) };
		if (this.ts.isTypeLiteralNode(node)) return this.members(node.members, place);
		if (this.ts.isTypeReferenceNode(node)) return this.reference(node, place);
		if (this.ts.isLiteralTypeNode(node)) return this.literal(node.literal);
		if (node.kind === K.StringKeyword) return { type: 'string' };
		if (node.kind === K.NumberKeyword) return this.number();
		if (node.kind === K.BooleanKeyword) return this.form ? { enum: ['true', 'false'] } : { type: 'boolean' };
		return {};
	}

	literal(literal) {
		const { SyntaxKind: K } = this.ts;
		if (literal.kind === K.NullKeyword) return this.form ? { const: '' } : { type: 'null' };
		if (literal.kind === K.TrueKeyword || literal.kind === K.FalseKeyword) {
			const value = literal.kind === K.TrueKeyword;
			return { const: this.form ? String(value) : value };
		}
		return { const: this.ts.isNumericLiteral(literal) ? Number(literal.text) : literal.text };
	}
}

/* "portone payment/ConfirmPaymentBody", "portone payment/client PaymentClient.payWithBillingKey-paymentId", "stripe Refunds:Refund", "form Checkout/Sessions:Checkout.SessionCreateParams". */
function readType(reader, name) {
	const [where, what, call] = name.split(' ');
	reader.form = where === 'form';
	if (call) return reader.options(path.join(PORTONE, `${what}.d.ts`), ...call.split(/[.-]/));
	if (where === 'portone') return reader.named(reader.within(reader.file(path.join(PORTONE, `${what}.d.ts`)), [], [path.basename(what)]));
	const [file, type] = what.split(':');
	return reader.named(reader.within(reader.file(path.join(STRIPE, `resources/${file}.d.ts`)), [], type.split('.')));
}

/* ---- what is kept between two starts ---- */

const mine = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url))).update(readFileSync(path.join(HOME, 'installed.json'))).digest('hex').slice(0, 16);
const cache = (name) => path.join(HOME, `schema-${mine}-${name.replace(/[^A-Za-z]/g, '-')}.json`);

function schemaOf(name) {
	if (existsSync(cache(name))) return JSON.parse(readFileSync(cache(name), 'utf8'));
	const reader = new Reader();
	const ref = readType(reader, name);
	const keys = Object.fromEntries(Object.entries(reader.defs).map(([k, v]) => [encodeURIComponent(k).replace(/%/g, '~p'), v]));
	/* ajv reads ~p in a reference as it stands; names without anything special need no escape at all. */
	const schema = JSON.parse(JSON.stringify({ ...ref, $defs: keys }).replaceAll('~p', '_'));
	const fresh = `${cache(name)}.${process.pid}`;
	writeFileSync(fresh, JSON.stringify(schema));
	renameSync(fresh, cache(name));
	return schema;
}

/* ---- judging ---- */

const judges = new Map();
const own = new Map();

/* A schema that was written here, for a provider whose SDK has no types of its server's API. */
export function write(name, schema) {
	own.set(name, schema);
}

function judgeOf(name) {
	if (!judges.has(name)) {
		const schema = own.get(name) ?? schemaOf(name);
		judges.set(name, { schema, check: new Ajv({ strict: false, allErrors: true, verbose: true, inlineRefs: false }).compile(schema) });
	}
	return judges.get(name);
}

/* What is wrong with it: sentences, none when all is well. */
export function judge(name, value) {
	const { check } = judgeOf(name);
	if (check(value)) return [];
	const depth = (e) => e.instancePath.split('/').length;
	/* Of a union every branch complains; the one that came furthest knows why. */
	const least = check.errors.some((e) => e.keyword === 'anyOf') ? Math.max(...check.errors.map(depth)) : 0;
	return [...new Set(check.errors.filter((e) => depth(e) >= least).map((e) => `${name.split(' ').at(-1)}${e.instancePath}: ${e.message}${e.params.additionalProperty ? ` (${e.params.additionalProperty})` : ''}`))].slice(0, 6);
}

const STRIPES = {
	account: 'Accounts:Account', charge: 'Charges:Charge', 'checkout.session': 'Checkout/Sessions:Session', customer: 'Customers:Customer',
	payment_intent: 'PaymentIntents:PaymentIntent', payment_method: 'PaymentMethods:PaymentMethod', refund: 'Refunds:Refund', setup_intent: 'SetupIntents:SetupIntent',
};

/* Every resource of Stripe's in an answer, however deep. */
export function judgeAll(value) {
	if (value === null || typeof value !== 'object') return [];
	const name = !Array.isArray(value) && !value.deleted && STRIPES[value.object];
	return [...(name ? judge(`stripe ${name}`, value) : []), ...Object.values(value).flatMap(judgeAll)];
}

/* The smallest value of a type: what it must have, and nothing in it. */
export function blank(name, given) {
	const { schema } = judgeOf(name);
	return { ...empty(schema, schema), ...given };
}

function empty(schema, root) {
	if (schema.$ref) return empty(root.$defs[schema.$ref.slice('#/$defs/'.length)], root);
	if ('const' in schema) return schema.const;
	if (schema.enum) return schema.enum[0];
	if (schema.anyOf) return empty(schema.anyOf.find((s) => s.type === 'null') ?? schema.anyOf[0], root);
	if (schema.type === 'object') return Object.fromEntries((schema.required ?? []).map((k) => [k, empty(schema.properties[k], root)]));
	return { array: [], string: '', number: 0, boolean: false, null: null }[schema.type] ?? null;
}
