import type { KeyWatchRequest, WatchResponse } from '../../../contracts/store/index.ts';
import type { StoreHistory } from '../history.ts';
import type { Witness } from './linearize.ts';

/** One watch of a client. Numbers without a unit are indices of entries. */
export interface Session {
  readonly by: string;
  readonly request: KeyWatchRequest;
  readonly process: number;
  readonly from: number;
  readonly atMs: number;
  readonly responses: readonly {
    readonly response: WatchResponse;
    readonly at: number;
    readonly atMs: number;
  }[];
  /** When the client asked for progress. */
  readonly asks: readonly number[];
  readonly stopped?: number;
  readonly ended?: { readonly at: number; readonly atMs: number; readonly error?: unknown };
  /** The crash of the process. */
  readonly crashed?: number;
}

type Draft = { -readonly [K in keyof Session]: Session[K] } & {
  responses: Session['responses'][number][];
  asks: number[];
};

/** Returns the watches of a history. */
export function sessionsOf({ entries }: StoreHistory): readonly Session[] {
  const drafts = new Map<number, Draft>();
  let process = 0;
  for (const [at, entry] of entries.entries()) {
    const { atMs } = entry;
    if (entry.kind === 'starts') process = entry.process;
    else if (entry.kind === 'crash') {
      for (const draft of drafts.values())
        if (draft.process === entry.process && draft.ended === undefined) draft.crashed ??= at;
    } else if (entry.kind === 'watch') {
      const { by, request } = entry;
      drafts.set(entry.watch, { by, request, process, from: at, atMs, responses: [], asks: [] });
    } else if ('watch' in entry) {
      const draft = drafts.get(entry.watch) as Draft;
      if (entry.kind === 'response') draft.responses.push({ response: entry.response, at, atMs });
      else if (entry.kind === 'asks') draft.asks.push(at);
      else if (entry.kind === 'stops') draft.stopped ??= at;
      else draft.ended ??= { at, atMs, ...('error' in entry && { error: entry.error }) };
    }
  }
  return [...drafts.values()];
}

/** Returns the changes that watches have sent, by revision. */
export function witnessesOf(sessions: readonly Session[]): ReadonlyMap<number, readonly Witness[]> {
  const found = new Map<number, Witness[]>();
  for (const { request, responses } of sessions)
    for (const { response, at } of responses)
      for (const revision of new Set(response.events.map(({ kv }) => kv.modRevision))) {
        const events = response.events.filter(({ kv }) => kv.modRevision === revision);
        found.set(revision, [...(found.get(revision) ?? []), { at, range: request, events }]);
      }
  return found;
}
