import { quote } from './names.ts';

/**
 * An int32, or a text.
 *
 * IntOrString: a field that takes a number or a text, such as maxSurge (3 or "25%") and targetPort (80 or
 * "http"). In JSON and in memory it is that number or that text and nothing else.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/intstr/intstr.go
 */
export type IntOrString = number | string;

/** A value that cannot be scaled: missing, or a text that is not a percentage. The message is upstream's. */
export class IntOrStringError extends Error {
  override readonly name = 'IntOrStringError';
}

/**
 * What a number or a percentage of a total comes to. A number stands for itself, whatever the total.
 *
 * @param roundUp the direction in which a fraction goes; surge rounds up, unavailability down
 * @throws IntOrStringError when the value is missing, or a text other than an integer and one trailing "%":
 *   "25" is an error, not 25
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/intstr/intstr.go GetScaledValueFromIntOrPercent
 */
export function getScaledValueFromIntOrPercent(
  value: IntOrString | null | undefined,
  total: number,
  roundUp: boolean,
): number {
  if (value === null || value === undefined) throw new IntOrStringError('nil value for IntOrString');
  const { value: amount, percent } = getIntOrPercentValue(value);
  if (!percent) return amount;
  const scaled = (amount * total) / 100;
  // Rounding up a small negative gives -0, which no client ever saw.
  return (roundUp ? Math.ceil(scaled) : Math.floor(scaled)) + 0;
}

/**
 * Takes a value apart: 3 is `{ value: 3, percent: false }`, "25%" is `{ value: 25, percent: true }`.
 *
 * @throws IntOrStringError for every other text
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/intstr/intstr.go getIntOrPercentValueSafely (the
 * deprecated getIntOrPercentValue, which took "25" for 25%, has no counterpart here)
 */
export function getIntOrPercentValue(value: IntOrString): { value: number; percent: boolean } {
  if (typeof value === 'number') return { value, percent: false };
  if (!value.endsWith('%')) {
    throw new IntOrStringError('invalid value for IntOrString: invalid type: string is not a percentage');
  }
  const digits = value.slice(0, -1);
  if (parseInt64(digits) === undefined) {
    const reason = INTEGER.test(digits) ? 'value out of range' : 'invalid syntax';
    throw new IntOrStringError(
      `invalid value for IntOrString: invalid value ${quote(value)}: strconv.Atoi: parsing ${quote(digits)}: ${reason}`,
    );
  }
  return { value: Number(digits) + 0, percent: true };
}

/**
 * Reads a command line's or an annotation's text: a number when it is an int32, otherwise the text itself.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/intstr/intstr.go Parse
 */
export function parse(text: string): IntOrString {
  return INTEGER.test(text) && isInt32(Number(text)) ? Number(text) + 0 : text;
}

/**
 * The int64 that a text of digits stands for, or undefined when it is none. A sign may stand before it.
 *
 * Upstream: Go's strconv.ParseInt(text, 10, 64)
 */
export function parseInt64(text: string): bigint | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/**
 * Whether a decoded JSON value may stand in such a field.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/intstr/intstr.go IntOrString.UnmarshalJSON
 */
export function isIntOrString(value: unknown): value is IntOrString {
  return typeof value === 'string' || (typeof value === 'number' && isInt32(value));
}

const INTEGER = /^[+-]?\d+$/;

function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}
