import { isList, isObject, type Json } from '../patch/json-value.ts';

type Step = (value: Json) => readonly Json[];

/**
 * Finds what a path such as `.status.conditions[?(@.type=="Ready")].status` leads to.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/jsonpath/jsonpath.go JSONPath.FindResults
 *
 * Differs: names, indices, `*` and filters that compare with a text or a number are understood; recursive descent, slices
 * and unions are not, and find nothing.
 */
export function find(path: string, value: Json): readonly Json[] {
  const steps = parsed(path);
  return steps ? steps.reduce<readonly Json[]>((found, step) => found.flatMap(step), [value]) : [];
}

const known = new Map<string, readonly Step[] | undefined>();

function parsed(path: string): readonly Step[] | undefined {
  if (!known.has(path)) known.set(path, parse(path));
  return known.get(path);
}

const STEP =
  /\.?\[\?\(@\.([\w.-]+)\s*==\s*(?:"([^"]*)"|'([^']*)'|(-?[\d.]+))\)\]|\.?\['((?:[^'\\]|\\.)+)'\]|\.?\[(\d+|\*)\]|\.((?:[^.[\\]|\\.)+)/gy;

function parse(path: string): readonly Step[] | undefined {
  const text = path.startsWith('.') || path.startsWith('[') ? path : `.${path}`;
  const steps: Step[] = [];
  let end = 0;
  for (const match of text.matchAll(STEP)) {
    end = match.index + match[0].length;
    const [, field, quoted, single, numeral, bracketed, index, name] = match;
    if (field !== undefined) {
      const wanted = numeral === undefined ? (quoted ?? single ?? '') : Number(numeral);
      steps.push((value) => all(value).filter((item) => find(`.${field}`, item)[0] === wanted));
    } else if (index === '*') steps.push(all);
    else if (index !== undefined) steps.push((value) => (isList(value) ? one(value[Number(index)]) : []));
    else {
      const key = (bracketed ?? name ?? '').replace(/\\(.)/g, '$1');
      steps.push(key === '*' ? all : (value) => (isObject(value) ? one(value[key]) : []));
    }
  }
  return end === text.length ? steps : undefined;
}

const one = (value: Json | undefined): readonly Json[] => (value === undefined ? [] : [value]);

function all(value: Json): readonly Json[] {
  if (isList(value)) return value;
  return isObject(value) ? Object.values(value).flatMap(one) : [];
}
