import type { KubeObject } from '../api/objects.ts';
import type { StatusError } from '../api/status.ts';
import type { Attributes, Decision } from '../contracts/access/index.ts';

/** One step of a request on its way through an apiserver, with the verdict. */
export type RequestStep =
  | { readonly step: 'authorization'; readonly decision: Decision }
  /** `after` is `before` itself if no plugin changed it. Both are absent for a delete. */
  | { readonly step: 'mutating admission'; readonly before?: KubeObject; readonly after?: KubeObject }
  | { readonly step: 'validation'; readonly object: KubeObject }
  | { readonly step: 'validating admission'; readonly object?: KubeObject }
  | { readonly step: 'stored'; readonly object: KubeObject }
  /** Another write was faster: the request starts again. */
  | { readonly step: 'superseded' }
  /** The step after the last reported one refused the request. */
  | { readonly step: 'refused'; readonly error: StatusError };

/**
 * Watches requests: called for each with its attributes, and returns the function that receives its steps. Observers
 * change nothing.
 */
export type ObserveRequest = (attributes: Attributes, actor: string) => (step: RequestStep) => void;
