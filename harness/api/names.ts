/**
 * Names: what the API accepts as a name, a label, a port or a key, and how it refuses.
 *
 * Each check returns the reasons against a value, none when it is valid. They reach clients inside a Status,
 * so their wording is part of the API. Lengths count bytes, as upstream's do.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/validation.go, unless a check says otherwise
 */

/**
 * Makes a name from metadata.generateName: the base, cut to leave room within 63 bytes, and five random
 * characters. The alphabet has no vowels, so that no word is formed by chance.
 *
 * @param random returns a number in [0, 1); called once for each random character
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/names/generate.go simpleNameGenerator.GenerateName
 */
export function generateName(base: string, random: () => number): string {
  // Names are ASCII, so characters are bytes.
  let name = base.slice(0, NAME_LENGTH_MAX - RANDOM_LENGTH);
  for (let i = 0; i < RANDOM_LENGTH; i++) name += ALPHABET[Math.floor(random() * ALPHABET.length)];
  return name;
}

const NAME_LENGTH_MAX = 63;
const RANDOM_LENGTH = 5;
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A namespace, a container, a hostname: at most 63 of a-z, 0-9 and "-". Upstream: IsDNS1123Label */
export function isDNS1123Label(value: string): string[] {
  const errors = tooLong(value, 63);
  if (!DNS1123_LABEL.matches(value)) {
    // A subdomain of a label's characters differs from a label in its dots alone.
    errors.push(DNS1123_SUBDOMAIN.matches(value) ? 'must not contain dots' : DNS1123_LABEL.message);
  }
  return errors;
}

/** Most objects' names: labels joined by dots, at most 253 bytes. Upstream: IsDNS1123Subdomain */
export function isDNS1123Subdomain(value: string): string[] {
  return [...tooLong(value, 253), ...DNS1123_SUBDOMAIN.errors(value)];
}

/** A domain to search in: a subdomain whose labels may hold and begin with "_". Upstream: IsDNS1123SubdomainWithUnderscore */
export function isDNS1123SubdomainWithUnderscore(value: string): string[] {
  return [...tooLong(value, 253), ...DNS1123_SUBDOMAIN_WITH_UNDERSCORE.errors(value)];
}

/** All subdomains of a domain: `*.example.com`. Upstream: IsWildcardDNS1123Subdomain */
export function isWildcardDNS1123Subdomain(value: string): string[] {
  return [...tooLong(value, 253), ...WILDCARD_DNS1123_SUBDOMAIN.errors(value)];
}

/** The path of something in a domain, after its slash. Upstream: httpPathRegexp */
export function isHTTPPath(value: string): string[] {
  return HTTP_PATH.errors(value);
}

/** A label that begins with a letter: a Service's name until 1.35. Upstream: IsDNS1035Label */
export function isDNS1035Label(value: string): string[] {
  return [...tooLong(value, 63), ...DNS1035_LABEL.errors(value)];
}

/**
 * The key of a label, an annotation, a taint: a name, or a subdomain, "/" and a name.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/validate/content/kube.go IsLabelKey, which says "bytes" where the
 * checks of names still say "characters"
 */
export function isQualifiedName(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${QUALIFIED_NAME.message} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const errors: string[] = [];
  const name = parts.at(-1) ?? '';
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    const reasons =
      prefix === '' ? [EMPTY] : [...tooLong(prefix, 253, 'bytes'), ...DNS1123_SUBDOMAIN.errors(prefix)];
    errors.push(...reasons.map((reason) => `prefix part ${reason}`));
  }
  const reasons = name === '' ? [EMPTY] : tooLong(name, 63, 'bytes');
  reasons.push(...QUALIFIED_NAME.errors(name));
  errors.push(...reasons.map((reason) => `name part ${reason}`));
  return errors;
}

/**
 * A label's value: empty, or at most 63 bytes like a key's name.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/validate/content/kube.go IsLabelValue
 */
export function isValidLabelValue(value: string): string[] {
  return [...tooLong(value, 63, 'bytes'), ...LABEL_VALUE.errors(value)];
}

/** A port's name (IANA service name): at most 15 bytes with a letter among them. Upstream: IsValidPortName */
export function isValidPortName(value: string): string[] {
  const errors = tooLong(value, 15);
  if (!/^[-a-z0-9]+$/.test(value)) {
    errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(value)) errors.push('must contain at least one letter (a-z)');
  if (value.includes('--')) errors.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
}

/** A port's number: 1 to 65535. Upstream: IsValidPortNum */
export function isValidPortNum(port: number): string[] {
  return port >= 1 && port <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];
}

/**
 * An environment variable's name: printing ASCII characters without `=`.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/validation.go IsRelaxedEnvVarName
 */
export function isEnvVarName(value: string): string[] {
  if (value === '') return [`environment variable name ${EMPTY}`];
  return /^[ -<>-~]*$/.test(value) ? [] : [ENV_VAR_NAME_RULE];
}

