import { processCalled } from '../../cluster/component-table.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { TraceEntry } from '../../sim/index.ts';
import { type SchedulingTable, schedulingTables } from '../scheduling-table.ts';
import type { Message } from './message.ts';
import { type NodeCall, NodeCalls } from './node-calls.ts';
import { isBackground, isWrite, objectNamer, READS } from './object-requests.ts';
import { APISERVER, NEMESIS } from './participants.ts';
import { Reactions } from './reactions.ts';
import { resultsOf } from './results.ts';

/** A message whose sender acted, and the event that it acted on. */
interface Candidate extends Message {
  /** Whether the message is drawn. An event is drawn if its receiver acts on it. */
  drawn: boolean;
}

const EVENTS: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED']);
/** The ends of a watch that its receiver did not ask for. */
const BROKEN: ReadonlySet<string> = new Set(['cut', 'ERROR']);
/** Entries about a process. */
const PROCESS: ReadonlySet<string> = new Set(['start', 'crash', 'exit', 'error']);

/** Options of {@link readMessages}. */
interface ReadOptions {
  /** The writes of the run. @defaultValue none */
  readonly journal?: readonly JournalEntry[];
  /** The system's namespaces to include. @defaultValue none */
  readonly namespaces?: readonly string[];
}

/** Returns the messages of a trace that changed something, ordered by time. */
export function readMessages(
  trace: readonly TraceEntry[],
  { journal = [], namespaces = [] }: ReadOptions,
): readonly Message[] {
  const named = objectNamer(trace);
  const results = resultsOf(journal);
  const calls = new NodeCalls(trace, journal);
  const reactions = new Reactions<Candidate>();
  const users = usersIn(trace);
  // A deletion can write twice, and its answer has one revision.
  for (const { actor, revision } of journal) reactions.wrote(actor, revision);
  const tables = new Map(schedulingTables(trace).map((table) => [`${table.atMs} ${table.pod}`, table]));
  const candidates: Candidate[] = [];
  const add = (message: Message, drawn = true): Candidate => {
    const candidate = { ...message, drawn };
    candidates.push(candidate);
    return candidate;
  };
  /** Adds an act of a component, and draws the event that it answers. */
  const act = (message: Message): void => {
    const cause = reactions.causeOf(message);
    if (cause) cause.drawn = true;
    add(message);
  };

  for (const entry of trace) {
    const { actor, verb, revision, outcome, note } = entry;
    const object = named(entry);
    const from = roleOf(actor, calls);
    const node = calls.nodeOf(actor);
    const common = {
      ...{ actor, atMs: entry.atMs, untilMs: entry.atMs, verb },
      ...(node !== undefined && { node }),
      ...(object !== undefined && { object }),
      ...(revision !== undefined && { revision }),
    };
    const failed = outcome !== undefined && outcome !== 'ok' && { failure: outcome };
    if (object !== undefined && isBackground(object, namespaces)) continue;
    if (EVENTS.has(verb)) {
      const event = add({ ...common, kind: 'event', from: APISERVER, to: from }, false);
      reactions.receives(event);
    } else if (BROKEN.has(verb)) {
      add({ ...common, kind: 'event', from: APISERVER, to: from, failure: outcome ?? 'the watch ended' });
    } else if (isWrite(verb)) {
      const result =
        outcome === 'ok' ? results({ ...common, ...(object !== undefined && { object }) }) : undefined;
      act({
        ...common,
        ...{ kind: 'request', from, to: APISERVER },
        ...failed,
        ...(result !== undefined && { result }),
      });
      if (revision !== undefined) reactions.wrote(actor, revision);
    } else if (READS.has(verb) && users.has(actor)) {
      add({ ...common, kind: 'request', from, to: APISERVER, ...failed });
    } else if (verb === 'explain') {
      const table = tables.get(`${entry.atMs} ${entry.object}`);
      if (table) act({ ...common, kind: 'note', from, to: from, lines: [decisionOf(table)] });
      tables.delete(`${entry.atMs} ${entry.object}`);
    } else if (PROCESS.has(verb) || actor === NEMESIS) {
      const line = actor === NEMESIS ? verb : note === undefined ? verb : `${verb}: ${note}`;
      add({ ...common, kind: 'note', from, to: from, ...failed, lines: [line] });
    } else {
      const call = calls.read(entry);
      if (call === 'reads') reactions.begins(actor);
      else if (call && !(call.object !== undefined && isBackground(call.object, namespaces)))
        act(messageOf(call, { ...common, ...failed, from }));
    }
  }
  return (
    candidates
      .filter(({ drawn }) => drawn)
      .map(({ drawn: _, ...message }) => message)
      // A call that contains others begins before them.
      .toSorted((a, b) => a.atMs - b.atMs || b.untilMs - a.untilMs)
  );
}

/** Maximum number of nodes in a note. */
const NODES_MAX = 4;

/** Returns a decision in one line: `scores for web-5d7-abcde: node-2 472, node-1 471, node-3 ✗ TaintToleration`. */
function decisionOf({ pod, nodes }: SchedulingTable): string {
  const sorted = nodes.toSorted((a, b) => (b.total ?? -1) - (a.total ?? -1));
  const verdicts = sorted
    .slice(0, NODES_MAX)
    .map(({ node, total, rejections }) => `${node} ${total ?? `✗ ${rejections[0]?.plugin}`}`);
  const more = nodes.length - verdicts.length;
  return `scores for ${pod.split('/').at(-1)}: ${verdicts.join(', ')}${more > 0 ? `, ${more} more` : ''}`;
}

function messageOf(
  call: NodeCall,
  { from, ...common }: Pick<Message, 'actor' | 'atMs' | 'untilMs' | 'verb' | 'from'>,
): Message {
  const { to = from, object, target, beganMs = common.atMs } = call;
  return {
    ...common,
    ...{ kind: 'call', from, to, atMs: beganMs },
    ...(object !== undefined && { object }),
    ...(target !== undefined && { target }),
  };
}

/** Returns the id of an actor's participant. */
function roleOf(actor: string, calls: NodeCalls): string {
  const row = processCalled(actor);
  if (row?.once === 'node') return row.name;
  return calls.roleOf(actor) ?? actor;
}

/** Returns the actors that read without watching. A component reads in order to watch. */
function usersIn(trace: readonly TraceEntry[]): ReadonlySet<string> {
  const users = new Set<string>();
  const watching = new Set<string>();
  for (const { actor, verb } of trace) {
    if (verb === 'watch') watching.add(actor);
    else if (READS.has(verb) && !processCalled(actor)) users.add(actor);
  }
  for (const actor of watching) users.delete(actor);
  return users;
}
