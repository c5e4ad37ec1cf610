import { ProcessEnded } from './stall.ts';

/** The error of a test whose guarded code used the machine's time or randomness, whatever its assertions report. */
export class RealTimeUsed extends Error {
  override readonly name = 'RealTimeUsed';

  /**
   * @param called the call as written in code: `Date.now()`
   * @param instead the replacement to use, as the end of a sentence
   */
  constructor(called: string, instead: string) {
    super(`${called} is real: a run that uses it cannot be replayed. Use ${instead} instead.`);
  }
}

/** A forbidden call in guarded code: its stack begins at the caller. */
export type Offence = RealTimeUsed | ProcessEnded;

let offence: Offence | undefined;

/**
 * Returns the first offence since the last call, if any, and forgets all of them.
 *
 * Offences are kept on purpose. An offence during the loading of a file belongs to its first test, and an offence of
 * leftover code belongs to the test that it disturbs.
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
 * Wraps the globals that read the machine's clock, timers and random source, so that a call from a guarded file is
 * recorded. The call is still carried out: an error thrown here would only teach code under test to swallow it. A
 * call that would end the process of the tests is also recorded, but throws instead.
 *
 * @param isGuarded - takes a file name or URL, query included, and returns whether code in it is guarded. Only the
 * immediate caller is checked, so libraries may do as they please.
 * @param onOffence - called immediately with the first offence
 */
export function installRealTimeGuard(
  isGuarded: (file: string) => boolean,
  onOffence: (first: Offence) => void = () => {},
): void {
  const clock = 'the `clock` argument';
  const random = 'the `random` argument';

  /** The wrapper and the function that is hidden from stacks must be the same, or the caller is not on top. */
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
    // setTimeout has promisify's hook, and code compares names: copy all properties of the original.
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

  // Only a child process has `disconnect`.
  for (const name of ['exit', 'reallyExit', 'abort', 'kill', 'disconnect'].filter(
    (each) => each in process,
  )) {
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
 * Returns the file of the code that called `callee`, even indirectly through the language or Node:
 * `numbers.map(Math.random)`. Reads only a few raw frames, because these functions are called often.
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
