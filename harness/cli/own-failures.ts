import { StatusError } from '../api/status.ts';
import { componentTable } from '../cluster/component-table.ts';
import { ConnectionError } from '../contracts/connection-error.ts';
import { ConsistencyError } from '../contracts/replicaset/consistency-store.ts';
import { NotImplemented } from '../contracts/todo.ts';
import type { Mine } from './mine.ts';
import { sayMissing } from './missing.ts';

interface OwnFailuresOptions {
  /** The workbook's folder. */
  readonly root: string;
  readonly own: Pick<Mine, 'yours'>;
  readonly tell: (line: string) => void;
}

/** What of a request is wrong in itself, so that it is refused however often it is sent. */
const WRONG = [400, 405, 415, 422];

/** So many different failures are told until something is loaded anew: a message may name another object each time. */
const TOLD_MAX = 20;

/**
 * Tells a learner what their components fail with and try again, which would be silent otherwise: a roll-out hangs, and nothing says why.
 * What a component has to expect is not told: conflicts, connections that break, caches that are behind.
 */
export class OwnFailures {
  readonly #options: OwnFailuresOptions;
  readonly #told = new Set<string>();

  constructor(options: OwnFailuresOptions) {
    this.#options = options;
  }

  /** A process failed, and goes on. */
  note(process: string, error: unknown): void {
    const { root, tell } = this.#options;
    if (isExpected(error) || !(this.#isTheirs(process) || whereIn(root, error).length > 0)) return;
    const line = `The ${process} failed, and goes on: ${describe(root, error)}`;
    if (this.#told.has(line) || this.#told.size === TOLD_MAX) return;
    this.#told.add(line);
    tell(line);
  }

  /** What was told is told again when it happens again. */
  forget(): void {
    this.#told.clear();
  }

  #isTheirs(process: string): boolean {
    return this.#options.own.yours.some((part) => {
      const { name } = componentTable[part].process ?? {};
      return name !== undefined && `${process}-`.startsWith(`${name}-`);
    });
  }
}

/** Tells a learner of promises that they do not wait for, and that fail: Node would end the whole cluster. */
export function tellingRejections(root: string, tell: (line: string) => void): Disposable {
  const listen = (error: unknown): void => {
    tell(`A promise that nothing waits for failed: ${describe(root, error)}`);
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

/** The lines of a stack that are about katas. The rest is about the harness, and about Node. */
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

function isExpected(error: unknown): boolean {
  if (error instanceof StatusError) return !WRONG.includes(error.status.code);
  return (
    error instanceof ConnectionError ||
    error instanceof ConsistencyError ||
    (error instanceof Error && error.name === 'AbortError')
  );
}
