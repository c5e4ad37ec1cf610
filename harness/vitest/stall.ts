/** One frame of the interrupted stack, in source coordinates. */
export interface Frame {
  readonly method: string;
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

/** Code that blocked the thread, as the watchdog found it. */
export interface Stall {
  /** How long nothing else could run, in ms of the watchdog's own time; 0 if other code could run. */
  readonly silentMs: number;
  /** How much the memory of the process grew in that time, in MB; its total memory if other code could run. */
  readonly grownMb: number;
  /** Innermost first; empty if the loop could not be interrupted in code of the workbook. */
  readonly frames: readonly Frame[];
}

/** Returns the error of a test that stalled. */
export function errorOf(stall: Stall): NeverYielded | MemoryUsedUp {
  return stall.silentMs > 0 ? new NeverYielded(stall) : new MemoryUsedUp(stall);
}

/** The code under test blocked the thread: a synchronous loop without end, or one of microtasks. */
export class NeverYielded extends Error {
  override readonly name = 'NeverYielded';

  constructor({ silentMs, grownMb, frames }: Stall) {
    const memory = grownMb >= 100 ? `, and used ${grownMb} MB of memory` : '';
    super(
      `The code ran for ${silentMs / 1000} s without letting anything else happen${memory}: a loop that never ends.`,
    );
    this.stack = stackOf(this, frames);
  }
}

/** The code under test yields, but keeps its data until the memory is full. */
export class MemoryUsedUp extends Error {
  override readonly name = 'MemoryUsedUp';

  constructor({ grownMb, frames }: Stall) {
    super(`The test used ${grownMb} MB of memory: a loop that never ends keeps its results.`);
    this.stack = stackOf(this, frames);
  }
}

/** The code under test ended the process of its tests, or used up its memory. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';

  constructor(how: string) {
    super(`The process of the tests ended: ${how}.`);
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** The run awaits something that will never happen. */
export class NeverEnded extends Error {
  override readonly name = 'NeverEnded';

  constructor(what: string) {
    super(`The test never settled: ${what}.`);
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** A module has a top-level `await` of a promise that nothing can resolve any more. */
export class NeverLoaded extends Error {
  override readonly name = 'NeverLoaded';

  /** @param at the `await`, 1-based; absent if it could not be found */
  constructor(at?: { readonly file: string; readonly line: number }) {
    super('The module never finished loading: it awaits a promise that nothing is left to resolve.');
    this.stack = stackOf(this, at ? [{ ...at, method: '', column: 1 }] : []);
  }
}

/**
 * The run used up its CPU time. This says nothing about the code under test, only about the limit: such a test has
 * neither passed nor failed.
 */
export class Undecided extends Error {
  override readonly name = 'Undecided';

  /** @param cpuMs the limit that was reached, in ms of CPU time */
  constructor(cpuMs: number) {
    super(`Not finished within ${cpuMs / 1000} s of CPU time: no failure was found.`);
    this.stack = `${this.name}: ${this.message}`;
  }
}

function stackOf({ name, message }: Error, frames: readonly Frame[]): string {
  const lines = frames.map((f) => `    at ${f.method || '<anonymous>'} (${f.file}:${f.line}:${f.column})`);
  return [`${name}: ${message}`, ...lines].join('\n');
}
