import { ProcessEnded } from './stall.ts';

/** A test is red with this when guarded code asked the machine for time or chance, whatever its assertions say. */
export class RealTimeUsed extends Error {
  override readonly name = 'RealTimeUsed';

  /**
   * @param called what was called, as one would write it: `Date.now()`
   * @param instead what to use instead, as the end of a sentence
   */
  constructor(called: string, instead: string) {
    super(`${called} is real: a run that uses it cannot be replayed. Use ${instead} instead.`);
  }
}

/** What guarded code must not do, and did: its stack begins at the caller. */
export type Offence = RealTimeUsed | ProcessEnded;

let offence: Offence | undefined;

/**
 * The first offence since the last call, if there was one; forgets all of them.
 *
 * Offences outlive the moment on purpose: one committed while a file loads belongs to its first test, and one
 * committed by what a test left running belongs to the test that is disturbed by it.
 */
export function takeOffence(): Offence | undefined {
  const first = offence;
  offence = undefined;
  return first;
}

/** Whether there was an offence since the last {@link takeOffence}. */
export function hasOffended(): boolean {
  return offence !== undefined;
}

/**
 * Wraps the globals that read the machine's clock, timers and random source, so that a call from a guarded file
 * is noted. The call is still carried out: an error thrown here would only teach code under test to swallow it.
 * What ends the process of the tests is noted, too, and not carried out: it throws.
 *
 * @param isGuarded - told a file name or URL, query included, says whether code in it is guarded. Only the
 * immediate caller is asked about, so libraries may do as they please.
 * @param onOffence - told of the first offence at once
 */
export function installRealTimeGuard(
  isGuarded: (file: string) => boolean,
  onOffence: (first: Offence) => void = () => {},
): void {
  const clock = 'the `clock` argument';
  const random = 'the `random` argument';

  /** Both the wrapper and what it hides from stacks must be the same function, or the caller is not on top. */
  const note = (wrapper: Callee, offend: () => Offence): Offence | undefined => {
    if (!isGuarded(callerOf(wrapper))) return undefined;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 5;
    const made = offend();
    Error.captureStackTrace(made, wrapper);
    Error.stackTraceLimit = stackTraceLimit;
    if (offence === undefined) {
      offence = made;
      onOffence(made);
    }
    return made;
  };

  const wrap = <K extends string>(owner: { [key in K]: unknown }, name: K, offend: () => Offence) => {
    const real = owner[name] as (...args: unknown[]) => unknown;
    const wrapper = function (this: unknown, ...args: unknown[]): unknown {
      const made = note(wrapper, offend);
      if (made instanceof ProcessEnded) throw made;
      return Reflect.apply(real, this, args);
    };
    // setTimeout carries promisify's hook, and code compares names: keep whatever the real one has.
    Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(real));
    owner[name] = wrapper;
  };

  wrap(globalThis, 'setTimeout', () => new RealTimeUsed('setTimeout()', clock));
  wrap(globalThis, 'setInterval', () => new RealTimeUsed('setInterval()', clock));
  wrap(globalThis, 'setImmediate', () => new RealTimeUsed('setImmediate()', clock));
  wrap(Math, 'random', () => new RealTimeUsed('Math.random()', random));
  wrap(performance, 'now', () => new RealTimeUsed('performance.now()', clock));
  wrap(crypto, 'randomUUID', () => new RealTimeUsed('crypto.randomUUID()', random));
  wrap(crypto, 'getRandomValues', () => new RealTimeUsed('crypto.getRandomValues()', random));
  wrap(Date, 'now', () => new RealTimeUsed('Date.now()', clock));

  for (const name of ['exit', 'abort', 'kill'] as const) {
    wrap<string>(
      process as unknown as { [key: string]: unknown },
      name,
      () => new ProcessEnded(`by process.${name}()`),
    );
  }

  const construct = (target: DateConstructor, args: unknown[], newTarget: Callee): object => {
    if (args.length === 0) note(construct, () => new RealTimeUsed('new Date()', clock));
    return Reflect.construct(target, args, newTarget);
  };
  const apply = (target: DateConstructor): string => {
    note(apply, () => new RealTimeUsed('Date()', clock));
    return target();
  };
  globalThis.Date = new Proxy(Date, { construct, apply });
}

type Callee = (...args: never[]) => unknown;

/**
 * The file of the code that called `callee`, be it by way of the language or of Node: `numbers.map(Math.random)`. Reads few
 * and raw frames, for these functions are called often.
 */
function callerOf(callee: Callee): string {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 3;
  Error.prepareStackTrace = (_, sites) => sites;
  const holder: { stack?: NodeJS.CallSite[] } = {};
  Error.captureStackTrace(holder, callee);
  const files = holder.stack?.map((site) => site.getFileName() ?? '') ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace;
  return files.find((file) => file !== '' && !file.startsWith('node:')) ?? '';
}
