import {
  getOwn,
  isList,
  isObject,
  type Json,
  type JsonObject,
  LAST_APPLIED,
  type Manifest,
  type MergeField,
  type MergeSchema,
  mappingsOf,
  type Target,
} from '#given/11-apply';
import type { KubeObject } from '#harness';

/** A ConfigMap of a manifest, in the namespace `default`. */
export function configMap(data: JsonObject, metadata: JsonObject = {}): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web', namespace: 'default', ...metadata },
    data,
  };
}

/** The merge rules of a kind, as a {@link Target} has them. */
export async function targetOf(manifest: Manifest): Promise<Target> {
  const { apiVersion, kind, metadata } = manifest;
  const mapping = await mappingsOf()(apiVersion, kind);
  if (!mapping) throw new Error(`no resource for ${kind}`);
  return { source: 'web.yaml', manifest, mapping, key: { namespace: 'default', name: metadata.name } };
}

/** A custom resource as a {@link Target}: its kind has no merge rules. */
export async function customTarget(spec: JsonObject): Promise<Target> {
  const { mapping, ...target } = await targetOf(configMap({}));
  const { mergeSchema: _, ...custom } = mapping;
  const metadata = { name: 'web', namespace: 'default' };
  const manifest = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec };
  return { ...target, mapping: custom, manifest };
}

/**
 * An object on the server, with the metadata that the server adds.
 *
 * @param lastApplied - the text of the annotation; undefined without the annotation
 */
export function liveOf(
  manifest: Manifest,
  lastApplied: string | undefined,
  metadata: object = {},
): KubeObject {
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      ...(lastApplied !== undefined && { annotations: { [LAST_APPLIED]: lastApplied } }),
      uid: 'uid-1',
      resourceVersion: '5',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
  } as unknown as KubeObject;
}

const item: Record<string, MergeField> = {};

/** The merge rules of the rows of `strategic-merge.json`. An item of a list has the same fields as the whole. */
export const vectorSchema: MergeSchema = Object.assign(item, {
  mergingList: { patchStrategy: 'merge', patchMergeKey: 'name', schema: item },
  mergeItemPtr: { patchStrategy: 'merge', patchMergeKey: 'name', schema: item },
  mergingIntList: { patchStrategy: 'merge' },
  retainKeysMap: { patchStrategy: 'retainKeys', schema: item },
  retainKeysMergingList: { patchStrategy: 'merge,retainKeys', patchMergeKey: 'name', schema: item },
} satisfies MergeSchema);

/** A row of `strategic-merge.json` with three versions. */
export interface StrategicRow {
  readonly last?: JsonObject;
  readonly desired?: JsonObject;
  readonly live?: JsonObject;
}

/** Whether a row is about `$retainKeys`. Its patch has the directive, or it would have been needed. */
export const retains = (row: object): boolean => JSON.stringify(row).includes('retainKeys');

/** Whether a row has a merging list of scalars. */
export const hasScalars = (row: object): boolean => JSON.stringify(row).includes('mergingIntList');

/** This row has a manifest with a directive of a patch, which no manifest should have. */
export const MANIFEST_WITH_DIRECTIVE = 'create3-46';

/** A patch without `$setElementOrder`, which is optional, and without objects that have nothing else. */
export function withoutOrder(patch: Json): Json {
  if (isList(patch)) return patch.map(withoutOrder).filter((value) => !isJustKey(value));
  if (!isObject(patch)) return patch;
  const fields = Object.entries(patch)
    .filter(([name]) => !name.startsWith('$setElementOrder/'))
    .map(([name, value]) => [name, withoutOrder(value), value] as const)
    .filter(([, left, value]) => !isObject(left) || Object.keys(left).length > 0 || isEmpty(value));
  return Object.fromEntries(fields.map(([name, left]) => [name, left]));
}

const isEmpty = (value: Json): boolean => isObject(value) && Object.keys(value).length === 0;

/** An item of a list whose patch had only an order. */
const isJustKey = (value: Json): boolean =>
  isObject(value) && Object.keys(value).length === 0 && getOwn(value, 'name') === undefined;
