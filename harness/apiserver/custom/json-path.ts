import { isList, isObject, type Json, type JsonList } from '../patch/json-value.ts';

/**
 * Finds the values at a path such as `.status.conditions[?(@.type=="Ready")].status`. Supports names, indices, slices,
 * unions, `*`, `..` and filters.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/jsonpath/jsonpath.go JSONPath.FindResults
 *
 * Differs: does not support ranges or parts of strings. A path that finds more than 100,000 values finds nothing.
 *
 * @returns undefined if the path is invalid, or fails on this value
 */
export function find(path: string, value: Json): readonly Json[] | undefined {
  const steps = parsed(path);
  if (!steps) return undefined;
  try {
    return follow(steps, [value]);
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}

/** Reports whether the path is valid. */
export const isPath = (path: string): boolean => parsed(path) !== undefined;

/** The error for a path that is invalid or fails on a value. */
class PathError extends Error {
  override readonly name = 'PathError';
}

const FOUND_MAX = 100_000;

type Step = (values: readonly Json[]) => readonly Json[];

const follow = (steps: readonly Step[], values: readonly Json[]): readonly Json[] =>
  steps.reduce((found, step) => {
    const next = step(found);
    if (next.length > FOUND_MAX) throw new PathError('too many values');
    return next;
  }, values);

const known = new Map<string, readonly Step[] | undefined>();

function parsed(path: string): readonly Step[] | undefined {
  if (!known.has(path)) {
    // Paths come from clients, so the cache needs a limit.
    if (known.size >= PATHS_MAX) known.clear();
    known.set(path, parse(path));
  }
  return known.get(path);
}

const PATHS_MAX = 10_000;

function parse(path: string): readonly Step[] | undefined {
  try {
    return new Parser(path).steps();
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}

/** Upstream: kubernetes/client-go@v0.36.3 util/jsonpath/parser.go Parser */
class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  steps(): readonly Step[] {
    const steps: Step[] = [];
    let isRecursive = false;
    while (this.#at < this.#text.length && !this.#rest.startsWith('}')) {
      if (this.#rest.startsWith('[?(')) steps.push(this.#filter());
      else if (this.#rest.startsWith('..')) {
        if (isRecursive) throw new PathError('invalid multiple recursive descent');
        this.#at += 2;
        steps.push(recursive);
        isRecursive = true;
        if (/^[\p{L}\d_]/u.test(this.#rest)) steps.push(this.#field());
        else continue;
      } else steps.push(...this.#plain());
      isRecursive = false;
    }
    return steps;
  }

  get #rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Matches the pattern at the current position and advances past the match. */
  #take(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#rest);
    if (match) this.#at += match[0].length;
    return match ?? undefined;
  }

  #plain(): readonly Step[] {
    if (this.#take(/^[ @$]/)) return [];
    if (this.#take(/^\./)) return [this.#field()];
    const brackets = this.#take(/^\[([^\]\n]*)\]/);
    if (brackets) return this.#array(brackets[1] ?? '');
    const quoted = this.#take(/^(["'])((?:(?!\1)[^\\\n]|\\.)*)\1/s);
    if (quoted) return [constant((quoted[2] ?? '').replace(/\\(.)/gs, '$1'))];
    const number = this.#take(/^[+-]?[\d.]+/);
    if (number && Number.isFinite(Number(number[0]))) return [constant(Number(number[0]))];
    const word = this.#take(/^(true|false)(?=[\s.,[\]$@{}]|$)/);
    if (word) return [constant(word[1] === 'true')];
    throw new PathError(`unrecognized character in action: ${this.#rest.slice(0, 1)}`);
  }

  #field(): Step {
    const name = this.#take(/^(?:\\.|[^\\\s.,[\]$@{}])*/su)?.[0] ?? '';
    return name === '*' ? wildcard : field(name.replaceAll('\\', ''));
  }

  #array(written: string): readonly Step[] {
    const parts = written.split(',');
    if (parts.length > 1) {
      const branches = parts.map((part) => new Parser(`[${part.trim()}]`).steps());
      return [(values) => branches.flatMap((steps) => follow(steps, values))];
    }
    const [, key] = /^'([^']*)'$/.exec(written) ?? [];
    if (key !== undefined) return new Parser(`.${key}`).steps();
    const text = written === '*' ? ':' : written;
    const [, from, to, by] = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text) ?? [];
    if (from === undefined) throw new PathError(`invalid array index ${written}`);
    const number = (part: string | undefined): number | undefined => {
      const digits = part?.replace(/^:/, '');
      if (!digits) return undefined;
      if (!Number.isSafeInteger(Number(digits))) throw new PathError(`invalid array index ${written}`);
      return Number(digits);
    };
    return [slice({ from: number(from), to: number(to), by: number(by), isOne: to === undefined })];
  }

  #filter(): Step {
    const match = this.#take(/^\[\?\(((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"')\n])*)\)\]/s);
    if (!match) throw new PathError('unterminated filter');
    const [, written = ''] = match;
    const [, left, operator, right] = /^([^!<>=]+)([!<>=]+)(.+?)$/s.exec(written) ?? [];
    if (left === undefined || operator === undefined || right === undefined) {
      const steps = new Parser(written).steps();
      return filtered((item) => {
        try {
          return follow(steps, [item]).length > 0;
        } catch (error) {
          if (error instanceof PathError) return false;
          throw error;
        }
      });
    }
    const sides = [left, right].map((side) => new Parser(side).steps());
    return filtered((item) => {
      const found = sides.map((steps) => follow(steps, [item]));
      if (found.some((side) => side.length > 1)) {
        throw new PathError('can only compare one element at a time');
      }
      const [[a], [b]] = found as [readonly Json[], readonly Json[]];
      return a !== undefined && b !== undefined && compared(operator, a, b);
    });
  }
}

