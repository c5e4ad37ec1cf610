import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Clock } from '../../sim/index.ts';
import type { Client } from '../client.ts';
import type { MergeSchema } from './merge-schema.ts';

/**
 * `kubectl apply`: makes the cluster match the objects of some manifests.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go ApplyOptions.Run
 *
 * @param documents the documents of all files, in their order
 * @returns the result for each object. It never rejects: an error of one object does not stop the others
 */
export type Apply = (
  context: ApplyContext,
  documents: readonly ManifestDocument[],
  options: ApplyOptions,
) => Promise<ApplyReport>;

/** The environment of an apply: the cluster, and knowledge about its kinds. */
export interface ApplyContext {
  /** Sends requests. The first argument of each request is a {@link Mapping.resource}. */
  readonly client: Client;
  readonly clock: Clock;
  /**
   * Finds the resource of a kind by discovery.
   *
   * @returns undefined if the server does not serve the kind
   */
  mappingOf(apiVersion: string, kind: string): Promise<Mapping | undefined>;
}

/** The resource of a kind, and its merge rules. */
export interface Mapping {
  readonly resource: Resource;
  /** The rules of strategic merge patches. Absent for a custom resource, which the server cannot patch strategically. */
  readonly mergeSchema?: MergeSchema;
}

/** One document of a manifest. */
export type ManifestDocument = {
  /** The file, as in messages: `web.yaml`, `STDIN`. */
  readonly source: string;
} & ({ readonly value: unknown } | /** The document cannot be parsed. */ { readonly error: string });

/** The flags of `kubectl apply`. */
export interface ApplyOptions {
  readonly namespace: {
    /** The namespace of namespaced objects that name none: `-n`, or that of the kubeconfig's context. */
    readonly name: string;
    /** Whether `-n` was given: an object of another namespace is then an error. */
    readonly required: boolean;
  };
  /** Replaces an object that cannot be patched: deletes it, and creates it again. @defaultValue false */
  readonly force?: boolean;
  /** The longest wait for a deletion that `force` asks for, in milliseconds. @defaultValue no end */
  readonly timeoutMs?: number;
  /** `client`: computes the result, and writes nothing. `server`: the server does so. */
  readonly dryRun?: 'client' | 'server';
  /** Lets the server merge, which records the owner of each field. @defaultValue false */
  readonly serverSide?: boolean;
  /** With `serverSide`: takes over fields of other managers. @defaultValue false */
  readonly forceConflicts?: boolean;
  /** Deletes objects that were applied before and are in no document now: those that the labels select. */
  readonly prune?: { readonly selector: Readonly<Record<string, string>> };
}

/** The result of an apply. */
export interface ApplyReport {
  /** The objects that were applied or pruned, in the order of their requests. */
  readonly applied: readonly Applied[];
  /** kubectl's warnings, without the word `Warning:`. */
  readonly warnings: readonly string[];
  /** The errors of documents and of objects, in their order. */
  readonly errors: readonly ApplyError[];
}

/** An object that was applied. */
export interface Applied {
  readonly resource: Resource;
  readonly key: ObjectKey;
  /** kubectl's word for it. `unchanged`: no request that writes was sent. */
  readonly outcome: 'created' | 'configured' | 'unchanged' | 'serverside-applied' | 'pruned';
  /** The object on the server now, or the result of a dry run. */
  readonly object: KubeObject;
}

/** Why a document or an object was not applied. */
export interface ApplyError {
  readonly source: string;
  readonly message: string;
  /** The refusal of the server, if there is one. */
  readonly cause?: unknown;
}
