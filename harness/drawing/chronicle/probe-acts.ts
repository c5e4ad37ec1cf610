import { processCalled, roleOf } from '../../cluster/component-table.ts';
import type { TraceEntry } from '../../sim/index.ts';

/** The verbs of a kubelet's probes. */
const PROBES: Readonly<Record<string, string>> = {
  request: 'GET',
  connect: 'connects to',
  healthCheck: 'checks the health of',
};

/** The first probe of an address. */
interface ProbeAct {
  readonly atMs: number;
  readonly who: string;
  readonly what: string;
}

/**
 * Returns the first probes of addresses by kubelets. A successful probe causes no write to the API, so they come from
 * the trace. Commands in containers are left out, because hooks look the same.
 *
 * @param windowMs length of the time windows; probes in one window form one sentence
 */
export function probeActs(trace: readonly TraceEntry[], windowMs: number): readonly ProbeAct[] {
  const seen = new Set<string>();
  const windows = new Map<string, TraceEntry[]>();
  for (const entry of trace) {
    const { actor, verb, object = '', outcome, atMs } = entry;
    if (!PROBES[verb] || outcome !== 'ok' || processCalled(actor)?.name !== 'kubelet') continue;
    if (seen.has(`${verb} ${object}`)) continue;
    seen.add(`${verb} ${object}`);
    const key = `${verb} ${windowMs > 0 ? Math.floor(atMs / windowMs) : atMs}`;
    windows.set(key, [...(windows.get(key) ?? []), entry]);
  }
  return [...windows.values()].map((entries) => {
    const [first] = entries as [TraceEntry, ...TraceEntry[]];
    const actors = new Set(entries.map(({ actor }) => actor));
    const addresses = entries.map(({ object }) => object).sort();
    const more = addresses.length > 3 ? ` and ${addresses.length - 3} more` : '';
    return {
      atMs: Math.max(...entries.map(({ atMs }) => atMs)),
      who: actors.size === 1 ? first.actor : roleOf(first.actor),
      what: `probes: ${PROBES[first.verb]} ${addresses.slice(0, 3).join(', ')}${more}`,
    };
  });
}
