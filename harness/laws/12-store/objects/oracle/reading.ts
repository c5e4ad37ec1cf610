import type { ObjectAnswer, ObjectCall, ObjectHistory } from '../history.ts';
import { sayCall, sayObjectAnswer, sayObjects } from '../render/values.ts';
import { judgeRead } from './reads.ts';
import { Disturbances, isEqual, selected, type Truth, truthOf } from './truth.ts';
import { type ObjectReading, ObjectVerdicts } from './verdicts.ts';
import { judgeWatches } from './watches.ts';
import { WriteJudge } from './writes.ts';

/** A call with its answer. Numbers without a unit are indices of entries. */
export interface Judged {
  readonly by: string;
  readonly server: number;
  readonly call: ObjectCall;
  readonly answer: ObjectAnswer;
  readonly from: number;
  readonly to: number;
  readonly beganMs: number;
  readonly atMs: number;
  /** The revision that the store had certainly reached at the call, and reached at most at the answer. */
  readonly lo: number;
  readonly hi: number;
}

/** A run, with everything that the judges need. */
export interface JudgedRun {
  readonly history: ObjectHistory;
  readonly truth: Truth;
  readonly disturbances: Disturbances;
  readonly verdicts: ObjectVerdicts;
  /** Returns when the store has certainly reached a revision. */
  reachedMs(revision: number, from: number): number;
}

const readings = new WeakMap<ObjectHistory, ObjectReading>();

/** Judges a history once for all laws. */
export function readingOf(history: ObjectHistory): ObjectReading {
  const known = readings.get(history);
  if (known) return known;
  const reading = read(history);
  readings.set(history, reading);
  return reading;
}

function read(history: ObjectHistory): ObjectReading {
  const { entries } = history;
  const truth = truthOf(history);
  const verdicts = new ObjectVerdicts();
  const disturbances = new Disturbances(history);
  const run: JudgedRun = {
    history,
    truth,
    disturbances,
    verdicts,
    reachedMs: (revision, from) => {
      if (truth.least(from) >= revision) return entries[from]?.atMs ?? 0;
      const entry = entries.find((each) => each.kind === 'stored' && each.revision >= revision);
      return entry?.atMs ?? Number.POSITIVE_INFINITY;
    },
  };
  const writes = new WriteJudge(truth, verdicts);
  const calls = callsOf(history, truth, verdicts);
  for (const one of calls) {
    if (one.answer.kind === 'failed')
      verdicts.break(
        'served',
        one.atMs,
        `${one.by} called ${sayCall(one.call)} and got ${sayObjectAnswer(one.answer)}.`,
      );
    else if (one.call.call === 'get' || one.call.call === 'list') judgeRead(run, one);
    else writes.judge(one);
  }
  writes.finish(entries.at(-1)?.atMs ?? 0);
  meetNeighbours(run);
  judgeRest(run, calls);
  judgeWatches(run);
  return verdicts;
}

function callsOf({ entries }: ObjectHistory, truth: Truth, verdicts: ObjectVerdicts): readonly Judged[] {
  const open = new Map<number, Omit<Judged, 'answer' | 'to' | 'atMs' | 'hi'>>();
  const found: Judged[] = [];
  for (const [i, entry] of entries.entries()) {
    if (entry.kind === 'call') {
      const { by, server, call, atMs } = entry;
      open.set(entry.op, { by, server, call, from: i, beganMs: atMs, lo: truth.least(i) });
    } else if (entry.kind === 'answer') {
      const call = open.get(entry.op);
      open.delete(entry.op);
      if (call) found.push({ ...call, answer: entry.answer, to: i, atMs: entry.atMs, hi: truth.most(i) });
    } else if (entry.kind === 'abort') {
      verdicts.met.add('served');
      for (const { by, call } of open.values())
        verdicts.break('served', entry.atMs, `${by} called ${sayCall(call)}, but got no answer.`);
      open.clear();
    }
  }
  return found;
}

/** The situation of the law of neighbours: a key that begins like another one. */
function meetNeighbours({ truth, verdicts }: JudgedRun): void {
  const keys = [...new Set(truth.changes.map(({ key }) => key))];
  const isNear = (a: string, b: string): boolean => a !== b && b.startsWith(a.slice(0, a.lastIndexOf('/')));
  if (keys.some((a) => keys.some((b) => isNear(a, b) && a.split('/')[3] !== b.split('/')[3])))
    verdicts.met.add('neighbours');
}

/** At rest, each cache has the objects of the store. */
function judgeRest({ truth, verdicts }: JudgedRun, calls: readonly Judged[]): void {
  for (const { by, call, answer, lo, atMs, server } of calls) {
    if (by !== 'auditor' || call.call !== 'list' || call.options.resourceVersion !== '0') continue;
    verdicts.met.add('caughtUp');
    const expected = selected(truth.states[lo], {}).map(([, object]) => object);
    if (answer.kind === 'list' && !isEqual(answer.list.items, expected))
      verdicts.break(
        'caughtUp',
        atMs,
        `Long after the last change, the cache of apiserver ${server + 1} has ${sayObjects(answer.list.items)}, but the store has ${sayObjects(expected)}.`,
      );
  }
}
