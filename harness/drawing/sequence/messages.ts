import type { JournalEntry } from '../../cluster/journal.ts';
import type { TraceEntry } from '../../sim/index.ts';
import { type SchedulingTable, schedulingTables } from '../scheduling-table.ts';
import type { Message } from './message.ts';
import { type NodeCall, NodeCalls } from './node-calls.ts';
import { isBackground, isWrite, objectNamer, READS } from './object-requests.ts';
import { APISERVER, NEMESIS } from './participants.ts';
import { Reactions, type Received } from './reactions.ts';
import { resultsOf } from './results.ts';

/** A message, and the position of its entry in the trace. */
interface Placed {
  readonly message: Message;
  readonly order: number;
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
  /** The clients of people. @defaultValue kubectl */
  readonly users?: readonly string[];
}

/** Returns the messages of a trace that changed something, ordered by time. */
export function readMessages(
  trace: readonly TraceEntry[],
  { journal = [], namespaces = [], users = ['kubectl'] }: ReadOptions,
): readonly Message[] {
  const named = objectNamer(trace);
  const results = resultsOf(journal);
  const calls = new NodeCalls(trace, journal);
  const reactions = new Reactions();
  // A deletion can write twice, and its answer has one revision.
  for (const { actor, revision } of journal) reactions.wrote(actor, revision);
  const tables = new Map(schedulingTables(trace).map((table) => [`${table.atMs} ${table.pod}`, table]));
  const placed: Placed[] = [];
  for (const [order, entry] of trace.entries()) {
    const { actor, verb, revision, outcome, note } = entry;
    const add = (message: Message): number => placed.push({ message, order });
    /** Adds an act of a component, and the event that it answers. */
    const act = (message: Message): void => {
      const cause = reactions.causeOf(message);
      if (cause) placed.push({ message: eventOf(cause, calls), order: cause.order });
      add(message);
    };
    const kind = kindOf(verb, actor);
    if (kind === 'read' && !users.includes(actor)) continue;
    const call = kind === 'other' ? calls.read(entry) : undefined;
    if (call === 'reads') reactions.begins(actor);
    if (call === 'reads' || (kind === 'other' && !call)) continue;
    const object = call ? call.object : named(entry);
    if (object !== undefined && isBackground(object, namespaces)) continue;
    if (kind === 'event') {
      reactions.receives({ ...entry, object, order });
      continue;
    }
    const { id: from, node } = calls.processOf(actor);
    const common = {
      ...{ actor, atMs: entry.atMs, untilMs: entry.atMs, verb },
      ...(node !== undefined && { node }),
      ...(users.includes(actor) && { isUser: true as const }),
      ...(object !== undefined && { object }),
      ...(revision !== undefined && { revision }),
      ...(outcome !== undefined && outcome !== 'ok' && { failure: outcome }),
    };
    if (call) act(messageOf(call, { ...common, from }));
    else if (kind === 'end') {
      const failure = outcome ?? 'the watch ended';
      add({ ...common, kind: 'event', from: APISERVER, to: from, failure });
    } else if (kind === 'read') {
      add({ ...common, kind: 'request', from, to: APISERVER });
    } else if (kind === 'write') {
      const result = outcome === 'ok' ? results(common) : undefined;
      const known = { ...common, ...(result !== undefined && { result }) };
      act({ ...known, kind: 'request', from, to: APISERVER });
      if (revision !== undefined) reactions.wrote(actor, revision);
    } else if (kind === 'decision') {
      const table = tables.get(`${entry.atMs} ${entry.object}`);
      if (table) act({ ...common, kind: 'note', from, to: from, lines: [decisionOf(table)] });
      tables.delete(`${entry.atMs} ${entry.object}`);
    } else {
      const line = note === undefined || actor === NEMESIS ? verb : `${verb}: ${note}`;
      add({ ...common, kind: 'note', from, to: from, lines: [line] });
    }
  }
  return placed
    .toSorted(
      ({ message: a, order }, { message: b, order: other }) =>
        // A call that contains others begins before them.
        a.atMs - b.atMs || b.untilMs - a.untilMs || order - other,
    )
    .map(({ message }) => message);
}

/** Returns the message of an event. Most events are not drawn, so it is made when an act answers one. */
function eventOf({ actor, verb, atMs, object, revision }: Received, calls: NodeCalls): Message {
  const { id: to, node } = calls.processOf(actor);
  return {
    ...{ kind: 'event', actor, from: APISERVER, to, atMs, untilMs: atMs, verb },
    ...(node !== undefined && { node }),
    ...(object !== undefined && { object }),
    ...(revision !== undefined && { revision }),
  };
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

/** Returns the kind of an entry by its verb. `other` is a call, or nothing to draw. */
function kindOf(
  verb: string,
  actor: string,
): 'event' | 'end' | 'read' | 'write' | 'decision' | 'process' | 'other' {
  if (EVENTS.has(verb)) return 'event';
  if (isWrite(verb)) return 'write';
  if (READS.has(verb)) return 'read';
  if (verb === 'explain') return 'decision';
  if (BROKEN.has(verb)) return 'end';
  return actor === NEMESIS || PROCESS.has(verb) ? 'process' : 'other';
}
