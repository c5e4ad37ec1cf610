import type * as meta from '#api/meta/v1';
import type { Cause } from '../../api/status.ts';
import * as errors from '../validation/field-error.ts';
import * as objectMeta from '../validation/object-meta.ts';

/**
 * Returns the violations of `value` at `path`. Absent is undefined, also where Go prints `null`.
 *
 * Rules are combined from smaller rules, so that a kind's validation reads like its fields. They run in their order
 * in the source, which is the order of upstream's messages.
 */
export type Rule<V> = (value: V | undefined, path: string) => readonly Cause[];

/** Rules for fields. An absent struct counts as an empty one, as in Go; use {@link optional} for a pointer to one. */
export function fields<T extends object>(
  rules: {
    readonly [K in keyof T]?: Rule<NonNullable<T[K]>>;
  },
): Rule<T> {
  const entries = Object.entries(rules) as [keyof T & string, Rule<unknown>][];
  return (value, path) =>
    entries.flatMap(([name, rule]) => rule(value?.[name] ?? undefined, path ? `${path}.${name}` : name));
}

/** Applies each of the rules. */
export function all<V>(...rules: readonly Rule<V>[]): Rule<V> {
  return (value, path) => rules.flatMap((rule) => rule(value, path));
}

/** Applies the rule only if the value is present. */
export function optional<V>(rule: Rule<V>): Rule<V> {
  return (value, path) => (value === undefined ? [] : rule(value, path));
}

/** Applies the rule to each item of a list. */
export function each<V>(rule: Rule<V>): Rule<readonly V[]> {
  return (list = [], path) => list.flatMap((item, i) => rule(item, `${path}[${i}]`));
}

/** Requires a value that is not empty, then applies the rule. */
export function required<V>(rule: Rule<V> = () => [], detail = ''): Rule<V> {
  return (value, path) => (isEmpty(value) ? [errors.required(path, detail)] : rule(value, path));
}

/** Requires one of these values, if the value is present. */
export function oneOf(...supported: readonly string[]): Rule<string> {
  return (value, path) =>
    value === undefined || supported.includes(value) ? [] : [errors.notSupported(path, value, supported)];
}

/** Applies a check of `harness/api/names.ts`, if the text is present. */
export function named(check: (text: string) => readonly string[]): Rule<string> {
  return (text, path) => (text ? errors.invalidEach(path, text, check(text)) : []);
}

/** Rejects a negative number. */
export const nonnegative: Rule<number> = (value = 0, path) =>
  objectMeta.validateNonnegativeField(value, path);

/** A label selector in its structured form; an empty one is valid. */
export const labelSelector: Rule<meta.LabelSelector> = objectMeta.validateLabelSelector;

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
