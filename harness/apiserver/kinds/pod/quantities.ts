/**
 * Maps of resource names to quantities, as in requests, limits and capacity.
 *
 * Upstream: kubernetes/api@v0.30.0 core/v1/types.go ResourceList
 */
import { newMilliQuantity, parseQuantity, type Quantity, QuantityError } from '../../../api/quantity.ts';

/** Amounts by the name of the resource, as they travel: `{ cpu: '100m' }`. */
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
 * The list with every amount finer than a thousandth rounded up to one. What is no quantity stays, for
 * validation to say so.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/apis/core/v1/defaults.go SetDefaults_ResourceList
 */
export function roundUpToMilli<T extends ResourceList>(list: T): T {
  let result: Record<string, string> | undefined;
  for (const [name, text] of Object.entries(list)) {
    const quantity = quantityOf(text);
    if (quantity === undefined || quantity.nanos % NANOS_PER_MILLI === 0n) continue;
    const millis = quantity.nanos / NANOS_PER_MILLI + (quantity.nanos > 0n ? 1n : 0n);
    result ??= { ...list };
    result[name] = newMilliQuantity(millis, quantity.format).toString();
  }
  return (result as T | undefined) ?? list;
}

const NANOS_PER_MILLI = 10n ** 6n;
