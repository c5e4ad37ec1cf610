import { find, isPath } from '../../../apiserver/custom/json-path.ts';
import type { Json } from '../../../apiserver/patch/json-value.ts';
import { KubectlError } from '../kubectl-error.ts';
import { compactJson } from './json.ts';

type Part =
  | { readonly text: string }
  | { readonly path: string }
  | { readonly range: string; readonly body: readonly Part[] };

/**
 * Fills in a template: `{.metadata.name}{"\n"}`, `{range .items[*]}{.status.phase}{"\n"}{end}`. A path without braces is
 * a template of this path.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/jsonpath/jsonpath.go JSONPath.Execute
 *
 * @throws KubectlError when the template is not valid
 */
export function fillIn(template: string, value: unknown): string {
  return filled(parse(relaxed(template)), value as Json);
}

/** Returns the first value of a path. @throws KubectlError when the path is not valid */
export function firstAt(path: string, value: unknown): unknown {
  const [part] = parse(relaxed(path));
  return part && 'path' in part ? find(part.path, value as Json)?.[0] : undefined;
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/get/customcolumn.go RelaxedJSONPathExpression */
function relaxed(template: string): string {
  if (template.includes('{') || template === '') return template;
  return `{${template.startsWith('.') || template.startsWith('[') ? '' : '.'}${template}}`;
}

function filled(parts: readonly Part[], value: Json): string {
  return parts
    .map((part) => {
      if ('text' in part) return part.text;
      if ('path' in part) return (find(part.path, value) ?? []).map(shown).join(' ');
      return (find(part.range, value) ?? []).map((each) => filled(part.body, each)).join('');
    })
    .join('');
}

function shown(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? compactJson(value) : String(value);
}

function parse(template: string): readonly Part[] {
  const open: { range: string; body: Part[] }[] = [{ range: '', body: [] }];
  const put = (part: Part): void => void open.at(-1)?.body.push(part);
  const fail = (why: string): never => {
    throw new KubectlError(`error parsing jsonpath ${template}, ${why}`);
  };
  for (let at = 0; at < template.length; ) {
    const brace = template.indexOf('{', at);
    if (brace !== at) {
      const end = brace < 0 ? template.length : brace;
      put({ text: template.slice(at, end) });
      at = end;
      continue;
    }
    const end = endOf(template, at + 1);
    if (end < 0) fail('unclosed action');
    const inside = template.slice(at + 1, end).trim();
    at = end + 1;
    if (inside === 'end') {
      const closed = open.length > 1 ? open.pop() : fail('not in range, nothing to end');
      if (closed) put(closed);
    } else if (inside.startsWith('range ')) {
      open.push({ range: pathOf(inside.slice('range '.length).trim(), fail), body: [] });
    } else if (/^(".*"|'.*')$/s.test(inside)) {
      put({ text: unquoted(inside) });
    } else {
      put({ path: pathOf(inside, fail) });
    }
  }
  if (open.length > 1) fail('unfinished range');
  return open[0]?.body ?? [];
}

/** Returns where the brace closes; braces in quotes do not count. */
function endOf(template: string, from: number): number {
  let quote = '';
  for (let at = from; at < template.length; at++) {
    const character = template.charAt(at);
    if (quote !== '') {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '}') return at;
  }
  return -1;
}

/** `$` and `@` mean the value itself. */
function pathOf(text: string, fail: (why: string) => never): string {
  const path = text.replace(/^[$@]/, '');
  return isPath(path) ? path : fail(`unrecognized path ${text}`);
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, (_, character: string) => ESCAPED[character] ?? character);
}
