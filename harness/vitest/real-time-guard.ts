/** One use of real time or real randomness by code that must be given its clock and its random numbers. */
export interface Offence {
  /** What was called, as one would write it: `Date.now()`. */
  readonly called: string;
  /** What to use instead, as the end of a sentence. */
  readonly instead: string;
  /** The stack at the call, from the caller down, in the coordinates of the transformed script. */
  readonly stack: string;
}

/** A test is red with this when guarded code asked the machine for time or chance, whatever its assertions say. */
export class RealTimeUsed extends Error {
  override readonly name = 'RealTimeUsed';

  constructor({ called, instead, stack }: Offence) {
    super(`${called} is real: a run that uses it cannot be replayed. Use ${instead} instead.`);
    this.stack = `${this.name}: ${this.message}\n${stack}`;
  }
}

const offences: Offence[] = [];

/**
 * The first offence since the last call, if there was one; forgets all of them.
 *
 * Offences outlive the moment on purpose: one committed while a file loads belongs to its first test, and one
 * committed by what a test left running belongs to the test that is disturbed by it.
 */
export function takeOffence(): Offence | undefined {
  const [first] = offences.splice(0);
  return first;
}

/**
 * Wraps the globals that read the machine's clock, timers and random source, so that a call from a guarded file
 * is noted. The call is still carried out: an error thrown here would only teach code under test to swallow it.
 *
 * @param isGuarded - told a file name or URL, query included, says whether code in it is guarded. Only the
 * immediate caller is asked about, so libraries may do as they please.
 */
export function installRealTimeGuard(isGuarded: (file: string) => boolean): void {
  const clock = 'the `clock` argument';
  const random = 'the `random` argument';

  /** Both the wrapper and what it hides from stacks must be the same function, or the caller is not on top. */
  const note = (wrapper: Callee, called: string, instead: string): void => {
    if (!isGuarded(callerOf(wrapper))) return;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 5;
    const at: { stack?: string } = {};
    Error.captureStackTrace(at, wrapper);
    Error.stackTraceLimit = stackTraceLimit;
    offences.push({ called, instead, stack: (at.stack ?? '').replace(/^[^\n]*\n/, '') });
  };

  const wrap = <K extends string>(
    owner: { [key in K]: unknown },
    name: K,
    called: string,
    instead: string,
  ) => {
    const real = owner[name] as (...args: unknown[]) => unknown;
    const wrapper = function (this: unknown, ...args: unknown[]): unknown {
      note(wrapper, called, instead);
      return Reflect.apply(real, this, args);
    };
    // setTimeout carries promisify's hook, and code compares names: keep whatever the real one has.
    Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(real));
    owner[name] = wrapper;
  };

  wrap(globalThis, 'setTimeout', 'setTimeout()', clock);
  wrap(globalThis, 'setInterval', 'setInterval()', clock);
  wrap(globalThis, 'setImmediate', 'setImmediate()', clock);
  wrap(Math, 'random', 'Math.random()', random);
  wrap(performance, 'now', 'performance.now()', clock);
  wrap(crypto, 'randomUUID', 'crypto.randomUUID()', random);
  wrap(crypto, 'getRandomValues', 'crypto.getRandomValues()', random);
  wrap(Date, 'now', 'Date.now()', clock);

  const construct = (target: DateConstructor, args: unknown[], newTarget: Callee): object => {
    if (args.length === 0) note(construct, 'new Date()', clock);
    return Reflect.construct(target, args, newTarget);
  };
  const apply = (target: DateConstructor): string => {
    note(apply, 'Date()', clock);
    return target();
  };
  globalThis.Date = new Proxy(Date, { construct, apply });
}

type Callee = (...args: never[]) => unknown;

/**
 * The file of whoever called `callee`, be it by way of the language or of Node: `numbers.map(Math.random)`. Reads few
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
