import { whyExpected } from '../../cli/expected-error.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { chronicle } from '../../drawing/chronicle/chronicle.ts';
import { probeActs } from '../../drawing/chronicle/probe-acts.ts';
import { endpoint } from '../../node/network/stack/packet.ts';
import { placeOf } from '../../node/network/stack/packet-trace.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { Happening } from '../protocol/run-service.ts';
import { faultWords } from '../share/fault-words.ts';
import { faultOf } from './fault-of.ts';
import type { JournalIndex } from './journal-index.ts';
import type { Messages } from './messages.ts';

/** Half the length of the time around a moment, in ms. */
const AROUND_MS = 1_000;
/** Writes of one kind in this time form one sentence, in ms. */
const WINDOW_MS = 100;
/** The lengths of the times that are searched for acts before a moment, in ms. */
const BEFORE_MS = [10_000, 100_000, Number.POSITIVE_INFINITY];
/** The number of acts before a moment. */
const BEFORE_MAX = 12;
/** The events that a fault has held back arrive in this time after its end, in ms. */
const RELEASE_MS = 50;

/** Dependencies of {@link happeningsAround}. */
interface AroundOptions {
  readonly cluster: Cluster;
  readonly messages: Messages;
  readonly index: JournalIndex;
  readonly zeroMs: number;
}

/** A stretch of the run, in virtual ms since the simulation began. Both ends belong to it. */
interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Returns the acts of the components around a moment, in the words of the chronicle: their writes, the decisions that
 * they explain, their log, the first probes, packets, faults and their ends, starts and ends. If nothing happened
 * around the moment, it returns the last acts before it.
 *
 * @param atMs in virtual ms since the cluster stood
 */
export function happeningsAround(atMs: number, options: AroundOptions): readonly Happening[] {
  const nowMs = atMs + options.zeroMs;
  const around = happeningsIn({ fromMs: nowMs - AROUND_MS, toMs: nowMs + AROUND_MS }, options);
  if (around.length > 0) return around;
  for (const length of BEFORE_MS) {
    const fromMs = Math.max(options.zeroMs, nowMs - length);
    const before = happeningsIn({ fromMs, toMs: nowMs - AROUND_MS }, options);
    if (before.length >= BEFORE_MAX || fromMs === options.zeroMs) {
      return before.slice(-BEFORE_MAX).map((each) => ({ ...each, isBefore: true }));
    }
  }
  return [];
}

function happeningsIn(stretch: Stretch, options: AroundOptions): readonly Happening[] {
  const { cluster, messages, zeroMs } = options;
  const { fromMs, toMs } = stretch;
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
  return [...faultEndsIn(stretch, options), ...acts, ...probes, ...packets, ...notes]
    .sort((a, b) => a.atMs - b.atMs)
    .map((each) => ({ ...each, atMs: each.atMs - zeroMs }));
}

/** Describes the ends of lasting faults, and the events that were held back until then. */
function faultEndsIn({ fromMs, toMs }: Stretch, { cluster, index }: AroundOptions): readonly Happening[] {
  return cluster.nemesis.struck.flatMap(({ fault, atMs, endedMs }): readonly Happening[] => {
    if (endedMs === undefined || endedMs === atMs || endedMs < fromMs || endedMs > toMs) return [];
    const end: Happening = { atMs: endedMs, who: 'nemesis', text: `this fault ends: ${faultWords(fault)}` };
    if (fault.fault !== 'delay-watches') return [end];
    const { entries } = cluster.trace;
    const first = entries.findLastIndex((each) => each.atMs < endedMs) + 1;
    const last = entries.findLastIndex((each) => each.atMs <= endedMs + RELEASE_MS);
    const arrived = entries.slice(first, last + 1).filter((entry) => {
      const { actor, revision = 0 } = entry;
      const writtenMs = index.at(revision)?.atMs ?? Number.POSITIVE_INFINITY;
      return actor === fault.process && WRITES.has(entry.verb) && writtenMs >= atMs && writtenMs < endedMs;
    });
    if (arrived.length === 0) return [end];
    const text = `receives ${arrived.length === 1 ? 'the event' : `${arrived.length} events`} that the fault held back`;
    return [end, { atMs: arrived.at(-1)?.atMs ?? endedMs, who: fault.process, text }];
  });
}

/** The events of a watch that report a write. */
const WRITES: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED']);

function noteOf(entry: TraceEntry): string | undefined {
  const { actor, verb, object = '', note = '', outcome } = entry;
  if (actor === 'nemesis') {
    const fault = faultOf(entry);
    return fault ? faultWords(fault) : verb === 'heal' ? 'ends every fault' : undefined;
  }
  switch (verb) {
    case 'explain':
      return note;
    case 'log': {
      const expected = whyExpected(note);
      return `logs: ${note}${expected === undefined ? '' : ` (expected: ${expected})`}`;
    }
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
