import { getOwn } from './own.ts';
import { parseQuantity, type Quantity, QuantityError } from './quantity.ts';

/**
 * Returns whether two parts of objects are equal to Kubernetes, without knowing their types. Quantities with the same
 * amount are equal (`1` and `1000m`). An empty field equals an absent one where the API does not distinguish them.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/equality/semantic.go Semantic
 *
 * Differs: upstream knows from Go's types where absent and empty differ. Here `null`, `""` and `[]` always count as
 * absent, `false` and `{}` only in the fields listed below, and `0` never.
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  return equal(a, b, false);
}

/**
 * Returns a text that identifies a value up to semantic equality: two values have the same text exactly if
 * {@link semanticEqual} returns true. The order of fields does not matter.
 */
export function semanticText(value: unknown): string {
  return textOf(value, false);
}

function textOf(value: unknown, quantities: boolean): string {
  if (isAbsent(value)) return 'null';
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, quantities)).join(',')}]`;
  if (typeof value === 'object') return textOfObject(value as object, quantities);
  const amount = quantities ? amountOf(value) : undefined;
  return amount === undefined ? JSON.stringify(value) : `${amount.nanos}`;
}

function textOfObject(value: object, quantities: boolean): string {
  const fields = Object.entries(value)
    .map(([key, each]) => [key, reduced(key, each)] as const)
    .filter(([, each]) => !isAbsent(each))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${textOf(each, quantities || QUANTITY_FIELDS.has(key))}`);
  return `{${fields.join(',')}}`;
}

function equal(a: unknown, b: unknown, quantities: boolean): boolean {
  if (a === b) return true;
  if (isAbsent(a) || isAbsent(b)) return isAbsent(a) && isAbsent(b);
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => equal(item, b[index], quantities))
    );
  }
  if (typeof a === 'object' && typeof b === 'object') return equalObjects(a, b, quantities);
  return quantities && sameAmount(a, b);
}

function equalObjects(a: object | null, b: object | null, quantities: boolean): boolean {
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [one, other] = [reduced(key, getOwn(left, key)), reduced(key, getOwn(right, key))];
    if (!equal(one, other, quantities || QUANTITY_FIELDS.has(key))) return false;
  }
  return true;
}

function isAbsent(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function reduced(key: string, value: unknown): unknown {
  if (value === false && PLAIN_BOOLEANS.has(key)) return undefined;
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty && PLAIN_OBJECTS.has(key) ? undefined : value;
}

function sameAmount(a: unknown, b: unknown): boolean {
  const [one, other] = [amountOf(a), amountOf(b)];
  return one !== undefined && other !== undefined && one.cmp(other) === 0;
}

function amountOf(value: unknown): Quantity | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  try {
    return parseQuantity(String(value));
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

const QUANTITY_FIELDS = new Set([
  ...['limits', 'requests', 'overhead', 'capacity', 'allocatable', 'allocatedResources'],
  ...['sizeLimit', 'divisor'],
]);

/** Booleans that Go stores without a pointer: `false` equals absent. */
const PLAIN_BOOLEANS = new Set([
  ...['hostNetwork', 'hostPID', 'hostIPC', 'stdin', 'stdinOnce', 'tty', 'readOnly'],
  ...['unschedulable', 'paused'],
]);

/** Maps, and structs that Go stores without a pointer: `{}` equals absent. */
const PLAIN_OBJECTS = new Set([
  ...['labels', 'annotations', 'matchLabels', 'nodeSelector', 'overhead', 'resources', 'limits', 'requests'],
  ...['capacity', 'allocatable', 'data', 'binaryData', 'metadata', 'status', 'strategy', 'selector'],
]);
