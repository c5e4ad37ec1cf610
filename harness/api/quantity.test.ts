import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Format,
  newMilliQuantity,
  newQuantity,
  parseQuantity,
  Quantity,
  QuantityError,
} from './quantity.ts';

const NANOS = 10n ** 9n;

describe('Quantity', () => {
  test.each([
    ['0', '0', 'DecimalSI'],
    ['100m', '100m', 'DecimalSI'],
    ['0.5', '500m', 'DecimalSI'],
    ['1000m', '1', 'DecimalSI'],
    ['1.5Gi', '1536Mi', 'BinarySI'],
    ['1024Mi', '1Gi', 'BinarySI'],
    ['307200Ki', '300Mi', 'BinarySI'],
    ['1000M', '1G', 'DecimalSI'],
    ['0.001T', '1G', 'DecimalSI'],
    ['1080000000n', '1080m', 'DecimalSI'],
    ['.001e12', '1e9', 'DecimalExponent'],
    ['1000e-12', '1e-9', 'DecimalExponent'],
    ['12e1', '120', 'DecimalExponent'],
    ['0Ki', '0', 'BinarySI'],
    ['1.G', '1G', 'DecimalSI'],
    ['-1.5Gi', '-1536Mi', 'BinarySI'],
  ] as const)('reads %s and writes %s', (text, canonical, format) => {
    const quantity = parseQuantity(text);
    // Sums are always canonical; the texts that parsing keeps are tested below.
    expect(quantity.add(parseQuantity('0')).toString()).toBe(canonical);
    expect(quantity.format).toBe(format);
  });

  test('prints a parsed text in canonical form', () => {
    expect(parseQuantity('1024Mi').toString()).toBe('1Gi');
    expect(parseQuantity('1000M').toString()).toBe('1G');
    expect(parseQuantity('0.5').toString()).toBe('500m');
    expect(parseQuantity('1.5Gi').toString()).toBe('1536Mi');
  });

  test('keeps a text that is nearly canonical', () => {
    for (const text of ['+5', '1.500', '1E3', '01Ki', '1e0'])
      expect(parseQuantity(text).toString()).toBe(text);
    expect(parseQuantity('1.500').neg().toString()).toBe('-1500m');
  });

  test('prints fractions of a binary unit, and amounts below 1Ki, in decimal', () => {
    expect(parseQuantity('.001Ki').toString()).toBe('1024m');
    expect(newMilliQuantity(1_234_567, 'BinarySI').toString()).toBe('1234567m');
    expect(newQuantity(1000, 'BinarySI').toString()).toBe('1k');
    expect(newQuantity(-1025, 'BinarySI').toString()).toBe('-1025');
  });

  test('loses the binary format of an amount without a suffix', () => {
    const text = newQuantity(-1_232_423_000, 'BinarySI').toString();
    expect(text).toBe('-1232423000');
    expect(parseQuantity(text).toString()).toBe('-1232423k');
  });

  test('rounds amounts finer than a nano-unit away from zero', () => {
    expect(parseQuantity('3.001n').nanos).toBe(4n);
    expect(parseQuantity('-3.001n').nanos).toBe(-4n);
    expect(parseQuantity('1e-100').nanos).toBe(1n);
    expect(parseQuantity('.000000000001Ki')).toMatchObject({ nanos: 2n, format: 'DecimalSI' });
  });

  test('caps only binary amounts at 2^63-1', () => {
    expect(parseQuantity('9Ei').nanos).toBe((2n ** 63n - 1n) * NANOS);
    expect(parseQuantity('-9Ei').nanos).toBe(-(2n ** 63n - 1n) * NANOS);
    expect(parseQuantity('12E').nanos).toBe(12n * 10n ** 27n);
  });

  test('keeps its largest suffix to print the exact number', () => {
    expect(parseQuantity('1000E').toString()).toBe('1000E');
    expect(newQuantity(2n ** 70n, 'BinarySI').toString()).toBe('1024Ei');
  });

  test.each(['1.1.M', '1+1.0M', '0.1am', 'aoeu', ' 1', '1 ', '', '1e5e5', '1,5', '1Gi\n', '१'])(
    'rejects the format of %j',
    (text) => {
      expect(() => parseQuantity(text)).toThrow(
        new QuantityError(
          "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        ),
      );
    },
  );

  test.each(['0.1mi', '.5i', '1i', '-3.01i', '-3.01e-', '1K', '1mm', '1e', '-+5', '1e1001'])(
    'rejects the suffix of %j',
    (text) => {
      expect(() => parseQuantity(text)).toThrow(new QuantityError("unable to parse quantity's suffix"));
    },
  );

  test('reads missing digits as zero only where upstream does', () => {
    for (const text of ['+', '.', '-.', 'm', 'Ki', '.Ki']) expect(parseQuantity(text).isZero()).toBe(true);
    for (const text of ['Ei', '-.Pi']) {
      expect(() => parseQuantity(text)).toThrow(
        new QuantityError('unable to parse numeric part of quantity'),
      );
    }
  });

  test('compares amounts, not texts or formats', () => {
    expect(parseQuantity('1').cmp(parseQuantity('1000m'))).toBe(0);
    expect(parseQuantity('1k').cmp(parseQuantity('1Ki'))).toBe(-1);
    expect(parseQuantity('10000T').cmp(parseQuantity('100Gi'))).toBe(1);
  });

  test('returns whole units and thousandths, rounded away from zero', () => {
    expect(parseQuantity('100m').value()).toBe(1);
    expect(parseQuantity('-1.5').value()).toBe(-2);
    expect(parseQuantity('1Gi').value()).toBe(2 ** 30);
    expect(parseQuantity('1.0001').milliValue()).toBe(1001);
    expect(parseQuantity('2').milliValue()).toBe(2000);
  });

  test('a zero takes the format of the other quantity', () => {
    const zero = parseQuantity('0');
    expect(zero.add(parseQuantity('1Gi')).toString()).toBe('1Gi');
    expect(zero.sub(parseQuantity('1Gi')).toString()).toBe('-1Gi');
    expect(parseQuantity('1Gi').add(zero).toString()).toBe('1Gi');
    expect(parseQuantity('2G').add(parseQuantity('1Gi')).format).toBe('DecimalSI');
  });

  test('is a string in JSON', () => {
    expect(JSON.stringify({ cpu: parseQuantity('0.1') })).toBe('{"cpu":"100m"}');
  });

  test('is immutable', () => {
    expect(() => Object.assign(parseQuantity('1'), { nanos: 0n })).toThrow(TypeError);
  });
});

/** Parses a quantity's text to a rational number by the grammar: [numerator, denominator]. */
function rational(digits: string, places: number, suffix: string): [bigint, bigint] {
  const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].indexOf(suffix);
  const numerator = BigInt(digits) * (binary > 0 ? 1024n ** BigInt(binary) : 1n);
  const decimal =
    binary > 0
      ? 0
      : suffix.startsWith('e')
        ? Number(suffix.slice(1))
        : 3 * 'num kMGTPE'.indexOf(suffix || ' ') - 9;
  const power = decimal - places;
  return power >= 0 ? [numerator * 10n ** BigInt(power), 1n] : [numerator, 10n ** BigInt(-power)];
}

