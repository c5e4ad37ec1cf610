import type { JournalEntry } from '../../cluster/journal.ts';
import type { TraceEntry } from '../../sim/index.ts';
import type { SequenceDiagram, Step } from './diagram.ts';
import { foldMessages } from './folding.ts';
import type { Message } from './message.ts';
import { readMessages } from './messages.ts';
import { isRelative, podIn } from './object-names.ts';
import { participantsOf } from './participants.ts';
import { labelOf } from './step-label.ts';

export { firstPod, type Participant, type SequenceDiagram, type Step, type StepKind } from './diagram.ts';

/** Options of {@link sequenceDiagram}. */
export interface SequenceOptions {
  /** The first time to draw, in virtual ms. @defaultValue the first entry of the trace */
  readonly fromMs?: number;
  /** The last time to draw, in virtual ms. @defaultValue the last entry of the trace */
  readonly toMs?: number;
  /** Draws only this object, its owners and its dependents: `deployments/default/web`. @defaultValue all objects */
  readonly about?: string;
  /** Draws only this pod, beside all objects of other kinds: `pods/default/web-5d7-abcde`. @defaultValue all pods */
  readonly onlyPod?: string;
  /** Draws objects of these namespaces, too. @defaultValue none: `kube-system` is left out */
  readonly namespaces?: readonly string[];
  /** The clients of people: their reads are drawn, too. @defaultValue kubectl */
  readonly users?: readonly string[];
  /** The writes of the run. They give the steps their results. @defaultValue none */
  readonly journal?: readonly JournalEntry[];
  /** Messages of several components within this time, in virtual ms, share a step. @defaultValue 250 */
  readonly windowMs?: number;
}

/**
 * Draws a trace.
 *
 * @param trace all entries since the cluster began, or a part: an object keeps its generated name as `web-…` if the
 *   part has no event of it
 */
export function sequenceDiagram(
  trace: readonly TraceEntry[],
  options: SequenceOptions = {},
): SequenceDiagram {
  const { fromMs = 0, toMs = Number.POSITIVE_INFINITY, about, onlyPod, windowMs = 250 } = options;
  const messages = readMessages(trace, options).filter(({ atMs, object }) => {
    if (atMs < fromMs || atMs > toMs) return false;
    const pod = podIn(object);
    if (onlyPod !== undefined && pod !== undefined && pod !== onlyPod) return false;
    return about === undefined || (object !== undefined && isRelative(object, about));
  });
  const groups = foldMessages(messages, windowMs);
  const namespaces = new Set(
    groups.flatMap(({ messages }) => messages.flatMap(({ object }) => namespaceOf(object) ?? [])),
  );
  const steps = groups.map(({ messages: [first, ...others] }): Step => {
    const all = [first, ...others];
    const result = resultOf(all);
    const { failure } = first;
    return {
      kind: first.kind,
      from: first.from,
      to: first.to,
      atMs: first.atMs,
      untilMs: Math.max(...all.map(({ untilMs }) => untilMs)),
      verb: first.verb,
      label: labelOf(all, namespaces.size > 1),
      objects: distinct(all.map(({ object }) => object)),
      count: all.length,
      revisions: distinct(all.map(({ revision }) => revision)).sort((a, b) => a - b),
      ...(result !== undefined && { result }),
      ...(failure !== undefined && { failure }),
      lines: few(all.flatMap(({ lines = [] }) => lines)),
    };
  });
  return { participants: participantsOf(groups.flatMap(({ messages }) => messages)), steps };
}

/** Returns the result of the last message; for bindings, the nodes of all. */
function resultOf(messages: readonly Message[]): string | undefined {
  if (messages[0]?.verb !== 'bind') return messages.at(-1)?.result;
  const nodes = distinct(messages.map(({ result }) => result));
  return nodes.length === 0 ? undefined : `to ${few(nodes).join(', ')}`;
}

/** Maximum number of lines in a note, and of nodes in a result. */
const LINES_MAX = 4;

function few(all: readonly string[]): readonly string[] {
  if (all.length <= LINES_MAX) return all;
  return [...all.slice(0, LINES_MAX - 1), `… ${all.length - LINES_MAX + 1} more`];
}

function namespaceOf(object: string | undefined): string | undefined {
  const [, namespace, name] = object?.split('/') ?? [];
  return name === undefined ? undefined : namespace;
}

function distinct<T>(values: readonly (T | undefined)[]): T[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}
