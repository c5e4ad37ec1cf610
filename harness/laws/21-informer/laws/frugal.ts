import { isExpired, isTooLargeResourceVersion, isTooManyRequests, StatusError } from '../../../api/status.ts';
import { isConnectionRefused } from '../../../contracts/connection-error.ts';
import { lawAbout, type Violation } from '../../../testing/holds.ts';
import type { InformerHistory, Of } from '../history.ts';
import { requestNames } from '../render/names.ts';
import { violation } from './law.ts';

/** A watch that ends sooner, without an event, has failed. */
export const SHORT_WATCH_MS = 1_000;

/**
 * Safety. The informer lists, streaming or not, at the start. It lists again only if a watch cannot resume: after a
 * failure that the server reported, or after a watch that ended at once without an event. It has one watch at a time.
 * When a watch ends, the next one resumes at the last revision seen; a busy or absent server still has that revision.
 * The informer never repeats a request for a version that the server does not have.
 */
export const frugal = lawAbout<InformerHistory>(
  {
    name: 'a watch that ended without an error',
    isMet: ({ entries }) =>
      entries.some((entry, i) => entry.kind === 'ended' && entries[i - 1]?.kind !== 'event'),
  },
  ({ entries }) => {
    const permissions = new Permissions();
    return entries.flatMap((entry): readonly Violation[] => {
      switch (entry.kind) {
        case 'asked':
          return permissions.asked(entry);
        case 'opened':
          return permissions.opened(entry);
        case 'closed':
          permissions.closed(entry);
          return [];
        case 'listed':
          permissions.listed(entry);
          return [];
        case 'failed':
          permissions.failed(entry, entry.error);
          return [];
        case 'event':
          permissions.event(entry);
          return [];
        case 'ended':
          permissions.ended(entry);
          return [];
        default:
          return [];
      }
    });
  },
);

/** The requests that the informer may send after the answers that it got. */
class Permissions {
  #mayList = true;
  #seen: string | undefined;
  /** The versions that the server does not have, by kind of request. */
  readonly #refused = new Set<string>();
  /** The ids of the open streams. */
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
    // From here on, the streaming list is a watch that begins now.
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
