import type { Cluster } from '../cluster/cluster.ts';
import { chronicle } from '../drawing/chronicle/chronicle.ts';
import { drawTimeline } from '../drawing/timeline.ts';
import type { FetchHandler } from '../mount/fetch.ts';
import type { Paint } from './colours.ts';

/** Acts within this window, in virtual ms, are summarized together. */
const WINDOW_MS = 500;

interface ClusterTraceOptions {
  readonly paint: Paint;
  readonly print: (line: string) => void;
}

/**
 * Prints the chronicle of a cluster while it runs, one window at a time: the writes of its processes. The requests of
 * clients are printed by {@link traced}.
 */
export function clusterTrace(cluster: Cluster, { paint, print }: ClusterTraceOptions): void {
  let { revision } = cluster.storage;
  let sinceMs = cluster.sim.elapsedMs;
  cluster.sim.every(WINDOW_MS, () => {
    const written = cluster.journal.entries.filter((entry) => entry.revision > revision);
    revision = cluster.storage.revision;
    const processes = new Set(cluster.processes.map(({ name }) => name));
    const acts = chronicle(
      written.filter(({ actor }) => processes.has(actor)),
      { windowMs: WINDOW_MS },
    );
    // The scheduler explains its decisions: the score of each node.
    const { entries } = cluster.trace;
    const recent = entries.slice(entries.findLastIndex(({ atMs }) => atMs <= sinceMs) + 1);
    sinceMs = cluster.sim.elapsedMs;
    const explanations = recent.filter(({ verb }) => verb === 'explain');
    const told = [
      ...explanations.map(({ atMs, actor, note = '' }) => ({ atMs, actor, verb: note })),
      ...acts.map(({ atMs, who, what }) => ({ atMs, actor: who, verb: what })),
    ];
    for (const line of drawTimeline(told.toSorted((a, b) => a.atMs - b.atMs))) {
      print(paint('dim', line));
    }
  });
}

/**
 * Wraps a handler so that it prints each request once it is answered:
 * `kubectl  POST /api/v1/namespaces/default/pods  201`.
 */
export function traced(handler: FetchHandler, { sim }: Cluster, print: (line: string) => void): FetchHandler {
  return async (request, peer) => {
    const response = await handler(request, peer);
    const { pathname, search } = new URL(request.url);
    const [client = ''] = (request.headers.get('user-agent') ?? '').split(/[/ ]/, 1);
    const told = { atMs: sim.elapsedMs, actor: client, verb: request.method, object: pathname + search };
    for (const line of drawTimeline([{ ...told, outcome: String(response.status) }])) print(line);
    return response;
  };
}
