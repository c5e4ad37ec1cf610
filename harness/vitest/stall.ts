/** One frame of the interrupted stack, in the coordinates of the source as written. */
export interface Frame {
  readonly method: string;
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

/** Code that held the thread, as the watchdog found it. */
export interface Stall {
  /** For how long nothing else could happen, in ms of the watchdog's own time; 0: it let other things happen. */
  readonly silentMs: number;
  /** How much more memory the process had than before, in MB; of code that lets other things happen, how much in all. */
  readonly grownMb: number;
  /** Innermost first; empty if the loop could not be caught in code of the workbook. */
  readonly frames: readonly Frame[];
}

/** What a test that stalled is red with. */
export function errorOf(stall: Stall): NeverYielded | MemoryUsedUp {
  return stall.silentMs > 0 ? new NeverYielded(stall) : new MemoryUsedUp(stall);
}

/** The code under test held the thread: an endless loop, be it synchronous or of microtasks. */
export class NeverYielded extends Error {
  override readonly name = 'NeverYielded';

  constructor({ silentMs, grownMb, frames }: Stall) {
    const memory = grownMb >= 100 ? `, and took ${grownMb} MB of memory` : '';
    super(
      `The code ran for ${silentMs / 1000} s without letting anything else happen${memory}: a loop that never ends.`,
    );
    this.stack = stackOf(this, frames);
  }
}

/** The code under test lets other things happen, and keeps what it makes until there is no room. */
export class MemoryUsedUp extends Error {
  override readonly name = 'MemoryUsedUp';

  constructor({ grownMb, frames }: Stall) {
    super(`The test took ${grownMb} MB of memory: it keeps what it makes, in a loop that does not end.`);
    this.stack = stackOf(this, frames);
  }
}

/** The code under test ended the process in which its tests run, or used up its memory. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';

  constructor(how: string) {
    super(`The process of the tests ended: ${how}.`);
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** The run awaits something that will not happen. */
export class NeverEnded extends Error {
  override readonly name = 'NeverEnded';

  constructor(what: string) {
    super(`The test never settled: ${what}.`);
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** A module awaits a promise at its top, outside of all functions, and nothing is left to resolve it. */
export class NeverLoaded extends Error {
  override readonly name = 'NeverLoaded';

  /** @param at the `await`, 1-based; absent if it could not be found */
  constructor(at?: { readonly file: string; readonly line: number }) {
    super('The module never finished loading: it awaits a promise that nothing is left to resolve.');
    this.stack = stackOf(this, at ? [{ ...at, method: '', column: 1 }] : []);
  }
}

/**
 * The run took all the CPU time that it may take. This says nothing about the code under test, only about the limit: a test
 * that ends with it has neither passed nor failed.
 */
export class Undecided extends Error {
  override readonly name = 'Undecided';

  /** @param cpuMs the limit that was reached, in ms of CPU time */
  constructor(cpuMs: number) {
    super(`Not finished within ${cpuMs / 1000} s of CPU time: nothing was found against it.`);
    this.stack = `${this.name}: ${this.message}`;
  }
}

function stackOf({ name, message }: Error, frames: readonly Frame[]): string {
  const lines = frames.map((f) => `    at ${f.method || '<anonymous>'} (${f.file}:${f.line}:${f.column})`);
  return [`${name}: ${message}`, ...lines].join('\n');
}
