import { format } from 'node:util';
import { expect } from 'vitest';

// Everything that is not replaced below is Vitest's own: `expect`, `assert`, `expectTypeOf`.
export * from 'vitest';

/** The context of a test or a hook: a part of Vitest's own context. */
export interface Context {
  readonly expect: typeof expect;
  readonly task: { readonly name: string };
  readonly onTestFinished: (hook: Hook) => void;
}

/** One test, collected but not run. */
export interface Case {
  /** The names of its suites and its own name, joined by ` > `. */
  readonly fullName: string;
  /** The name of its outermost suite; empty without one. */
  readonly group: string;
  readonly name: string;
  /** Runs the test once, with its hooks. Rejects as the test does. */
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

/** Registers a hook that runs before the first executed test of its suite. */
export function beforeAll(hook: Hook): void {
  suite.beforeAll.push(hook);
}

/** Ignored: another seed may still need the values that it would clean up. */
export function afterAll(_: Hook): void {}

/** Registers a hook that runs before each test of its suite, after the hooks of outer suites. */
export function beforeEach(hook: Hook): void {
  suite.beforeEach.push(hook);
}

/** Registers a hook that runs after each test of its suite, before the hooks of outer suites. */
export function afterEach(hook: Hook): void {
  suite.afterEach.unshift(hook);
}

/** Registers a hook that runs when the current test ends, in reverse order of registration. */
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

/** Returns the `each` of a definer: an array of arguments is spread, unless `how` is `whole`. */
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

/** Returns the title of one row, with `%s`, `%#` and `$field` replaced as in Vitest. */
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
