import { podIn } from './object-names.ts';

/**
 * A stretch of a run as a sequence diagram: plain data that renderers draw, and that a worker can post to a page.
 *
 * It shows each write to the API, each call of a kubelet to its runtime, and each watch event that its receiver acted
 * on. Components that do the same at the same moment share a step.
 */
export interface SequenceDiagram {
  /** From left to right. */
  readonly participants: readonly Participant[];
  /** Ordered by `atMs`. */
  readonly steps: readonly Step[];
}

/** A lifeline. */
export interface Participant {
  /** `kubelet`, `replicaset-controller`: the process without its node. */
  readonly id: string;
  /** Its nodes in this diagram; empty for a process that runs once. */
  readonly nodes: readonly string[];
}

/**
 * - `request`: a request to the apiserver.
 * - `event`: a watch event, or the end of a watch.
 * - `call`: a call below the API, such as `runPodSandbox`.
 * - `note`: a fact about one participant, such as the scores of a scheduler.
 */
export type StepKind = 'request' | 'event' | 'call' | 'note';

/** An arrow or a note. */
export interface Step {
  readonly kind: StepKind;
  /** The ids of participants. Both are equal for a note, and for a call to the participant's own node. */
  readonly from: string;
  readonly to: string;
  /** When the target received the first and the last message, in virtual ms, as in the trace. */
  readonly atMs: number;
  readonly untilMs: number;
  /** As in the trace: `create`, `ADDED`, `pullImage`. */
  readonly verb: string;
  /** The target for readers: `pods/web-5d7-…`, `nginx:1.25`. Empty if the step has no target. */
  readonly label: string;
  /** The objects, as in the trace: `pods/default/web-5d7-abcde`. */
  readonly objects: readonly string[];
  /** The number of messages in this step. */
  readonly count: number;
  /** The revisions that the messages reached or report, in ascending order. */
  readonly revisions: readonly number[];
  /** The state after the step, such as `1/1 Running`. Absent without a journal. */
  readonly result?: string;
  /** The reason of a failure; absent after a success. */
  readonly failure?: string;
  /** The lines of a note. Empty for other kinds. */
  readonly lines: readonly string[];
}

/** Returns the first pod of a diagram, for the option `onlyPod` of `sequenceDiagram`; undefined if it has none. */
export function firstPod({ steps }: SequenceDiagram): string | undefined {
  return steps.flatMap(({ objects }) => objects.flatMap((object) => podIn(object) ?? []))[0];
}
