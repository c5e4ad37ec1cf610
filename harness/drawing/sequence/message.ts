import type { StepKind } from './diagram.ts';

/** One arrow or note, before messages of the same moment share a step. */
export interface Message {
  readonly kind: StepKind;
  /** The process, with its node: `kubelet-node-1`. */
  readonly actor: string;
  readonly node?: string;
  /** Whether a person typed the request. */
  readonly isUser?: true;
  /** The ids of participants. */
  readonly from: string;
  readonly to: string;
  readonly atMs: number;
  /** Later than `atMs` for a call that contains others. */
  readonly untilMs: number;
  readonly verb: string;
  /** As in the trace, with the generated name, without a subresource: `pods/default/web`. */
  readonly object?: string;
  /** The target of a call for readers: `nginx:1.25`. */
  readonly target?: string;
  readonly revision?: number;
  readonly result?: string;
  readonly failure?: string;
  readonly lines?: readonly string[];
}
