/** Actions that repeat while no virtual time passes, with their places in the code. They describe a {@link HotLoop}. */
export class Repetitions {
  readonly #counts = new Map<string, { readonly what: string; readonly site: Site; count: number }>();
  #size = 0;

  /** Notes one action. The place comes from the caller's stack. */
  note(what: string): void {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 30;
    const site = siteOf(new Error().stack ?? '');
    Error.stackTraceLimit = stackTraceLimit;
    const key = `${what} ${site.words}`;
    const known = this.#counts.get(key);
    if (known) known.count++;
    else this.#counts.set(key, { what, site, count: 1 });
    this.#size++;
  }

  clear(): void {
    if (this.#size === 0) return;
    this.#counts.clear();
    this.#size = 0;
  }

  /**
   * Lists the most frequent actions, one line each, three at most: `1,000 × timer of 0 ms, by addAfter from
   * katas/24-deployment/deployment.ts:612`. Returns an empty text if no action was noted.
   */
  told(): string {
    if (this.#size === 0) return '';
    const often = this.#byCount().slice(0, 3);
    const rows = often.map(
      ({ what, site, count }) => `  ${count.toLocaleString('en')} × ${what}${site.words}`,
    );
    return `The last ${this.#size.toLocaleString('en')} calls:\n${rows.join('\n')}`;
  }

  /** The stack line of the most frequent action; empty if no action was noted. */
  get frame(): string {
    return this.#byCount()[0]?.site.frame ?? '';
  }

  #byCount() {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count);
  }
}

/** A place in code outside the harness. */
interface Site {
  /** ` from katas/24-deployment/deployment.ts:612`; empty if the stack has only harness code. */
  readonly words: string;
  /** `    at reconcile (/…/deployment.ts:612:5)` */
  readonly frame: string;
}

const NOWHERE: Site = { words: '', frame: '' };

/**
 * Returns the innermost place outside the harness. If that is code of another kata, such as its queue, returns the
 * place that calls it, and the name of the called function.
 */
function siteOf(stack: string): Site {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line) && FOLDER.test(line));
  const folder = (line: string): string => FOLDER.exec(line)?.[1] ?? '';
  const [inner = ''] = frames;
  const outer = frames.find((line) => folder(line) !== folder(inner));
  const frame = outer ?? inner;
  if (frame === '') return NOWHERE;
  const [, place = ''] = /((?:katas|solutions)\/[^()]*:\d+):\d+\)?$/.exec(frame) ?? [];
  const called = outer === undefined ? undefined : nameOf(frames[frames.indexOf(outer) - 1] ?? '');
  return { words: `${called ? `, by ${called}` : ''} from ${place}`, frame };
}

const FOLDER = /\/((?:katas|solutions)\/\d\d-[^/]+)\//;

/** Returns `addAfter` for `at DelayingQueue.addAfter (…)`. */
function nameOf(line: string): string | undefined {
  return /at (?:async )?(?:[\w.]*\.)?([\w#$]+) /.exec(line)?.[1];
}
