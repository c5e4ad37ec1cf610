/**
 * Names: the checks of names, labels, ports and keys in the API, and their error messages.
 *
 * Each check returns the reasons why a value is invalid; the list is empty for a valid value. The reasons reach clients
 * inside a Status, so their wording is part of the API. Lengths count bytes, as upstream.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/validation.go, unless a check says otherwise
 */

/**
 * Generates a name from metadata.generateName: the base, truncated to leave room within 63 bytes, and five random
 * characters. The alphabet has no vowels, so that names contain no words by chance.
 *
 * @param random returns a number in [0, 1); called once for each random character
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/names/generate.go simpleNameGenerator.GenerateName
 */
export function generateName(base: string, random: () => number): string {
  // Names are ASCII, so each character is one byte.
  let name = base.slice(0, NAME_LENGTH_MAX - RANDOM_LENGTH);
  for (let i = 0; i < RANDOM_LENGTH; i++) name += ALPHABET[Math.floor(random() * ALPHABET.length)];
  return name;
}

const NAME_LENGTH_MAX = 63;
const RANDOM_LENGTH = 5;
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** Checks the name of a namespace, a container or a host: at most 63 of a-z, 0-9 and "-". Upstream: IsDNS1123Label */
export function isDNS1123Label(value: string): string[] {
  const errors = tooLong(value, 63);
  if (!DNS1123_LABEL.matches(value)) {
    // A subdomain is a label that may also contain dots.
    errors.push(DNS1123_SUBDOMAIN.matches(value) ? 'must not contain dots' : DNS1123_LABEL.message);
  }
  return errors;
}

/** Checks the names of most objects: labels joined by dots, at most 253 bytes. Upstream: IsDNS1123Subdomain */
export function isDNS1123Subdomain(value: string): string[] {
  return [...tooLong(value, 253), ...DNS1123_SUBDOMAIN.errors(value)];
}

/**
 * Checks a search domain: a subdomain whose labels may contain and start with "_". Upstream:
 * IsDNS1123SubdomainWithUnderscore
 */
export function isDNS1123SubdomainWithUnderscore(value: string): string[] {
  return [...tooLong(value, 253), ...DNS1123_SUBDOMAIN_WITH_UNDERSCORE.errors(value)];
}

/** Checks a wildcard for all subdomains of a domain: `*.example.com`. Upstream: IsWildcardDNS1123Subdomain */
export function isWildcardDNS1123Subdomain(value: string): string[] {
  return [...tooLong(value, 253), ...WILDCARD_DNS1123_SUBDOMAIN.errors(value)];
}

/** Checks the path after a domain prefix and its slash. Upstream: httpPathRegexp */
export function isHTTPPath(value: string): string[] {
  return HTTP_PATH.errors(value);
}

/** Checks a label that starts with a letter: the name of a Service until 1.35. Upstream: IsDNS1035Label */
export function isDNS1035Label(value: string): string[] {
  return [...tooLong(value, 63), ...DNS1035_LABEL.errors(value)];
}

/**
 * Checks the key of a label, an annotation or a taint: a name, or a subdomain, "/" and a name.
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
 * Checks the value of a label: empty, or at most 63 bytes in the format of a key's name.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/validate/content/kube.go IsLabelValue
 */
export function isValidLabelValue(value: string): string[] {
  return [...tooLong(value, 63, 'bytes'), ...LABEL_VALUE.errors(value)];
}

/** Checks the name of a port (IANA service name): at most 15 bytes, including a letter. Upstream: IsValidPortName */
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

/** Checks a port number: 1 to 65535. Upstream: IsValidPortNum */
export function isValidPortNum(port: number): string[] {
  return port >= 1 && port <= 65535 ? [] : ['must be between 1 and 65535, inclusive'];
}

/**
 * Checks the name of an environment variable: printable ASCII characters except `=`.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/validation.go IsRelaxedEnvVarName
 */
export function isEnvVarName(value: string): string[] {
  if (value === '') return [`environment variable name ${EMPTY}`];
  return /^[ -<>-~]*$/.test(value) ? [] : [ENV_VAR_NAME_RULE];
}

/** Checks an identifier of the C language. Upstream: IsCIdentifier */
export function isCIdentifier(value: string): string[] {
  return C_IDENTIFIER.errors(value);
}

/** Checks the name of a header of an HTTP probe. Upstream: IsHTTPHeaderName */
export function isHTTPHeaderName(value: string): string[] {
  return HTTP_HEADER_NAME.errors(value);
}

/** Checks a key of a ConfigMap or a Secret, which becomes a file name in a volume. Upstream: IsConfigMapKey */
export function isConfigMapKey(value: string): string[] {
  return [...tooLong(value, 253), ...CONFIG_MAP_KEY.errors(value), ...leavesDirectory(value)];
}

/**
 * Checks that a name can be a part of a URL path and of a storage key. Every name must pass this check.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/api/validate/content/path.go IsPathSegmentName
 */
export function isValidPathSegmentName(value: string): string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
}

/**
 * Quotes a value for an error message: in double quotes, with non-printable characters escaped as in Go, so that the
 * message is unambiguous.
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

/** @param unit the word that the upstream package of the check uses; both count bytes */
function tooLong(value: string, bytesMax: number, unit: 'characters' | 'bytes' = 'characters'): string[] {
  // A code unit of a string has at most three bytes. Counting them costs more than the rest of a check.
  const isTooLong = value.length * 3 > bytesMax && Buffer.byteLength(value) > bytesMax;
  return isTooLong ? [`must be no more than ${bytesMax} ${unit}`] : [];
}

/** Returns the reasons why a name, used as a path, would leave its directory. */
function leavesDirectory(value: string): string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** A regular expression and the message that quotes it, in one place so that they stay consistent. */
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
