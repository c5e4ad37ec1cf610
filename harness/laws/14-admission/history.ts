import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { StatusError } from '../../api/status.ts';
import type { LogEntry } from '../../apiserver/storage/storage.ts';
import type { User } from '../../contracts/access/index.ts';
import type { AdmissionContext, AdmissionReview, Operation } from '../../contracts/admission/index.ts';
import type { Run } from '../../testing/holds.ts';
import type { AdmissionScenario, RequestPlan } from './scenario/index.ts';

/** A request of a user, and everything that happened for it. */
export interface RequestRecord {
  readonly number: number;
  readonly plan: RequestPlan;
  readonly startMs: number;
  /** Undefined if it never ended. */
  endMs?: number;
  outcome?: Outcome<unknown>;
  /** The calls of the admission for it, in the order of their starts. */
  readonly phases: Phase[];
}

/** The result of a call, or its error. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** A call of the admission: `admit` or `validate`. */
export interface Phase {
  /** In the order of their starts. */
  readonly number: number;
  readonly method: 'admit' | 'validate';
  readonly server: number;
  /** Undefined for a request of the apiserver itself. */
  readonly request: RequestRecord | undefined;
  readonly attributes: Snapshot;
  readonly startMs: number;
  /** The newest revision of the storage, and of the apiserver's cache, at the start. */
  readonly startRevision: number;
  readonly cachedRevision: number;
  endMs?: number;
  endRevision?: number;
  outcome?: Outcome<KubeObject | undefined>;
  /** The result of a second `admit` for the returned object; absent if there are webhooks. */
  again?: Outcome<KubeObject | undefined>;
  againRevision?: number;
  /** The reviews that it sent. */
  readonly calls: Call[];
  readonly warnings: string[];
  /** The annotations of the audit event. */
  readonly annotations: Map<string, string>;
  /** Whether it changed the stored object that it got. */
  hasChangedOld?: boolean;
}

/** The attributes at the start of a phase. */
export interface Snapshot {
  readonly operation: Operation;
  readonly user: User;
  readonly resource: Resource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly dryRun: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  /** In virtual ms since the run began. */
  readonly deadlineMs: number;
}

/** A review that was sent to a webhook. */
export interface Call {
  /** The index of the webhook in the scenario. */
  readonly hook: number;
  readonly startMs: number;
  endMs?: number;
  readonly review: AdmissionReview;
  /** The seconds that the webhook was promised. */
  readonly timeoutSeconds: number;
  /** Whether the caller gave up. */
  isAborted?: boolean;
  /** The patch in the answer. */
  patch?: readonly unknown[];
}

/** A write. */
export interface Write extends LogEntry {
  readonly atMs: number;
}

/** An attempt of an apiserver's admission to write the status of a quota. */
export interface QuotaWrite {
  readonly server: number;
  readonly namespace: string;
  readonly name: string;
  /** The time of the call. */
  readonly atMs: number;
  hasFailed?: boolean;
}

/** The error of a write while the storage is out of order. */
export const FAULT = 'etcdserver: request timed out';

/** The record of one run. */
export interface AdmissionHistory extends Run {
  readonly scenario: AdmissionScenario;
  readonly requests: readonly RequestRecord[];
  /** All phases, also those of the apiserver's own requests. */
  readonly phases: readonly Phase[];
  /** Reviews that belong to no phase. */
  readonly strays: readonly Call[];
  readonly writes: readonly Write[];
  readonly quotaWrites: readonly QuotaWrite[];
  /** Reads an object at a revision. */
  read(
    resource: Resource,
    key: { readonly namespace?: string; readonly name: string },
    revision: number,
  ): KubeObject | undefined;
  /** Lists objects at a revision. */
  list(resource: Resource, namespace: string | undefined, revision: number): readonly KubeObject[];
  /** The functions of the harness that change objects. */
  readonly tools: Pick<AdmissionContext, 'setDefaults' | 'decode' | 'applyJsonPatch'>;
  readonly endMs: number;
}

/** Returns the error of an outcome as a Status, if it has one. */
export function statusOf(outcome: Outcome<unknown> | undefined): StatusError['status'] | undefined {
  if (!outcome || !('error' in outcome)) return undefined;
  const { error } = outcome;
  return error instanceof Error && error.name === 'StatusError' ? (error as StatusError).status : undefined;
}