/** An identifier of the C language. Upstream: IsCIdentifier */
export function isCIdentifier(value: string): string[] {
  return C_IDENTIFIER.errors(value);
}

/** The name of a header that an HTTP probe sends. Upstream: IsHTTPHeaderName */
export function isHTTPHeaderName(value: string): string[] {
  return HTTP_HEADER_NAME.errors(value);
}

/** A key of a ConfigMap or a Secret: it becomes the name of a file in a volume. Upstream: IsConfigMapKey */
export function isConfigMapKey(value: string): string[] {
  return [...tooLong(value, 253), ...CONFIG_MAP_KEY.errors(value), ...leavesDirectory(value)];
}

/**
 * A name that can stand in a URL's path and in a storage key, the least that every name must be.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/validate/content/path.go IsPathSegmentName
 */
export function isValidPathSegmentName(value: string): string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
}

/**
 * A value as error messages show it: in double quotes, with everything that does not print escaped as Go
 * does, so that a refusal cannot be read two ways.
 *
 * Upstream: Go's fmt verb %q (strconv.Quote)
 */
export function quote(value: string): string {
  const escaped = value.replace(/["\\]|[\p{C}\p{Z}]/gu, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (char === ' ') return char;
    if (char === '"' || char === '\\') return `\\${char}`;
    const short = SHORT_ESCAPES[char];
    if (short !== undefined) return short;
    const hex = code.toString(16);
    if (code < 0x80) return `\\x${hex.padStart(2, '0')}`;
    return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
  });
  return `"${escaped}"`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

const EMPTY = 'must be non-empty';

/** @param unit the word of the check's package; both count bytes */
function tooLong(value: string, bytesMax: number, unit: 'characters' | 'bytes' = 'characters'): string[] {
  return Buffer.byteLength(value) > bytesMax ? [`must be no more than ${bytesMax} ${unit}`] : [];
}

/** Reasons against a name that, taken for a path, would leave its directory. */
function leavesDirectory(value: string): string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** A regular expression and the sentence that quotes it, so that the two cannot drift apart. */
class Pattern {
  readonly message: string;
  readonly #regex: RegExp;

  constructor(text: string, rule: string, examples: readonly string[]) {
    this.#regex = new RegExp(`^${text}$`);
    const quoted = examples.map((example) => `'${example}', `).join(' or ');
    this.message = `${rule} (${quoted && `e.g. ${quoted}`}regex used for validation is '${text}')`;
  }

  matches(value: string): boolean {
    return this.#regex.test(value);
  }

  errors(value: string): string[] {
    return this.matches(value) ? [] : [this.message];
  }
}

const LABEL_TEXT = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED_NAME_TEXT = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const ALPHANUMERIC_ENDS = 'and must start and end with an alphanumeric character';

const DNS1123_LABEL = new Pattern(
  LABEL_TEXT,
  `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ALPHANUMERIC_ENDS}`,
  ['my-name', '123-abc'],
);
const DNS1123_SUBDOMAIN = new Pattern(
  `${LABEL_TEXT}(\\.${LABEL_TEXT})*`,
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ALPHANUMERIC_ENDS}`,
  ['example.com'],
);
const WILDCARD_DNS1123_SUBDOMAIN = new Pattern(
  `\\*\\.${LABEL_TEXT}(\\.${LABEL_TEXT})*`,
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  ['*.example.com'],
);
const HTTP_PATH = new Pattern("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+", 'Invalid path', []);
const LABEL_WITH_UNDERSCORE_TEXT = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const DNS1123_SUBDOMAIN_WITH_UNDERSCORE = new Pattern(
  `${LABEL_WITH_UNDERSCORE_TEXT}(\\.${LABEL_WITH_UNDERSCORE_TEXT})*`,
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', ${ALPHANUMERIC_ENDS}`,
  ['example.com'],
);
const DNS1035_LABEL = new Pattern(
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  ['my-name', 'abc-123'],
);
const QUALIFIED_NAME = new Pattern(
  QUALIFIED_NAME_TEXT,
  `must consist of alphanumeric characters, '-', '_' or '.', ${ALPHANUMERIC_ENDS}`,
  ['MyName', 'my.name', '123-abc'],
);
const LABEL_VALUE = new Pattern(
  `(${QUALIFIED_NAME_TEXT})?`,
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ALPHANUMERIC_ENDS}`,
  ['MyValue', 'my_value', '12345'],
);
const ENV_VAR_NAME_RULE =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const C_IDENTIFIER = new Pattern(
  '[A-Za-z_][A-Za-z0-9_]*',
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  ['my_name', 'MY_NAME', 'MyName'],
);
const HTTP_HEADER_NAME = new Pattern(
  '[-A-Za-z0-9]+',
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  ['X-Header-Name'],
);
const CONFIG_MAP_KEY = new Pattern(
  '[-._a-zA-Z0-9]+',
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  ['key.name', 'KEY_NAME', 'key-name'],
);
