import { newQuantity, parseQuantity, type Quantity } from '../../api/quantity.ts';

/**
 * Amounts by the names of resources: `{ pods: '2', 'requests.cpu': '1500m' }`.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/quota/v1/resources.go, for the arithmetic with such lists
 */
export type ResourceList = Readonly<Record<string, string>>;

const ZERO = newQuantity(0, 'DecimalSI');

const amountIn = (list: ResourceList, name: string): Quantity =>
  Object.hasOwn(list, name) ? parseQuantity(String(list[name])) : ZERO;

function combined(
  a: ResourceList,
  b: ResourceList,
  of: (x: Quantity, y: Quantity) => Quantity,
): ResourceList {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries(
    [...names].map((name) => [name, of(amountIn(a, name), amountIn(b, name)).toString()]),
  );
}

/** Returns the sum for each resource of both lists. */
export const addLists = (a: ResourceList, b: ResourceList): ResourceList =>
  combined(a, b, (x, y) => x.add(y));

/** Returns `a` minus `b` for each resource, and 0 where `b` has more. */
export const subtractToZero = (a: ResourceList, b: ResourceList): ResourceList =>
  combined(a, b, (x, y) => (x.cmp(y) > 0 ? x.sub(y) : ZERO));

/** Returns the resources of the list with these names. */
export const onlyNames = (list: ResourceList, names: readonly string[]): ResourceList =>
  Object.fromEntries(Object.entries(list).filter(([name]) => names.includes(name)));

/** Returns the list without amounts of 0. */
export const withoutZeros = (list: ResourceList): ResourceList =>
  Object.fromEntries(Object.entries(list).filter(([name]) => !amountIn(list, name).isZero()));

/** Returns the names of the resources with more in `list` than in `limits`. A resource that `limits` lacks is unlimited. */
export const namesAbove = (list: ResourceList, limits: ResourceList): readonly string[] =>
  Object.keys(list).filter(
    (name) => Object.hasOwn(limits, name) && amountIn(list, name).cmp(amountIn(limits, name)) > 0,
  );

/** Returns the names of the resources with an amount below 0. */
export const negativeNames = (list: ResourceList): readonly string[] =>
  Object.keys(list).filter((name) => amountIn(list, name).sign() < 0);

/** Returns whether both lists have the same resources in the same amounts. */
export function sameAmounts(a: ResourceList, b: ResourceList): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && amountIn(a, name).cmp(amountIn(b, name)) === 0)
  );
}

/** Returns a list for a message, ordered by name: `pods=1,requests.cpu=200m`. */
export const formatList = (list: ResourceList): string =>
  Object.entries(list)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name]) => `${name}=${amountIn(list, name)}`)
    .join(',');
