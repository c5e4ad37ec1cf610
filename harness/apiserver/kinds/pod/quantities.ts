import { newMilliQuantity, parseQuantity, type Quantity, QuantityError } from '../../../api/quantity.ts';

/**
 * Maps of resource names to quantities, as in requests, limits and capacity.
 *
 * Amounts by the name of the resource, as they travel: `{ cpu: '100m' }`.
 *
 * Upstream: kubernetes/api@v0.36.3 core/v1/types.go ResourceList
 */
export type ResourceList = Readonly<Record<string, string>>;

/** The quantity that `text` spells, or `undefined` when it spells none. JSON may hold a number, too. */
export function quantityOf(text: unknown): Quantity | undefined {
  try {
    return parseQuantity(String(text));
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

/**
 * The list as the apiserver writes it: every amount in its canonical form ("0.5" is "500m"), one finer than a
 * thousandth rounded up to it. What is no quantity stays, for validation to say so.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go SetDefaults_ResourceList
 */
export function canonicalResourceList<T extends ResourceList>(list: T): T {
  let result: Record<string, string> | undefined;
  for (const [name, text] of Object.entries(list)) {
    const canonical = canonicalText(text);
    if (canonical === text) continue;
    result ??= { ...list };
    result[name] = canonical;
  }
  return (result as T | undefined) ?? list;
}

function canonicalText(text: string): string {
  const quantity = quantityOf(text);
  if (quantity === undefined) return text;
  if (quantity.nanos % NANOS_PER_MILLI === 0n) return quantity.toString();
  const millis = quantity.nanos / NANOS_PER_MILLI + (quantity.nanos > 0n ? 1n : -1n);
  return newMilliQuantity(millis, quantity.format).toString();
}

const NANOS_PER_MILLI = 10n ** 6n;