const suffixes = [
  'n',
  'u',
  'm',
  '',
  'k',
  'M',
  'G',
  'T',
  'P',
  'E',
  'Ki',
  'Mi',
  'Gi',
  'Ti',
  'Pi',
  'Ei',
  'e-4',
  'e0',
  'e7',
];

/** Texts whose exact amount needs neither a cap nor rounding, so that rational arithmetic is the oracle. */
const exact = fc
  .record({
    sign: fc.constantFrom('', '-', '+'),
    digits: fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
    places: fc.nat(9),
    suffix: fc.constantFrom(...suffixes),
  })
  .map(({ sign, digits, places, suffix }) => {
    const padded = digits.padStart(places + 1, '0');
    const point = places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`;
    const [numerator, denominator] = rational(padded, places, suffix);
    return { text: sign + point + suffix, numerator: sign === '-' ? -numerator : numerator, denominator };
  })
  .filter(({ text, numerator, denominator }) => {
    const capped =
      text.endsWith('i') &&
      (numerator / denominator >= 2n ** 63n - 1n || -numerator / denominator >= 2n ** 63n - 1n);
    return (numerator * NANOS) % denominator === 0n && !capped;
  });

const formats = fc.constantFrom<Format>('BinarySI', 'DecimalSI', 'DecimalExponent');

/** Amounts within int64, because parsing caps larger binary amounts; also whole units and powers. */
const quantities = fc
  .tuple(
    fc.oneof(
      fc.bigInt({ min: -(2n ** 63n - 1n) * NANOS, max: (2n ** 63n - 1n) * NANOS }),
      fc.integer().map((units) => BigInt(units) * NANOS),
      fc
        .tuple(fc.integer({ min: -2048, max: 2048 }), fc.nat(5))
        .map(([n, i]) => BigInt(n) * 1024n ** BigInt(i) * NANOS),
    ),
    formats,
  )
  .map(([nanos, format]) => new Quantity(nanos, format));

describe('Quantity, laws', () => {
  test('Exact: parsing agrees with arithmetic on rationals', () => {
    fc.assert(
      fc.property(exact, ({ text, numerator, denominator }) => {
        expect(parseQuantity(text).nanos).toBe((numerator * NANOS) / denominator);
      }),
    );
  });

  test('Ordered: cmp agrees with cross-multiplication', () => {
    fc.assert(
      fc.property(exact, exact, (x, y) => {
        const difference = x.numerator * y.denominator - y.numerator * x.denominator;
        const sign = difference < 0n ? -1 : difference > 0n ? 1 : 0;
        expect(parseQuantity(x.text).cmp(parseQuantity(y.text))).toBe(sign);
      }),
    );
  });

  test('Lossless: a printed quantity parses to the same amount', () => {
    fc.assert(fc.property(quantities, (quantity) => parseQuantity(quantity.toString()).cmp(quantity) === 0));
    fc.assert(
      fc.property(exact, ({ text }) => {
        const quantity = parseQuantity(text);
        expect(parseQuantity(quantity.toString()).nanos).toBe(quantity.nanos);
      }),
    );
  });

  test('Canonical: the printed text has no fraction, and parsing it in its format prints it again', () => {
    fc.assert(
      fc.property(quantities, (quantity) => {
        const text = quantity.toString();
        expect(new Quantity(parseQuantity(text).nanos, quantity.format).toString()).toBe(text);
        expect(text).not.toContain('.');
      }),
    );
  });

  test('Inverse: adding and then subtracting an amount changes nothing', () => {
    fc.assert(
      fc.property(quantities, quantities, (x, y) => {
        expect(x.add(y).sub(y).cmp(x)).toBe(0);
        expect(x.sub(y).cmp(y.sub(x).neg())).toBe(0);
        expect(x.add(x.neg()).isZero()).toBe(true);
        expect(x.sub(y).sign()).toBe(x.cmp(y));
      }),
    );
  });

  test('Generous: value and milliValue are at least the amount, and less than one unit above it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 21n }), (nanos) => {
        const quantity = new Quantity(nanos, 'DecimalSI');
        for (const [count, unit] of [
          [quantity.value(), NANOS],
          [quantity.milliValue(), 10n ** 6n],
        ] as const) {
          expect(BigInt(count) * unit).toBeGreaterThanOrEqual(nanos);
          expect(BigInt(count) * unit - nanos).toBeLessThan(unit);
        }
      }),
    );
  });

  test('Total: any text is a quantity or a QuantityError', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[-+]?[0-9.]{0,6}[eEinumkKMGTP]{0,2}[-+]?[0-9]{0,3}$/),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          expect(parseQuantity(text)).toBeInstanceOf(Quantity);
        } catch (error) {
          expect(error).toBeInstanceOf(QuantityError);
        }
      }),
    );
  });
});
