import type { Cluster } from '../../cluster/cluster.ts';
import { chronicle } from '../../drawing/chronicle/chronicle.ts';
import { probeActs } from '../../drawing/chronicle/probe-acts.ts';
import { endpoint } from '../../node/network/stack/packet.ts';
import { placeOf } from '../../node/network/stack/packet-trace.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { Happening } from '../protocol/run-service.ts';
import { faultWords } from '../share/fault-words.ts';
import { faultOf } from './fault-of.ts';
import type { Messages } from './messages.ts';

/** Half the length of the time around a moment, in ms. */
const AROUND_MS = 1_000;
/** Writes of one kind in this time form one sentence, in ms. */
const WINDOW_MS = 100;

/**
 * Returns the acts of the components around a moment, in the words of the chronicle: their writes, the decisions that
 * they explain, their log, the first probes, packets, faults, starts and ends.
 *
 * @param atMs in virtual ms since the cluster stood
 */
export function happeningsAround(
  atMs: number,
  {
    cluster,
    messages,
    zeroMs,
  }: { readonly cluster: Cluster; readonly messages: Messages; readonly zeroMs: number },
): readonly Happening[] {
  const [fromMs, toMs] = [atMs + zeroMs - AROUND_MS, atMs + zeroMs + AROUND_MS];
  const within = <T extends { readonly atMs: number }>(all: readonly T[]): readonly T[] => {
    const first = all.findLastIndex((each) => each.atMs < fromMs) + 1;
    return all.slice(first, all.findLastIndex((each) => each.atMs <= toMs) + 1);
  };
  const traced = within(cluster.trace.entries);
  const acts = chronicle(within(cluster.journal.entries), { windowMs: WINDOW_MS }).map(
    ({ who, what, revision, ...act }) => {
      const message = messages.ofRevision(revision);
      return { atMs: act.atMs, who, text: what, ...(message !== undefined && { message }) };
    },
  );
  const probes = probeActs(traced, WINDOW_MS).map(({ who, what, ...act }) => ({
    atMs: act.atMs,
    who,
    text: what,
  }));
  const notes = traced.flatMap((entry) => {
    const text = noteOf(entry);
    return text === undefined ? [] : [{ atMs: entry.atMs, who: entry.actor, text }];
  });
  const packets = messages.packets({ fromMs, toMs }).map(({ id, attempt }) => {
    const { from, to, opened } = attempt;
    const { fate, there } = opened;
    const end = fate.kind === 'delivered' ? `arrives at ${there.place}` : fate.why;
    return {
      atMs: attempt.atMs,
      who: placeOf({ node: from.node, namespace: from.label }),
      text: `sends to ${endpoint(to.ip, to.port)} ${to.protocol ?? 'tcp'}: ${end}`,
      message: id,
    };
  });
  return [...acts, ...probes, ...packets, ...notes]
    .sort((a, b) => a.atMs - b.atMs)
    .map((each) => ({ ...each, atMs: each.atMs - zeroMs }));
}

function noteOf(entry: TraceEntry): string | undefined {
  const { actor, verb, object = '', note = '', outcome } = entry;
  if (actor === 'nemesis') {
    const fault = faultOf(entry);
    return fault ? faultWords(fault) : verb === 'heal' ? 'ends every fault' : undefined;
  }
  switch (verb) {
    case 'explain':
      return note;
    case 'log':
      return `logs: ${note}`;
    case 'error':
      return `reports an error: ${note}`;
    case 'crash':
      return 'crashes';
    case 'exit':
      return note === '' ? 'exits' : `gives up: ${note}`;
    case 'start':
      return 'starts';
    case 'cut':
    case 'ERROR':
      return `loses its watch of ${object}${outcome ? `: ${outcome}` : ''}`;
    default:
      return undefined;
  }
}
