import { format } from 'node:util';
import { expect } from 'vitest';

// What is not replaced below is Vitest's own: `expect`, `assert`, `expectTypeOf`.
export * from 'vitest';

/** What a test or a hook is given; a part of Vitest's own context. */
export interface Context {
  readonly expect: typeof expect;
  readonly task: { readonly name: string };
  readonly onTestFinished: (hook: Hook) => void;
}

/** One test, collected and not yet run. */
export interface Case {
  /** The names of its suites and its own, joined by ` > `. */
  readonly fullName: string;
  /** The name of its outermost suite; empty when it has none. */
  readonly group: string;
  readonly name: string;
  /** Runs it once, hooks included. Rejects as the test does. */
  readonly run: () => Promise<void>;
}

type Hook = (context: Context) => unknown;
type Body = (...args: never[]) => unknown;

interface Suite {
  readonly name: string;
  readonly parent: Suite | undefined;
  readonly beforeAll: Hook[];
  readonly beforeEach: Hook[];
  readonly afterEach: Hook[];
  begun: boolean;
}

let cases: Case[] = [];
let suite = suiteOf('', undefined);
let finishers: Hook[] = [];

/**
 * Loads a test file and returns its tests.
 *
 * @param load - imports the file; a second import of the same URL runs nothing and so collects nothing
 */
export async function collect(load: () => Promise<unknown>): Promise<readonly Case[]> {
  cases = [];
  suite = suiteOf('', undefined);
  await load();
  return cases;
}

/** Stands in for Vitest's `test`. */
export const test = Object.assign(define, { each: eachOf(define), for: eachOf(define, 'whole') });

/** The same as {@link test}. */
export const it = test;

/** Stands in for Vitest's `describe`. */
export const describe = Object.assign(group, { each: eachOf(group), for: eachOf(group, 'whole') });

/** Runs before the first test of its suite that runs. */
export function beforeAll(hook: Hook): void {
  suite.beforeAll.push(hook);
}

/** Ignored: what it would clean up may be needed again, for another seed. */
export function afterAll(_: Hook): void {}

/** Runs before each test of its suite, those of outer suites first. */
export function beforeEach(hook: Hook): void {
  suite.beforeEach.push(hook);
}

/** Runs after each test of its suite, those of inner suites first. */
export function afterEach(hook: Hook): void {
  suite.afterEach.unshift(hook);
}

/** Runs when the current test has ended, the last registered first. */
export function onTestFinished(hook: Hook): void {
  finishers.unshift(hook);
}

function define(name: string, ...rest: readonly (Body | object | number)[]): void {
  const body = rest.find((part): part is Body => typeof part === 'function');
  if (!body) throw new Error(`Failed to collect "${name}": it has no body.`);
  const own = suite;
  const chain = lineage(own);
  const names = [...chain.map((outer) => outer.name).filter((outer) => outer !== ''), name];
  cases.push({
    name,
    group: names.length > 1 ? (names[0] ?? '') : '',
    fullName: names.join(' > '),
    run: () => runThrough(chain, { expect, task: { name }, onTestFinished }, body as Hook),
  });
}

function group(name: string, ...rest: readonly (Body | object | number)[]): void {
  const body = rest.find((part): part is Body => typeof part === 'function');
  const outer = suite;
  suite = suiteOf(name, outer);
  (body as (() => void) | undefined)?.();
  suite = outer;
}

async function runThrough(chain: readonly Suite[], context: Context, body: Hook): Promise<void> {
  finishers = [];
  const opened: Suite[] = [];
  try {
    for (const one of chain) {
      opened.unshift(one);
      if (!one.begun) for (const hook of one.beforeAll) await hook(context);
      one.begun = true;
      for (const hook of one.beforeEach) await hook(context);
    }
    await body(context);
  } finally {
    for (const one of opened) for (const hook of one.afterEach) await hook(context);
    for (const hook of finishers) await hook(context);
  }
}

/** The `each` of a definer: an array of arguments is spread, unless the case is handed over `whole`. */
function eachOf(definer: typeof define, how: 'spread' | 'whole' = 'spread') {
  return (rows: readonly unknown[]) =>
    (name: string, ...rest: readonly (Body | object | number)[]): void => {
      rows.forEach((row, index) => {
        const args = Array.isArray(row) && how === 'spread' ? row : [row];
        const bound = rest.map((part) =>
          typeof part === 'function'
            ? (context: Context) => (part as (...all: unknown[]) => unknown)(...args, context)
            : part,
        );
        definer(titleOf(name, row, index), ...(bound as (Body | object)[]));
      });
    };
}

/** The name of one of many, with `%s`, `%#` and `$field` filled in as Vitest does. */
function titleOf(name: string, row: unknown, index: number): string {
  const values = Array.isArray(row) ? row : [row];
  const numbered = name.replaceAll('%#', String(index)).replaceAll('%$', String(index + 1));
  const fields = numbered.replace(/\$([\w.]+)/g, (whole, path: string) => {
    const value = path
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], row);
    return value === undefined ? whole : String(value);
  });
  const wanted = fields.match(/%[sdifjoOc]/g)?.length ?? 0;
  return format(fields, ...values.slice(0, wanted));
}

function lineage(inner: Suite): readonly Suite[] {
  return inner.parent ? [...lineage(inner.parent), inner] : [inner];
}

function suiteOf(name: string, parent: Suite | undefined): Suite {
  return { name, parent, beforeAll: [], beforeEach: [], afterEach: [], begun: false };
}
