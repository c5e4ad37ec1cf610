/**
 * Quantity: the fixed-point number for requests and capacities of resources ("100m", "1.5Gi", "2e3").
 *
 * A quantity is never a float. It is an integer number of nano-units, so that sums of requests over a cluster are
 * exact.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/resource/{quantity,amount,suffix}.go
 *
 * Differs, each time because upstream's answer there is an accident of its int64:
 * - above the largest suffix (E, Ei) upstream prints the number without a suffix, which is another number; here the
 *   largest suffix stays ("1000E");
 * - {@link Quantity.value} and {@link Quantity.milliValue} beyond int64 wrap or become 0 upstream; here they are the
 *   nearest double, and always round away from zero;
 * - an exponent beyond ±{@link EXPONENT_MAX} is rejected; upstream accepts any int32 and may need gigabytes.
 */

/** The notation of a quantity: 12Mi, 12M or 12e6. Parsing sets it, and arithmetic keeps it. */
export type Format = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/**
 * An immutable quantity. Two quantities are the same amount if {@link Quantity.cmp} is 0, even in different formats.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/resource/quantity.go Quantity
 */
export class Quantity {
  /** The exact amount, in units of 10⁻⁹. */
  readonly nanos: bigint;
  readonly format: Format;
  #text: string | undefined;

  /** @param text the printed form, if known; otherwise the canonical form is computed */
  constructor(nanos: bigint, format: Format, text?: string) {
    this.nanos = nanos;
    this.format = format;
    this.#text = text;
    Object.freeze(this);
  }

  /** Returns -1, 0 or 1: this amount is less than, equal to or greater than the other. Formats do not matter. */
  cmp(other: Quantity): -1 | 0 | 1 {
    return this.nanos < other.nanos ? -1 : this.nanos > other.nanos ? 1 : 0;
  }

  /** Returns the sum, in the format of this quantity, or of the other if this one is zero. */
  add(other: Quantity): Quantity {
    return new Quantity(this.nanos + other.nanos, this.isZero() ? other.format : this.format);
  }

  /** Returns the difference, in the format of this quantity, or of the other if this one is zero. */
  sub(other: Quantity): Quantity {
    return new Quantity(this.nanos - other.nanos, this.isZero() ? other.format : this.format);
  }

  neg(): Quantity {
    return new Quantity(-this.nanos, this.format);
  }

  isZero(): boolean {
    return this.nanos === 0n;
  }

  sign(): -1 | 0 | 1 {
    return this.nanos < 0n ? -1 : this.nanos > 0n ? 1 : 0;
  }

  /** Returns the amount in whole units, rounded away from zero: 100m of cpu counts as 1. */
  value(): number {
    return Number(divideAwayFromZero(this.nanos, NANOS_PER_UNIT));
  }

  /** Returns the amount in thousandths, rounded away from zero. The scheduler counts cpu in this unit. */
  milliValue(): number {
    return Number(divideAwayFromZero(this.nanos, NANOS_PER_MILLI));
  }

  /**
   * Returns the canonical form: no fraction, and the largest suffix that keeps the exact amount ("1.5" is "1500m").
   *
   * A parsed text that is close enough to canonical is kept unchanged ("+5", "1.500", "1E3"), as clients observe
   * upstream.
   */
  toString(): string {
    this.#text ??= canonicalText(this.nanos, this.format);
    return this.#text;
  }

  toJSON(): string {
    return this.toString();
  }
}

/**
 * A text that is not a quantity. A client of the API sees this message.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/resource/quantity.go ErrFormatWrong, ErrNumeric, ErrSuffix
 */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

/**
 * Parses a quantity. Amounts finer than a nano-unit are rounded away from zero, so that a tiny request does not become
 * 0. A BinarySI amount is capped at ±(2⁶³-1). Spaces are rejected; the JSON decoder trims them.
 *
 * @throws QuantityError when the text does not match the grammar, has no digits or an unknown suffix
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/resource/quantity.go ParseQuantity
 */
export function parseQuantity(text: string): Quantity {
  let quantity = parsed.get(text);
  if (quantity === undefined) {
    quantity = parse(text);
    if (parsed.size >= PARSED_MAX) parsed.clear();
    parsed.set(text, quantity);
  }
  return quantity;
}

/**
 * Creates a quantity from whole units.
 *
 * @param value an integer, in units
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/resource/quantity.go NewQuantity
 */
export function newQuantity(value: number | bigint, format: Format): Quantity {
  return new Quantity(BigInt(value) * NANOS_PER_UNIT, format);
}

/**
 * Creates a quantity from thousandths.
 *
 * @param value an integer, in milli-units
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/resource/quantity.go NewMilliQuantity
 */
export function newMilliQuantity(value: number | bigint, format: Format): Quantity {
  return new Quantity(BigInt(value) * NANOS_PER_MILLI, format);
}

const NANO_DIGITS = 9;
const NANOS_PER_UNIT = 10n ** 9n;
const NANOS_PER_MILLI = 10n ** 6n;
const INT64_MAX = 2n ** 63n - 1n;
const EXPONENT_MAX = 1_000;

/**
 * A cache, because clusters repeat a few texts ("100m", "128Mi") very often. Quantities are immutable, so they can be
 * shared.
 */
const parsed = new Map<string, Quantity>();
const PARSED_MAX = 10_000;

