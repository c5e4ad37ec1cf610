import type { WebhookConversion } from '#api/apiextensions/v1';
import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Kind } from '../kind.ts';
import type { Column } from '../table/column.ts';
import type { StructuralSchema } from './structural-schema.ts';

/** One served version of a custom resource. */
export interface CustomVersion {
  readonly kind: Kind;
  readonly schema: StructuralSchema;
  readonly columns: readonly Column<never>[];
  /** Whether the definition is terminating, which prevents new objects. */
  readonly isTerminating: boolean;
  /** The webhook that converts objects of other versions. Undefined if all versions have the same fields. */
  readonly webhook?: WebhookConversion;
}

const versions = new WeakMap<object, CustomVersion>();

/** Returns the custom version of a resource; undefined for a built-in resource. */
export const customVersionOf = (resource: object): CustomVersion | undefined => versions.get(resource);

/** Returns a stored object in the requested version of a custom resource: without unknown fields and with defaults. */
export function asVersioned<T extends KubeObject>(kind: Kind<T>, object: T): T {
  const { conversion, resource } = kind;
  return conversion && customVersionOf(resource) ? (conversion.fromStored(object) as T) : object;
}

/** Registers the custom version of a resource. */
export function setCustomVersion(resource: Resource, version: CustomVersion): void {
  versions.set(resource, version);
}
