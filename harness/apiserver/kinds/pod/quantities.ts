import { newMilliQuantity, parseQuantity, type Quantity, QuantityError } from '../../../api/quantity.ts';

/**
 * Amounts by resource name, such as `{ cpu: '100m' }`: requests, limits or capacity.
 *
 * Upstream: kubernetes/api@v0.36.3 core/v1/types.go ResourceList
 */
export type ResourceList = Readonly<Record<string, string>>;

/** Returns the quantity in `text`, or `undefined` if it is invalid. JSON can also hold a number. */
export function quantityOf(text: unknown): Quantity | undefined {
  try {
    return parseQuantity(String(text));
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

/**
 * Converts every amount to the apiserver's canonical form ("0.5" is "500m"), rounded up to thousandths. An invalid
 * quantity stays, so that validation reports it.
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
