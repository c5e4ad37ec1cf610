import { type Fault, faultNames, sayFault } from '../faults/index.ts';
import type { TraceEntry } from '../sim/index.ts';
import type { Call } from '../testing/calls.ts';
import type { ReplayEntry, ReplayKind, ReplayLane } from '../workbook/replay.ts';
import { isFault } from './reporter-timeline.ts';

/** Returns the entries of a history, with the same indices. */
export function entriesOfHistory(trace: readonly TraceEntry[]): readonly ReplayEntry[] {
  const heals = trace.filter(isHeal).map(({ atMs }) => atMs);
  return trace.map((entry) => {
    const { atMs, actor, verb, object, revision, outcome, note } = entry;
    const fault = faultOf(entry);
    const lastsMs = fault && 'forMs' in fault ? fault.forMs : undefined;
    const healedMs = heals.find((ms) => ms >= atMs) ?? Number.POSITIVE_INFINITY;
    const results = [
      outcome,
      revision === undefined ? undefined : `revision ${revision}`,
      fault ? undefined : note,
    ];
    const answer = results.filter(Boolean).join(' · ');
    return {
      atMs: rounded(atMs),
      actor,
      kind: kindOf(entry),
      text: fault
        ? sayFault(fault)
        : isHeal(entry)
          ? 'all faults end'
          : [verb, object].filter(Boolean).join(' '),
      ...(answer !== '' && { answer }),
      ...(lastsMs !== undefined && { untilMs: rounded(Math.min(atMs + lastsMs, healedMs)) }),
    };
  });
}

/** Returns the entries of calls, with the same indices. */
export function entriesOfCalls(calls: readonly Call[]): readonly ReplayEntry[] {
  return calls.map(({ actor, what, answer, isError = false }) => ({
    actor,
    kind: isError ? 'error' : 'call',
    text: what,
    ...(answer !== undefined && { answer }),
  }));
}

const NEMESIS = 'nemesis';

function isHeal({ actor, verb }: TraceEntry): boolean {
  return actor === NEMESIS && verb === 'heal';
}

/** Rounds a time as timelines print it. */
function rounded(ms: number): number {
  return Number(ms.toFixed(3));
}

/** Returns the fault that the nemesis injects in this entry. */
function faultOf({ actor, verb, note }: TraceEntry): Fault | undefined {
  if (actor !== NEMESIS || !faultNames.some((name) => name === verb)) return undefined;
  return { fault: verb, ...JSON.parse(note ?? '{}') } as Fault;
}

/** The verbs of requests to the API server, whose object begins with a resource. */
const REQUESTS =
  /^(?:get|list|streaming|watch|create|update|updateStatus|updateScale|patch|apply|bind|delete|deleteCollection|evict)$/;

/** Outcomes of requests and calls that failed: a reason such as `Conflict`, a tool's error, or an exit code. */
const FAILED = /^(?:\w*Error|exit code [1-9]\d*|[A-Z][a-z]+(?:[A-Z][a-z]+)*)$/;

function kindOf(entry: TraceEntry): ReplayKind {
  const { actor, verb, object = '', outcome = '' } = entry;
  if (actor === NEMESIS) return faultOf(entry) ? 'fault' : 'event';
  if (isFault(`${actor} ${verb} ${outcome}`)) return 'fault';
  if (verb === 'log' || verb === 'explain') return 'log';
  if (verb === 'ERROR' || verb === 'error') return 'error';
  if (/^[A-Z]+$/.test(verb) || actor === 'event') return 'event';
  const isRequest = REQUESTS.test(verb) && /^(?:list )?[a-z]+(?:\/\S+)?$/.test(object);
  if ((isRequest && FAILED.test(outcome)) || /^(?:\w*Error|exit code [1-9]\d*)$/.test(outcome))
    return 'error';
  return isRequest ? 'request' : 'call';
}

/** The lanes in which the code of a kata acts, beside the processes of the table of components. */
const LEARNERS: Readonly<Record<string, RegExp>> = {
  '21-informer': /^(?:informer|copier|handler .*)$/,
  '22-workqueue': /^(?:worker \d+|workers|runWorkers|sync|onError|len)$/,
  '42-probes': /^(?:result|event|network)$/,
  '43-images': /^(?:manager|event)$/,
  '51-ipam': /^(?:ADD|DEL|CHECK|GC|STATUS)\b/,
  '52-pod-network': /^(?:\S+ )?(?:bridge|portmap)\b/,
};

/** Names the learner's lanes of a kata: all lanes if its laws are about calls. */
export interface LearnersLanes {
  readonly kata: string;
  /** The names of the kata's processes: on a node, the node's name follows. */
  readonly processes: readonly string[];
  readonly isAll: boolean;
}

/** Returns the lanes of both runs, in the order in which a page shows them. */
export function lanesOf(
  entries: readonly ReplayEntry[],
  { kata, processes, isAll }: LearnersLanes,
): readonly ReplayLane[] {
  const isLearners = (actor: string): boolean =>
    isAll ||
    LEARNERS[kata]?.test(actor) === true ||
    processes.some((name) => actor === name || actor.startsWith(`${name}-`));
  const actors = [...new Set(entries.flatMap(({ actor, kind }) => (kind === 'violation' ? [] : [actor])))];
  const lanes = actors.map((actor): ReplayLane => {
    const own = entries.filter((entry) => entry.actor === actor);
    const isFaults = actor === NEMESIS || own.every(({ kind }) => kind === 'fault');
    return { actor, role: isLearners(actor) ? 'learner' : isFaults ? 'faults' : 'environment' };
  });
  return (['faults', 'learner', 'environment'] as const).flatMap((role) =>
    lanes.filter((lane) => lane.role === role),
  );
}
