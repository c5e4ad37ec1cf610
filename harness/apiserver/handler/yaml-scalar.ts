import type { Scalar } from 'yaml';

/**
 * Resolves a scalar: by its tag, by its form if it is plain, otherwise as text.
 *
 * Upstream: go.yaml.in/yaml/v2@v2.4.3 resolve.go resolve, decode.go decoder.scalar
 *
 * @throws Error when the text does not fit the tag, or has no JSON value
 */
export function resolveScalar({ source = '', type, tag }: Scalar): unknown {
  if (/\p{Surrogate}/u.test(source)) throw new Error('yaml: found invalid Unicode character escape code');
  if (tag === undefined) return type === 'PLAIN' ? finite(resolvePlain(source)) : source;
  switch (shortTag(tag)) {
    case '!!int':
      return fitting(source, tag, Number.isInteger);
    case '!!float':
      return fitting(source, tag, (value) => typeof value === 'number');
    case '!!bool':
      return fitting(source, tag, (value) => typeof value === 'boolean');
    case '!!null':
      return fitting(source, tag, (value) => value === null);
    case '!!binary':
      return Buffer.from(source, 'base64').toString();
    default:
      return source;
  }
}

const shortTag = (tag: string): string => tag.replace(/^tag:yaml\.org,2002:/, '!!');

function fitting(text: string, tag: string, fits: (value: unknown) => boolean): unknown {
  const value = resolvePlain(text);
  if (fits(value)) return finite(value);
  const actual = typeof value === 'string' ? '!!str' : value === null ? '!!null' : `!!${typeof value}`;
  throw new Error(`yaml: cannot decode ${actual} \`${text}\` as a ${shortTag(tag)}`);
}

function finite(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  const shown = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new Error(`json: unsupported value: ${shown}`);
}

function resolvePlain(text: string): unknown {
  if (words.has(text)) return words.get(text);
  if (/^\.\d+(?:[eE][-+]?\d+)?$/.test(text)) return Number(text);
  if (!/^[-+\d]/.test(text) || isDate(text)) return text;
  const digits = text.replaceAll('_', '');
  const [, sign, radix = '', whole = ''] = /^([-+]?)(0[xX]|0[bB]|0[oO]?)?([\da-fA-F]+)$/.exec(digits) ?? [];
  if (sign !== undefined) {
    const value = integerIn(radix, whole);
    if (value !== undefined) return sign === '-' ? 0 - value : value;
  }
  return /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(digits) ? Number(digits) : text;
}

/** @returns undefined if a digit exceeds the radix, or the value exceeds 64 bits */
function integerIn(prefix: string, digits: string): number | undefined {
  const [base, pattern] = RADIXES[prefix.toLowerCase()] ?? [10, /^\d+$/];
  if (!pattern.test(digits)) return undefined;
  const value = Number.parseInt(digits, base);
  return value < 2 ** 64 ? value : undefined;
}

const RADIXES: Readonly<Record<string, readonly [base: number, digits: RegExp]>> = {
  '0x': [16, /^[\da-fA-F]+$/],
  '0o': [8, /^[0-7]+$/],
  '0': [8, /^[0-7]+$/],
  '0b': [2, /^[01]+$/],
};

/** Reports whether YAML reads the text as a date before it tries a number; a date stays a string. */
const isDate = (text: string): boolean => /^\d{4}-\d/.test(text);

const spelt = (value: unknown, ...texts: readonly string[]) =>
  texts.map((text): [string, unknown] => [text, value]);

const words: ReadonlyMap<string, unknown> = new Map([
  ...spelt(true, 'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'),
  ...spelt(false, 'n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'),
  ...spelt(null, '', '~', 'null', 'Null', 'NULL'),
  ...spelt(Number.NaN, '.nan', '.NaN', '.NAN'),
  ...spelt(Number.POSITIVE_INFINITY, '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'),
  ...spelt(Number.NEGATIVE_INFINITY, '-.inf', '-.Inf', '-.INF'),
]);