const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const DECIMAL_EXPONENT_MIN = -9;
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

type Scale = { format: Format; base: 2 | 10; exponent: number };

const SCALES = new Map<string, Scale>([
  ...DECIMAL_SUFFIXES.map((suffix, i): [string, Scale] => [
    suffix,
    { format: 'DecimalSI', base: 10, exponent: DECIMAL_EXPONENT_MIN + 3 * i },
  ]),
  ...BINARY_SUFFIXES.slice(1).map((suffix, i): [string, Scale] => [
    suffix,
    { format: 'BinarySI', base: 2, exponent: 10 * (i + 1) },
  ]),
]);

function parse(text: string): Quantity {
  const [number = '', sign = '', leading = '', denominator = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?/.exec(text) ?? [];
  const suffix = text.slice(number.length);
  if (text === '' || !/^[eEinumkKMGTP]*[-+]?\d*$/.test(suffix)) {
    throw new QuantityError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  }
  const scale = interpretSuffix(suffix);
  const numerator = leading.replace(/^0+/, '') || '0';
  const small = fitsInt64(numerator, denominator, scale);
  // Upstream has two scanners. The scanner for small numbers reads missing digits as zero ("m" is 0); the other rejects
  // them.
  if (!small && leading + denominator === '') {
    throw new QuantityError('unable to parse numeric part of quantity');
  }

  const digits = numerator + denominator;
  let magnitude = toNanos(BigInt(digits), denominator.length, scale);
  let { format } = scale;
  if (format === 'BinarySI') {
    if (magnitude > INT64_MAX * NANOS_PER_UNIT) magnitude = INT64_MAX * NANOS_PER_UNIT;
    // Less than a byte has no binary suffix.
    if (magnitude > 0n && magnitude < NANOS_PER_UNIT) format = 'DecimalSI';
  }
  const nanos = sign === '-' ? -magnitude : magnitude;
  return new Quantity(nanos, format, small && keepsItsText(digits, denominator, scale) ? text : undefined);
}

function interpretSuffix(suffix: string): Scale {
  const known = SCALES.get(suffix);
  if (known !== undefined) return known;
  const exponent = /^[eE][+-]?\d+$/.test(suffix) ? Number(suffix.slice(1)) : Number.NaN;
  if (!(Math.abs(exponent) <= EXPONENT_MAX)) throw new QuantityError("unable to parse quantity's suffix");
  return { format: 'DecimalExponent', base: 10, exponent };
}

/** Returns digits × 10^-places × base^exponent in nano-units, rounded up. */
function toNanos(digits: bigint, places: number, { base, exponent }: Scale): bigint {
  const factor = base === 2 ? 1n << BigInt(exponent) : 1n;
  const power = NANO_DIGITS - places + (base === 10 ? exponent : 0);
  return power >= 0
    ? digits * factor * 10n ** BigInt(power)
    : divideAwayFromZero(digits * factor, 10n ** BigInt(-power));
}

/**
 * Returns whether upstream computes with an int64 instead of a big decimal. The amount is the same, but only an int64
 * keeps its text, which clients can observe.
 */
function fitsInt64(numerator: string, denominator: string, { format, exponent }: Scale): boolean {
  if (format === 'BinarySI') {
    return denominator === '' && 15 - numerator.length - Math.floor((exponent * 3) / 10) - 1 >= 0;
  }
  return numerator.length + denominator.length <= 18 && exponent - denominator.length >= DECIMAL_EXPONENT_MIN;
}

/** Upstream's quick check that a text need not be rewritten. It accepts signs and "1.500". */
function keepsItsText(digits: string, denominator: string, { format, exponent }: Scale): boolean {
  if (format === 'BinarySI') return BigInt(digits) % 8n !== 0n;
  return (exponent - denominator.length) % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

function canonicalText(nanos: bigint, format: Format): string {
  if (nanos === 0n) return '0';
  if (format === 'BinarySI' && nanos % NANOS_PER_UNIT === 0n) {
    const units = nanos / NANOS_PER_UNIT;
    // Below 1Ki no binary suffix exists, and a decimal suffix is shorter ("1k" instead of "1000").
    if (units <= -1024n || units >= 1024n) {
      const [mantissa, times] = removeFactors(units, 1024n, BINARY_SUFFIXES.length - 1);
      return `${mantissa}${BINARY_SUFFIXES[times]}`;
    }
  }
  if (format === 'DecimalExponent') {
    const [mantissa, times] = removeFactors(nanos, 1000n, Number.POSITIVE_INFINITY);
    const exponent = DECIMAL_EXPONENT_MIN + 3 * times;
    return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
  }
  const [mantissa, times] = removeFactors(nanos, 1000n, DECIMAL_SUFFIXES.length - 1);
  return `${mantissa}${DECIMAL_SUFFIXES[times]}`;
}

/** Divides by the factor while the remainder is 0, at most `timesMax` times. The value must not be zero. */
function removeFactors(value: bigint, factor: bigint, timesMax: number): [bigint, number] {
  let rest = value;
  let times = 0;
  while (times < timesMax && rest % factor === 0n) {
    rest /= factor;
    times++;
  }
  return [rest, times];
}

function divideAwayFromZero(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  if (dividend % divisor === 0n) return quotient;
  return dividend < 0n ? quotient - 1n : quotient + 1n;
}
