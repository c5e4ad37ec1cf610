import { NotImplemented } from '../contracts/todo.ts';
import { resetEvidence } from '../testing/property.ts';
import { byTeachingOrder, type Kata } from '../workbook/katas.ts';
import { RealTimeUsed, takeOffence } from './real-time-guard.ts';
import { type Case, collect } from './stand-in.ts';
import { NeverEnded, NeverYielded, watched } from './watchdog.ts';

/** A test of a kata, and the file it stands in. */
export interface JudgedCase extends Case {
  readonly file: string;
}

/** How a judged test ended. */
export type Verdict =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly error: unknown; readonly abandoned: boolean };

/**
 * Collects the tests of a kata from the module graph `as` (see the judge's plugin).
 *
 * @throws Error when there are none: nothing would pass everything
 */
export async function collectAs(root: string, kata: Kata, as: string): Promise<readonly JudgedCase[]> {
  const collected: JudgedCase[] = [];
  for (const file of [...kata.tests].sort(byTeachingOrder)) {
    const url = `${file.slice(root.length)}?as=${as}`;
    const cases = await collect(() => import(/* @vite-ignore */ url));
    if (cases.length === 0) throw new Error(`Failed to collect ${url}: it defines no test.`);
    collected.push(...cases.map((one) => ({ ...one, file })));
  }
  if (collected.length === 0) throw new Error(`Failed to collect ${kata.id}: it has no test file.`);
  return collected;
}

/** Runs one test as a learner's would be run: under the watchdog, and red when it used real time. */
export async function runCase(one: Case): Promise<Verdict> {
  const totalMs = 60_000;
  const idleMs = 500;
  resetEvidence();
  takeOffence();
  uncaught.length = 0;
  try {
    await watched(one.run, { totalMs, idleMs });
    // Node reports a rejection nobody handled after the microtasks of this turn.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (uncaught.length > 0) return { outcome: 'failed', error: uncaught[0], abandoned: false };
    const offence = takeOffence();
    if (offence) return { outcome: 'failed', error: new RealTimeUsed(offence), abandoned: false };
    return { outcome: 'passed' };
  } catch (error) {
    const abandoned = error instanceof NeverYielded || error instanceof NeverEnded;
    return { outcome: 'failed', error, abandoned };
  } finally {
    resetEvidence();
    takeOffence();
    NotImplemented.last = undefined;
  }
}

const uncaught: unknown[] = [];

/**
 * Takes over what nobody caught, for the rest of this process: what a mistake leaves behind kills it, and must not
 * turn the judge red.
 */
export function captureUncaught(): void {
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.removeAllListeners(event);
    process.on(event, (error: unknown) => {
      uncaught.push(error);
    });
  }
}
