import { isExpired, isTooLargeResourceVersion, isTooManyRequests, StatusError } from '../../api/status.ts';
import { isConnectionRefused } from '../../contracts/connection-error.ts';
import { lawAbout, type Violation } from '../../testing/holds.ts';
import type { InformerHistory, Of } from './history.ts';
import { violation } from './law.ts';
import { requestNames } from './names.ts';

/** A watch that ends sooner than that, without an event, has failed. */
export const SHORT_WATCH_MS = 1_000;

/**
 * Safety. A list, streaming or not, is made at the start, and again only where a watch cannot go on: after a failure that the
 * server reported, or a watch that ended at once with nothing. There is one watch at a time. One that ends resumes at the last revision seen. A
 * server that is too busy, or away, knows that revision still. And a version that the server does not have is not asked for
 * again.
 */
export const frugal = lawAbout<InformerHistory>(
  {
    name: 'a watch that ended in good order',
    isMet: ({ entries }) =>
      entries.some((entry, i) => entry.kind === 'ended' && entries[i - 1]?.kind !== 'event'),
  },
  ({ entries }) => {
    const books = new Books();
    return entries.flatMap((entry): readonly Violation[] => {
      switch (entry.kind) {
        case 'asked':
          return books.asked(entry);
        case 'opened':
          return books.opened(entry);
        case 'closed':
          books.closed(entry);
          return [];
        case 'listed':
          books.listed(entry);
          return [];
        case 'failed':
          books.failed(entry, entry.error);
          return [];
        case 'event':
          books.event(entry);
          return [];
        case 'ended':
          books.ended(entry);
          return [];
        default:
          return [];
      }
    });
  },
);

/** What the informer may ask for, by what it has been answered. */
class Books {
  #mayList = true;
  #seen: string | undefined;
  /** What the server has said that it does not have, by kind of request. */
  readonly #refused = new Set<string>();
  /** The streams that are open, by their numbers. */
  readonly #open = new Set<number>();
  #sinceMs = 0;
  #events = 0;
  /** How the last watch ended, as the end of a sentence. */
  #lastEnd = '';

  asked(entry: Of<'asked'>): readonly Violation[] {
    const { request, version } = entry;
    if (request === 'page') return [];
    if (version !== '' && this.#refused.has(`${request} ${version}`)) {
      return [
        violation(
          entry,
          `the informer sent a ${requestNames[request]} at resourceVersion ${version} again, although the server had just refused that version`,
        ),
      ];
    }
    if (request === 'watch') {
      if (version === this.#seen) return [];
      const seen = this.#seen === undefined ? 'none' : this.#seen;
      return [
        violation(
          entry,
          `the informer watched from resourceVersion ${version || '""'}; it must go on from the last one that it has received, ${seen}`,
        ),
      ];
    }
    const allowed = this.#mayList;
    this.#mayList = false;
    return allowed
      ? []
      : [
          violation(
            entry,
            `the informer sent a ${requestNames[request]} again, although a watch from ${this.#seen || 'its last version'} was enough${this.#lastEnd}`,
          ),
        ];
  }

  opened(entry: Of<'opened'>): readonly Violation[] {
    this.#began(entry.atMs);
    const isFirst = this.#open.size === 0;
    this.#open.add(entry.id);
    return isFirst ? [] : [violation(entry, 'the informer opened a watch while another one was open')];
  }

  closed({ id }: Of<'closed'>): void {
    this.#open.delete(id);
  }

  listed({ atMs, request, resourceVersion }: Of<'listed'>): void {
    this.#seen = resourceVersion;
    this.#refused.clear();
    // From here on a streaming list is a watch that begins now.
    if (request === 'stream') this.#began(atMs);
  }

  failed({ request, version }: Of<'failed'> | Of<'event'>, error: unknown): void {
    const isWatch = request === 'watch';
    if (isExpired(error) || isTooLargeResourceVersion(error)) this.#refused.add(`${request} ${version}`);
    if (!isWatch || !(isTooManyRequests(error) || isConnectionRefused(error))) this.#mayList = true;
  }

  event(entry: Of<'event'>): void {
    const { event, request } = entry;
    if (event.type === 'ERROR') {
      this.failed(entry, new StatusError(event.object));
      return;
    }
    if (request === 'stream') return;
    this.#events++;
    this.#seen = event.object.metadata.resourceVersion;
  }

  ended({ atMs, request }: Of<'ended'>): void {
    this.#lastEnd = `: its watch ended at ${atMs} ms, after ${atMs - this.#sinceMs} ms, and that is no failure`;
    const isShort = this.#events === 0 && atMs - this.#sinceMs < SHORT_WATCH_MS;
    if (isShort || request === 'stream') this.#mayList = true;
  }

  #began(atMs: number): void {
    this.#sinceMs = atMs;
    this.#events = 0;
  }
}
