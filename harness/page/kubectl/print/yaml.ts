/**
 * Prints a value as YAML, as kubectl does: keys in order, lists at the indentation of their key, quotes only where a
 * reader would take the text for something else, and long texts in several lines.
 *
 * Upstream: sigs.k8s.io/yaml@v1.6.0 yaml.go Marshal; goyaml.v2/emitterc.go
 */
export function yamlOf(value: unknown): string {
  if (!isStructure(value) || isEmpty(value)) return `${scalar('', value, '').join('\n')}\n`;
  return `${block(value, '').join('\n')}\n`;
}

/** A text is continued in the next line at its first space after this column. */
const WIDTH = 80;

function block(value: object, indent: string): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      if (!isStructure(item) || isEmpty(item)) return scalar(`${indent}- `, item, `${indent}  `);
      const [first = '', ...others] = block(item, `${indent}  `);
      return [`${indent}- ${first.slice(indent.length + 2)}`, ...others];
    });
  }
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => byKey(a, b))
    .flatMap(([key, item]: readonly [string, unknown]) => {
      const head = `${indent}${quoted(key)}:`;
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
    const [m, n] = [numberAt(a, at), numberAt(b, at)];
    if (m !== undefined && n !== undefined && m !== n) return m - n;
    return x < y ? -1 : 1;
  }
  return left.length - right.length;
}

function numberAt(text: string, at: number): number | undefined {
  const digits = /^\d+/.exec(text.slice(at))?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/** Prints a value behind its key. Further lines have the indentation. */
function scalar(head: string, value: unknown, indent: string): readonly string[] {
  if (typeof value !== 'string') {
    const text = Array.isArray(value) ? '[]' : isStructure(value) ? '{}' : String(value ?? null);
    return [head + text];
  }
  if (value.includes('\n') && isBlock(value)) return literal(head, value, indent);
  return folded(head + quoted(value), head.length, indent);
}

/** Prints a text with several lines as it is. */
function literal(head: string, value: string, indent: string): readonly string[] {
  const body = value.replace(/\n+$/, '');
  const ends = value.length - body.length;
  const chomp = ends === 0 ? '-' : ends === 1 ? '' : '+';
  const hint = /^[ \n]/.test(value) ? '2' : '';
  const lines = (chomp === '+' ? value.slice(0, -1) : body).split('\n');
  return [`${head}|${hint}${chomp}`, ...lines.map((line) => (line === '' ? '' : indent + line))];
}

/** Breaks a text at spaces. The quotes decide which spaces. */
function folded(text: string, from: number, indent: string): readonly string[] {
  const quote = text.charAt(from);
  const isDouble = quote === '"';
  const [first, last] = isDouble || quote === "'" ? [from + 2, text.length - 3] : [from, text.length - 1];
  const lines: string[] = [];
  let begin = 0;
  let head = '';
  for (let at = from; at < text.length; at++) {
    const isLong = lengthOf(head) + lengthOf(text.slice(begin, at)) > WIDTH;
    if (text.charAt(at) !== ' ' || !isLong || at < first || at > last) continue;
    const [before, after] = [text.charAt(at - 1), text.charAt(at + 1)];
    if (before === ' ' || (after === ' ' && !isDouble)) continue;
    lines.push(head + text.slice(begin, at));
    head = indent + (after === ' ' ? '\\' : '');
    begin = at + 1;
  }
  return [...lines, head + text.slice(begin)];
}

const lengthOf = (text: string): number => [...text].length;

/** A block shows characters as they are, so every character must be visible, and no line may end with a space. */
const isBlock = (text: string): boolean => !hasHidden(text.replaceAll('\n', '')) && !/ (\n|$)/.test(text);

/** Returns whether a text has characters that only an escape can show. */
const hasHidden = (text: string): boolean => /[^\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]/.test(text);

function quoted(text: string): string {
  if (hasHidden(text)) return escaped(text);
  if (isOther(text)) return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return isPlain(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

function escaped(text: string): string {
  return JSON.stringify(text).replace(/[\ud800-\udbff][\udc00-\udfff]/g, (pair) => {
    const code = pair.codePointAt(0) ?? 0;
    return `\\U${code.toString(16).toUpperCase().padStart(8, '0')}`;
  });
}

/** Returns whether a reader would take the text for a boolean, null, a number or a time. */
function isOther(text: string): boolean {
  return (
    text === '' ||
    /^(y|n|yes|no|on|off|true|false|null|~)$/i.test(text) ||
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

const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
