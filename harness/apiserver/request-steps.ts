import type { KubeObject } from '../api/objects.ts';
import type { StatusError } from '../api/status.ts';
import type { Attributes, Decision, User } from '../contracts/access/index.ts';
import type { ApiRequest } from '../contracts/request.ts';

/** One step of a request on its way through an apiserver, with the verdict. */
export type RequestStep =
  | { readonly step: 'authentication'; readonly user: User; readonly credential: Credential }
  /** The user acts as `as` from here on. */
  | { readonly step: 'impersonation'; readonly as: User }
  | { readonly step: 'authorization'; readonly decision: Decision }
  /** Plugins begin to decide. The request ends here if no step of the same phase follows. */
  | { readonly step: 'admission begins'; readonly phase: AdmissionPhase }
  | WebhookStep
  /** `after` is `before` itself if no plugin changed it. Both are absent for a delete. */
  | { readonly step: 'mutating admission'; readonly before?: KubeObject; readonly after?: KubeObject }
  | { readonly step: 'validation'; readonly object: KubeObject }
  | { readonly step: 'validating admission'; readonly object?: KubeObject }
  | { readonly step: 'stored'; readonly object: KubeObject }
  /** Another write was faster: the request starts again. */
  | { readonly step: 'superseded' }
  /** Absent `at`: a phase of admission that has begun and not ended, or else the verb itself. */
  | { readonly step: 'refused'; readonly at?: 'impersonation' | 'authorization'; readonly error: StatusError }
  /** The request succeeded. */
  | { readonly step: 'answered' };

export type AdmissionPhase = 'mutating' | 'validating';

/** One call of a webhook by a request. A request that waits for several at once reports them as they answer. */
export interface WebhookStep {
  readonly step: 'webhook';
  /** The names of the configuration and of the webhook in it; absent if the configuration was deleted meanwhile. */
  readonly webhook?: { readonly configuration: string; readonly name: string };
  readonly phase: AdmissionPhase;
  /** Virtual ms between the question and the answer. */
  readonly tookMs: number;
  /** The answer of the webhook, whatever it sent. */
  readonly answer?: unknown;
  /** The error of a call without an answer. */
  readonly error?: string;
}

/**
 * The proof of the user of a request. `connection`: the user is known by the connection in the same process, which has no
 * credentials. `authorized`: a front end has checked the credentials and the rights.
 */
export type Credential = 'connection' | 'bearer token' | 'authorized';

/**
 * Watches requests: called for each with its attributes, and returns the function that receives its steps; undefined for
 * a request that it ignores. Observers change nothing.
 *
 * @param attributes - with the user who sent it
 * @param actor - the source of the request, as the log names it
 */
export type ObserveRequest = (
  attributes: Attributes,
  actor: string,
  request: ApiRequest,
) => ((step: RequestStep) => void) | undefined;