/** Upstream: kubernetes/client-go@v0.36.3 third_party/forked/golang/template/funcs.go */
function compared(operator: string, a: Json, b: Json): boolean {
  const isPlain = (value: Json): boolean => typeof value !== 'object';
  const bothNumbers = typeof a === 'number' && typeof b === 'number';
  if (!isPlain(a) || typeof a !== typeof b || (bothNumbers && Number.isInteger(a) !== Number.isInteger(b))) {
    throw new PathError('incompatible types for comparison');
  }
  const [left, right] = [a, b] as [string, string];
  if (typeof a === 'boolean' && operator !== '==' && operator !== '!=') {
    throw new PathError('invalid type for comparison');
  }
  switch (operator) {
    case '<':
      return left < right;
    case '>':
      return left > right;
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<=':
      return left <= right;
    case '>=':
      return left >= right;
    default:
      throw new PathError(`unrecognized filter operator ${operator}`);
  }
}

const constant =
  (value: Json): Step =>
  (values) =>
    values.map(() => value);

const field =
  (name: string): Step =>
  (values) =>
    values.flatMap((value) => (isObject(value) && Object.hasOwn(value, name) ? one(value[name]) : []));

const wildcard: Step = (values) => values.flatMap(partsOf);

const recursive: Step = (values) => {
  const found: Json[] = [];
  const visit = (value: Json): void => {
    const parts = partsOf(value);
    if (parts.length === 0) return;
    found.push(value);
    parts.forEach(visit);
  };
  values.forEach(visit);
  return found;
};

interface Slice {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly by: number | undefined;
  /** Whether it is a single index rather than a slice. */
  readonly isOne: boolean;
}

/** Upstream: evalArray */
function slice({ from: first, to: last, by = 1, isOne }: Slice): Step {
  const items = (list: JsonList): readonly Json[] => {
    const { length } = list;
    const from = (first ?? 0) < 0 ? (first ?? 0) + length : (first ?? 0);
    const end = isOne ? (first ?? 0) + 1 : (last ?? length);
    const to = end < 0 || (end === 0 && isOne) ? end + length : end;
    if (from === to) return [];
    if (from < 0 || from >= length || to < 0 || to > length) throw new PathError('array index out of bounds');
    if (from > to) throw new PathError('the start is behind the end');
    if (by <= 0) throw new PathError('step must be > 0');
    return list.slice(from, to).filter((_, i) => i % by === 0);
  };
  return (values) =>
    values.flatMap((value) => {
      if (value === null) return [];
      if (!isList(value)) throw new PathError('not an array or slice');
      return items(value);
    });
}

const filtered =
  (isWanted: (item: Json) => boolean): Step =>
  (values) =>
    values.flatMap((value) => {
      if (!isList(value)) throw new PathError('not an array or slice, and cannot be filtered');
      return value.filter(isWanted);
    });

const one = (value: Json | undefined): readonly Json[] => (value === undefined ? [] : [value]);

function partsOf(value: Json): readonly Json[] {
  if (isList(value)) return value;
  return isObject(value) ? Object.values(value).flatMap(one) : [];
}
