import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { ApplyOptions, ApplyReport, ManifestDocument } from '../../contracts/apply/index.ts';
import type { ApiRequest } from '../../contracts/request.ts';
import type { Run } from '../../testing/holds.ts';
import type { ExpectedObject } from './oracle/documents.ts';
import type { ApplyPlan, ApplyScenario, FaultReason } from './scenario/index.ts';

/** The record of one run. */
export interface ApplyHistory extends Run {
  readonly scenario: ApplyScenario;
  readonly applies: readonly ApplyRecord[];
}

/** One call of `apply`. */
export interface ApplyRecord {
  readonly number: number;
  readonly plan: ApplyPlan;
  readonly documents: readonly ManifestDocument[];
  readonly options: ApplyOptions;
  /** The objects that the documents mean, and the documents without one. */
  readonly expected: readonly ExpectedObject[];
  /** The custom resource as discovery names it. */
  readonly widgets: Resource;
  readonly startMs: number;
  /** Undefined if it never ended. */
  endMs?: number;
  report?: ApplyReport;
  /** The error of a rejected call. */
  rejection?: unknown;
  readonly requests: RequestRecord[];
  /** All objects of the storage at the start and at the end. */
  readonly before: readonly StoredObject[];
  after: readonly StoredObject[];
  /** The writes by others during the apply, by object. */
  readonly disturbed: Set<string>;
}

/** An object of the storage. */
export interface StoredObject {
  readonly resource: Resource;
  readonly object: KubeObject;
}

/** A request of an apply. */
export interface RequestRecord {
  readonly number: number;
  readonly request: ApiRequest;
  readonly verb: ApiRequest['verb'];
  readonly resource: Resource;
  readonly key: Partial<ObjectKey>;
  readonly sentMs: number;
  arrivedMs?: number;
  answeredMs?: number;
  answer?: unknown;
  error?: unknown;
  /** The fault that the request met. */
  fault?: FaultReason;
  /** The stored object directly before and after the server handled it. */
  before?: KubeObject | undefined;
  after?: KubeObject | undefined;
  /** The server's answer to a right request in place of this one, which it refused. */
  alternative?: { readonly accepted: boolean };
}

/** Names an object: `deployments/default/web`. */
export function nameOf(resource: Pick<Resource, 'plural'>, { namespace, name }: Partial<ObjectKey>): string {
  return [resource.plural, ...(namespace ? [namespace] : []), ...(name ? [name] : [])].join('/');
}

/** Returns the annotation of apply. */
export function annotationOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.annotations?.[LAST_APPLIED];
}

/** The annotation of apply. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns whether a request can change an object that exists. */
export const isChange = ({ verb }: Pick<RequestRecord, 'verb'>): boolean =>
  verb === 'patch' || verb === 'update';

/** Returns whether a request can write. */
export const isWrite = (record: Pick<RequestRecord, 'verb'>): boolean =>
  isChange(record) || !READS.has(record.verb);

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'getScale']);

/** Returns whether the request is a dry run. */
export const isDryRun = ({ request }: Pick<RequestRecord, 'request'>): boolean =>
  (request.options as { readonly dryRun?: boolean }).dryRun === true;

/** Returns the reason of a refusal by the server; undefined for other errors. */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof Error && 'reason' in error ? String(error.reason) : undefined;
}
