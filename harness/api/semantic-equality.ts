import { parseQuantity, type Quantity, QuantityError } from './quantity.ts';

/**
 * Compares without being told the types.
 *
 * Semantic equality: are two pieces of objects the same to Kubernetes? Texts that spell the same amount are
 * (`1` and `1000m`), and so are a field that is empty and one that is absent, where the API cannot tell them
 * apart.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/equality/semantic.go Semantic
 *
 * Differs: upstream knows from Go's types where absent and empty differ. Here `null`, `""` and `[]` are
 * always absent, `false` and `{}` only in the fields named below; `0` never is.
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  return equal(a, b, false);
}

/**
 * A text that stands for all that is the same to Kubernetes: two values have one text if {@link semanticEqual} holds of them,
 * and only then. The order of fields makes no difference.
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
    const [one, other] = [reduced(key, left[key]), reduced(key, right[key])];
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

/** Booleans that the API keeps without a pointer: `false` is the same as nothing. */
const PLAIN_BOOLEANS = new Set([
  ...['hostNetwork', 'hostPID', 'hostIPC', 'stdin', 'stdinOnce', 'tty', 'readOnly'],
  ...['unschedulable', 'paused'],
]);

/** Maps, and structures that the API keeps without a pointer: `{}` is the same as nothing. */
const PLAIN_OBJECTS = new Set([
  ...['labels', 'annotations', 'matchLabels', 'nodeSelector', 'overhead', 'resources', 'limits', 'requests'],
  ...['capacity', 'allocatable', 'data', 'binaryData', 'metadata', 'status', 'strategy', 'selector'],
]);
