/** A value of JSON. */
type Value = unknown;

/**
 * Prints a value as YAML, as kubectl does: keys in order, lists at the indentation of their key, quotes only where a
 * reader would take the text for something else.
 *
 * Upstream: sigs.k8s.io/yaml@v1.6.0 yaml.go Marshal
 */
export function yamlOf(value: Value): string {
  if (isEmpty(value) || !isStructure(value)) return `${inline(value)}\n`;
  return `${block(value, '').join('\n')}\n`;
}

function block(value: object, indent: string): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: Value) => {
      if (!isStructure(item) || isEmpty(item)) return scalar(`${indent}- `, item, `${indent}  `);
      const [first = '', ...others] = block(item, `${indent}  `);
      return [`${indent}- ${first.slice(indent.length + 2)}`, ...others];
    });
  }
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => byKey(a, b))
    .flatMap(([key, item]: readonly [string, Value]) => {
      const head = `${indent}${inline(key)}:`;
      if (!isStructure(item) || isEmpty(item)) return scalar(`${head} `, item, `${indent}  `);
      return [head, ...block(item, Array.isArray(item) ? indent : `${indent}  `)];
    });
}

/** Orders keys as Go's YAML does: digits by their number, letters after other characters. */
function byKey(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const [x = '', y = ''] = [left[at], right[at]];
    if (x === y) continue;
    const [isX, isY] = [/\p{L}/u.test(x), /\p{L}/u.test(y)];
    if (isX !== isY) return isX ? 1 : -1;
    const [m, n] = [/^\d+/.exec(a.slice(at)), /^\d+/.exec(b.slice(at))].map((found) =>
      found ? Number(found[0]) : undefined,
    );
    if (m !== undefined && n !== undefined && m !== n) return m - n;
    return x < y ? -1 : 1;
  }
  return left.length - right.length;
}

/** Prints a value behind its key. A text with lines becomes a block of them. */
function scalar(head: string, value: Value, indent: string): readonly string[] {
  if (typeof value !== 'string' || !value.includes('\n') || !isBlock(value))
    return [`${head}${inline(value)}`];
  const body = value.replace(/\n+$/, '');
  const ends = value.length - body.length;
  const chomp = ends === 0 ? '-' : ends === 1 ? '' : '+';
  const hint = /^[ \n]/.test(value) ? '2' : '';
  const lines = (chomp === '+' ? value.slice(0, -1) : body).split('\n');
  return [`${head}|${hint}${chomp}`, ...lines.map((line) => (line === '' ? '' : indent + line))];
}

/** A block shows characters as they are, so it cannot show those without a shape, and no space at the end of a line. */
const isBlock = (text: string): boolean =>
  !/[^\n\t\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]/.test(text) && !/ (\n|$)/.test(text);

function inline(value: Value): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return '[]';
  return isStructure(value) ? '{}' : String(value ?? null);
}

function quoted(text: string): string {
  if (/\p{Cc}/u.test(text)) return JSON.stringify(text);
  if (isOther(text)) return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  if (isPlain(text)) return text;
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns whether a reader would take the text for a boolean, null, a number or a time. */
function isOther(text: string): boolean {
  return (
    text === '' ||
    /^(y|n|yes|no|on|off|true|false|null|~|<<|=)$/i.test(text) ||
    /^[-+]?(\d[\d_]*)?\.?\d[\d_]*\.?([eE][-+]?\d+)?$/.test(text) ||
    /^[-+]?(\d+(:[0-5]?\d)+(\.\d*)?|0x[\da-fA-F_]+|0o?[0-7_]+|0b[01_]+|\.inf)$/i.test(text) ||
    /^\.nan$/i.test(text) ||
    /^\d{4}-\d\d?-\d\d?([Tt ].*)?$/.test(text)
  );
}

/** Returns whether the text can stand without quotes. */
function isPlain(text: string): boolean {
  if (/^[\s,[\]{}#&*!|>'"%@`]/.test(text) || /^[-?:](\s|$)/.test(text) || /\s$/.test(text)) return false;
  if (/^(---|\.\.\.)/.test(text)) return false;
  return !/: |:$| #/.test(text);
}

const isStructure = (value: Value): value is object => typeof value === 'object' && value !== null;
const isEmpty = (value: Value): boolean => isStructure(value) && Object.keys(value).length === 0;
