import { parseSync } from 'vite';
import { expect, test, vi } from 'vitest';
import { ON_CATCH, tellingCatches } from './catch-plugin.ts';

const hook = globalThis as { [ON_CATCH]?: unknown };

/** Runs the body of a function as a module of a kata; returns its result and the errors that it reported. */
async function run(body: string): Promise<{ readonly given: unknown; readonly told: readonly unknown[] }> {
  const code = `export const run = async () => {${body}};`;
  const telling = tellingCatches(code, parseSync('a.ts', code).program);
  expect(telling.split('\n').length).toBe(code.split('\n').length);
  const before = hook[ON_CATCH];
  const told = vi.fn();
  hook[ON_CATCH] = told;
  try {
    const module = await import(`data:text/javascript,${encodeURIComponent(telling)}`);
    return { given: await module.run(), told: told.mock.calls.flat() };
  } finally {
    hook[ON_CATCH] = before;
  }
}

test.each([
  ['a clause', `try { throw 1 } catch (error) { return error + 1 }`, 2, [1]],
  ['a clause without a name', `/* Ωµ */ try { throw 1 } catch { return 2 }`, 2, [1]],
  [
    'a clause that takes apart',
    `try { throw { a: 1 } } catch ({\n a,\n b = 2 }) { return a + b }`,
    3,
    [{ a: 1 }],
  ],
  ['clauses in each other', `try { try { throw 1 } catch { throw 2 } } catch (e) { return e }`, 2, [1, 2]],
  ['a handler', `return Promise.reject(1).catch(() => 2)`, 2, [1]],
  [
    'a handler beside another',
    `return Promise.reject(1).then(() => 3, function (e) { return e + 1 })`,
    2,
    [1],
  ],
  [
    'handlers in each other',
    `return Promise.reject(1).catch(() => Promise.reject(2).catch((e) => e))`,
    2,
    [1, 2],
  ],
  ['what only looks like one', `return "try {} catch {}.catch(() => {})".length // catch {`, 31, []],
  ['what goes well', `try { return await Promise.resolve(1).then((n) => n) } catch { return 2 }`, 1, []],
])('%s reports the errors that it catches, and behaves as before', async (_, body, given, told) => {
  expect(await run(body.includes('//') ? `${body}\n` : body)).toEqual({ given, told });
});
