/** What code does again and again while no virtual time passes, and from where: kept to tell a hot loop by. */
export class Repetitions {
  readonly #counts = new Map<string, { readonly what: string; readonly site: Site; count: number }>();
  #size = 0;

  /** Notes one thing that was done just now; the caller's stack says from where. */
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
   * What was done most often, a line each, three at most: `1,000 × timer of 0 ms, by addAfter from
   * katas/24-deployment/deployment.ts:612`. Empty when nothing was noted.
   */
  told(): string {
    if (this.#size === 0) return '';
    const often = this.#byCount().slice(0, 3);
    const rows = often.map(
      ({ what, site, count }) => `  ${count.toLocaleString('en')} × ${what}${site.words}`,
    );
    return `The last ${this.#size.toLocaleString('en')} of them:\n${rows.join('\n')}`;
  }

  /** The line of the stack from which the most frequent thing was done; empty when nothing was noted. */
  get frame(): string {
    return this.#byCount()[0]?.site.frame ?? '';
  }

  #byCount() {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count);
  }
}

/** A place in code that is not the harness's. */
interface Site {
  /** ` from katas/24-deployment/deployment.ts:612`; empty when all is the harness's. */
  readonly words: string;
  /** `    at reconcile (/…/deployment.ts:612:5)` */
  readonly frame: string;
}

const NOWHERE: Site = { words: '', frame: '' };

/**
 * The innermost place outside of the harness; but of a part that another kata's code uses, like its queue, the place that uses it,
 * and what it called there.
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

/** `addAfter` of `at DelayingQueue.addAfter (…)`. */
function nameOf(line: string): string | undefined {
  return /at (?:async )?(?:[\w.]*\.)?([\w#$]+) /.exec(line)?.[1];
}
