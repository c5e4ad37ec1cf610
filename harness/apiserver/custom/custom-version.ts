import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Kind } from '../kind.ts';
import type { Column } from '../table/column.ts';
import type { StructuralSchema } from './structural-schema.ts';

/** One version of a custom resource, as it is served. */
export interface CustomVersion {
  readonly kind: Kind;
  readonly schema: StructuralSchema;
  readonly columns: readonly Column<never>[];
  /** Is the definition on its way out? Nothing new comes then. */
  readonly isTerminating: boolean;
}

const versions = new WeakMap<object, CustomVersion>();

/** What a definition says of this resource; undefined for a resource that is built in. */
export const customVersionOf = (resource: object): CustomVersion | undefined => versions.get(resource);

/**
 * A stored object as the version that is asked for has it, where that is a custom resource: what its schema does not know is
 * gone, and what it fills in is there.
 */
export function asVersioned<T extends KubeObject>(kind: Kind<T>, object: T): T {
  const { conversion, resource } = kind;
  return conversion && customVersionOf(resource) ? (conversion.fromStored(object) as T) : object;
}

/** Makes it known what a definition says of a resource. */
export function setCustomVersion(resource: Resource, version: CustomVersion): void {
  versions.set(resource, version);
}
