import type { KubeObject, New, ObjectKey } from '../../api/objects.ts';
import { isNotFound } from '../../api/status.ts';
import { applyPatch } from '../../apiserver/patch/index.ts';
import type { Json, JsonObject } from '../../apiserver/patch/json-value.ts';
import type { ApplyContext, ApplyOptions, Mapping } from '../../contracts/apply/index.ts';
import type { Patch } from '../../contracts/client.ts';
import { manifestOf } from './manifest.ts';
import type { Manifest } from './manifest-type.ts';
import { failures } from './words.ts';

/** One object to apply. */
export interface Target {
  /** The file, as in messages. */
  readonly source: string;
  readonly manifest: Manifest;
  readonly mapping: Mapping;
  readonly key: ObjectKey;
}

/** The apply of one object, and its environment. */
export interface Step extends Pick<ApplyContext, 'client' | 'clock'> {
  readonly target: Target;
  readonly options: ApplyOptions;
  readonly requests: Requests;
  /** Reports a warning, without the word `Warning:`. */
  readonly warn: (warning: string) => void;
}

/**
 * The requests of a client-side apply about its object. In a dry run, none of them writes. With `dryRun: 'client'`, a
 * create or a patch is not even sent.
 */
export interface Requests {
  /** @throws StatusError NotFound */
  get(): Promise<KubeObject>;
  /** Like {@link get}. Returns undefined if the server has no such object. */
  find(): Promise<KubeObject | undefined>;
  /** Creates an object, without its `resourceVersion`. Returns it as the server has it now. */
  create(object: Manifest | KubeObject): Promise<KubeObject>;
  /** Patches the object `live`. Returns it as the server has it now. */
  patch(live: KubeObject, patch: ThreeWayPatch): Promise<KubeObject>;
  /** Deletes the object. It can still exist for a while. */
  delete(): Promise<void>;
}

/** A patch of three versions: strategic, or a JSON merge patch for a kind without merge rules. */
export interface ThreeWayPatch {
  readonly type: 'strategic' | 'merge';
  readonly body: JsonObject;
}

/** Returns the apply of one object. */
export function stepOf(
  { client, clock }: ApplyContext,
  target: Target,
  options: ApplyOptions,
  warn: Step['warn'],
): Step {
  return { client, clock, target, options, warn, requests: requestsOf(client, target, options) };
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go applyOneObject, patcher.go patchSimple, delete */
function requestsOf(
  client: ApplyContext['client'],
  { mapping: { resource, mergeSchema }, key }: Target,
  { dryRun }: ApplyOptions,
): Requests {
  const written = {
    fieldManager: 'kubectl-client-side-apply',
    fieldValidation: 'Strict',
    ...(dryRun === 'server' && { dryRun: true }),
  } as const;
  const get = (): Promise<KubeObject> => client.get(resource, key);
  return {
    get,
    find: () =>
      get().catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      }),
    create: async ({ metadata, ...rest }) => {
      const { resourceVersion: _, ...others } = metadata;
      const object = { ...rest, metadata: others } as unknown as New<KubeObject>;
      return dryRun === 'client' ? (object as KubeObject) : client.create(resource, object, written);
    },
    patch: async (live, patch) =>
      dryRun === 'client'
        ? (applyPatch(live, patch, mergeSchema) as KubeObject)
        : client.patch(resource, key, patch satisfies Patch, written),
    delete: async () => {
      if (dryRun === undefined) await client.delete(resource, key, { propagationPolicy: 'Background' });
    },
  };
}

/**
 * Returns the target of one object of a document.
 *
 * @param placeIn puts a manifest into its namespace
 * @throws Error if the object cannot be applied; the error of discovery
 */
export async function targetOf(
  { mappingOf }: ApplyContext,
  { source, value }: { readonly source: string; readonly value: Json },
  { namespace }: ApplyOptions,
  placeIn: (
    manifest: Manifest,
    resource: Mapping['resource'],
    namespace: ApplyOptions['namespace'],
  ) => Manifest,
): Promise<Target> {
  const object = manifestOf(value, source);
  const mapping = await mappingOf(object.apiVersion, object.kind);
  if (!mapping) throw failures.noMatch(source, object);
  const manifest = placeIn(object, mapping.resource, namespace);
  const { name, generateName } = manifest.metadata;
  const key = mapping.resource.namespaced
    ? { namespace: String(manifest.metadata.namespace), name }
    : { name };
  const target = { source, manifest, mapping, key };
  if (name) return target;
  throw generateName
    ? failures.generateName(String(generateName))
    : failures.nameMissing({ ...target, key: { ...key, name: '' } });
}
