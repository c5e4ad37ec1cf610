import { componentTable, roleOf } from '../cluster/component-table.ts';
import { Caught } from '../contracts/caught.ts';
import { NotImplemented } from '../contracts/todo.ts';
import { isExpectedError } from './expected-error.ts';
import type { Mine } from './mine.ts';
import { sayMissing } from './missing.ts';

interface OwnFailuresOptions {
  /** The workbook's folder. */
  readonly root: string;
  readonly own: Pick<Mine, 'yours'>;
  readonly tell: (line: string) => void;
}

/** Maximum number of failures to report until a file is reloaded: each message may name another object. */
const REPORTED_MAX = 20;

/**
 * Reports the errors that make a learner's component retry. Without a report, a roll-out would hang without an explanation.
 * Leaves out the errors that a component must expect: conflicts, broken connections, stale caches.
 */
export class OwnFailures {
  readonly #options: OwnFailuresOptions;
  readonly #lines = new Set<string>();
  readonly #errors = new WeakSet<object>();

  constructor(options: OwnFailuresOptions) {
    this.#options = options;
  }

  /** Reports an error of a process that keeps running. Each error and each line is reported once. */
  note(process: string, error: unknown): void {
    const { root, tell } = this.#options;
    if (isExpectedError(error) || !(this.#isTheirs(process) || whereIn(root, error).length > 0)) return;
    if (typeof error === 'object' && error !== null) {
      if (this.#errors.has(error)) return;
      this.#errors.add(error);
    }
    const line = `The ${roleOf(process)} failed and keeps running: ${describe(root, error)}`;
    if (this.#lines.has(line) || this.#lines.size === REPORTED_MAX) return;
    this.#lines.add(line);
    tell(line);
  }

  /** Reports the errors that components catch and only log, such as those of a kubelet's pods, until it is disposed of. */
  watchCaught(): Disposable {
    const { root } = this.#options;
    const before = Caught.current;
    const note = (error: unknown): void => {
      const kata = error instanceof NotImplemented ? error.kata : kataIn(whereIn(root, error));
      if (kata !== undefined) this.note(processIn(kata), error);
    };
    Caught.current = new (class extends Caught {
      override note(error: unknown): void {
        note(error);
      }
    })();
    return {
      [Symbol.dispose]() {
        Caught.current = before;
      },
    };
  }

  /** Forgets the reported failures: they are reported again when they happen again. */
  forget(): void {
    this.#lines.clear();
  }

  #isTheirs(process: string): boolean {
    return this.#options.own.yours.some((part) => componentTable[part].process?.name === roleOf(process));
  }
}

/**
 * Returns the process of a kata's component, or the component's name if other processes use it: `kubelet`, `informer`.
 */
function processIn(kata: string): string {
  const [part, row] = Object.entries(componentTable).find(([, row]) => row.kata === kata) ?? [kata];
  return row?.process?.name ?? part;
}

function kataIn([first = '']: readonly string[]): string | undefined {
  return /\bkatas\/([^/]+)\//.exec(first)?.[1];
}

/** Reports rejected promises that no code awaits. Otherwise Node would end the whole cluster. */
export function tellingRejections(root: string, tell: (line: string) => void): Disposable {
  const listen = (error: unknown): void => {
    tell(`A promise that no code awaits was rejected: ${describe(root, error)}`);
  };
  process.on('unhandledRejection', listen);
  return { [Symbol.dispose]: () => void process.off('unhandledRejection', listen) };
}

/** Returns the error and the places in the learner's files that it came through; for a `todo`, the level that is missing. */
export function describe(root: string, error: unknown): string {
  if (error instanceof NotImplemented) {
    return `${sayMissing(root, error)}. Read "${error.heading}" in katas/${error.kata}/README.md.`;
  }
  return [String(error), ...whereIn(root, error)].join('\n');
}

/** Returns the lines of a stack in the files of katas. The other lines belong to the harness and to Node. */
function whereIn(root: string, error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const lines = (error.stack ?? '').split('\n');
  return lines.flatMap((line) => {
    const at = line.replace(/(file:\/\/)?(\/[^\s()]*)/, (_, __, place: string) =>
      place.replace(`${root}/`, '').replace(/\?\d+/, ''),
    );
    return /^\s+at .*\bkatas\//.test(at) && !line.includes('/node_modules/') ? [at] : [];
  });
}
