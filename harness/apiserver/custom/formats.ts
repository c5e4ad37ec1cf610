import { isIP } from '../../api/ip.ts';

/**
 * Returns the check of a string format; undefined for an unknown format. Hyphens in the name do not count.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/validation/strfmt/default.go; which are known,
 * kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/validation/formats.go supportedVersionedFormats
 *
 * Differs: the check of an email is less strict than Go's net/mail.
 */
export function formatOf(name: string): ((text: string) => boolean) | undefined {
  return formats.get(name.replaceAll('-', ''));
}

const matches = (pattern: RegExp) => (text: string) => pattern.test(text);

const formats: ReadonlyMap<string, (text: string) => boolean> = new Map(
  Object.entries({
    bsonobjectid: matches(/^[0-9a-f]{24}$/i),
    uri: isRequestURI,
    email: matches(/^(?:[^<>@]*<)?(?:"[^"]*"|[^\s@<>",;:()[\]\\]+)@[^\s@<>",;:()]+>?$/),
    hostname: isHostname,
    ipv4: (text: string) => isIP(text) && text.includes('.'),
    ipv6: (text: string) => isIP(text) && text.includes(':'),
    cidr: isCIDR,
    mac: isMAC,
    uuid: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
    uuid3: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
    uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
    uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
    isbn: (text: string) => isISBN10(text) || isISBN13(text),
    isbn10: isISBN10,
    isbn13: isISBN13,
    creditcard: isCreditCard,
    ssn: matches(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
    hexcolor: matches(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
    rgbcolor: matches(new RegExp(`^rgb\\(\\s*${Array(3).fill(octet()).join('\\s*,\\s*')}\\s*\\)$`)),
    byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
    password: () => true,
    date: isDate,
    duration: isDuration,
    datetime: isDateTime,
    k8sshortname: (text: string) => text.length <= 63 && SHORT_NAME.test(text),
    k8slongname: (text: string) =>
      text.length <= 253 && text.split('.').every((part) => SHORT_NAME.test(part)),
  }),
);

const SHORT_NAME = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

function octet(): string {
  return '(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';
}

/** Accepts a URI with a scheme, or a path that begins with a slash. Upstream: Go's net/url ParseRequestURI */
function isRequestURI(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check rejects these characters
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text)) return false;
  if (text === '*') return true;
  const [, scheme = '', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):)?(.*)$/isu.exec(text) ?? [];
  const [path = ''] = rest.split(/[?#]/);
  if (!path.startsWith('/')) return scheme !== '';
  if (/%(?![0-9a-f]{2})/i.test(path)) return false;
  if (!path.startsWith('//') || scheme === '') return true;
  const [authority = ''] = path.slice(2).split('/');
  return /^(?:[^@\s]*@)?(?:\[[^\]\s]*\]|[^\s"<>\\^`{|}[\]:]*)(?::\d*)?$/.test(authority);
}

const HOSTNAME =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;

/** Upstream: IsHostname */
function isHostname(text: string): boolean {
  const bytes = (part: string): number => new TextEncoder().encode(part).length;
  return bytes(text) <= 255 && HOSTNAME.test(text) && text.split('.').every((part) => bytes(part) <= 63);
}

function isCIDR(text: string): boolean {
  const [, ip = '', bits = ''] = /^(.*)\/(\d{1,3})$/.exec(text) ?? [];
  return isIP(ip) && Number(bits) <= (ip.includes(':') ? 128 : 32);
}

/** Accepts six, eight or twenty bytes. Upstream: Go's net ParseMAC */
function isMAC(text: string): boolean {
  return (
    /^[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}(?:(?:\1[0-9a-f]{2}){2}(?:(?:\1[0-9a-f]{2}){12})?)?$/i.test(
      text,
    ) || /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?:\.[0-9a-f]{4}(?:(?:\.[0-9a-f]{4}){6})?)?$/i.test(text)
  );
}

const withoutSpaces = (text: string): string => text.replace(/[\s-]+/g, '');

function isISBN10(text: string): boolean {
  const digits = withoutSpaces(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce((all, digit, i) => all + (i + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isISBN13(text: string): boolean {
  const digits = withoutSpaces(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  return [...digits].reduce((all, digit, i) => all + (i % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0;
}

const CREDIT_CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!CREDIT_CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((all, digit, i) => {
    const twice = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return all + (twice >= 10 ? (twice % 10) + 1 : twice);
  }, 0);
  return sum % 10 === 0;
}

/** Upstream: IsDate */
function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === '') return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** Upstream: IsDateTime */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/.exec(time);
  if (!isDate(date) || !match) return false;
  const [, hours = '', minutes = '', seconds = ''] = match;
  return hours <= '23' && minutes <= '59' && seconds <= '59';
}

/** Upstream: ParseDuration */
function isDuration(text: string): boolean {
  return isGoDuration(text) || isScalaDuration(text);
}

/** Accepts `1h15m30.5s`. Upstream: Go's time.ParseDuration */
function isGoDuration(text: string): boolean {
  const isFormed = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text);
  return (
    isFormed &&
    (text.match(/\d+(?:\.\d*)?|\.\d+/g) ?? []).every((number) => fitsInt64(number.split('.')[0] ?? ''))
  );
}

/** The units of durations. The last name in a line also matches as the prefix of a longer word. */
const UNITS = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];

/**
 * Accepts a text that contains a number and a unit, such as `for 3 days`.
 *
 * It reads the text token by token. A search for a number with a unit would start again at each digit of a long number.
 */
function isScalaDuration(text: string): boolean {
  let number: string | undefined;
  let found = false;
  for (const [token] of text.matchAll(/\d+|[A-Za-zµ]+|[\t\n\f\r ]+|[^\dA-Za-zµ\t\n\f\r ]+/g)) {
    if (/^[\t\n\f\r ]/.test(token)) continue;
    if (number !== undefined && /^[A-Za-zµ]/.test(token)) {
      if (!fitsInt64(number)) return false;
      found ||= isUnit(token.toLowerCase());
    }
    number = /^\d/.test(token) ? token : undefined;
  }
  return found;
}

const isUnit = (word: string): boolean =>
  UNITS.some((names) => names.includes(word) || word.startsWith(names.at(-1) as string));

const INT64_MAX = String(2n ** 63n - 1n);

/** Reports whether a number in decimal digits fits into 64 bits. */
function fitsInt64(digits: string): boolean {
  const significant = digits.replace(/^0+/, '');
  if (significant.length !== INT64_MAX.length) return significant.length < INT64_MAX.length;
  return significant <= INT64_MAX;
}
