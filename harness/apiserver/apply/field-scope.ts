import type { KubeObject } from '../../api/objects.ts';
import { groupVersion, type Resource } from '../../api/resource.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import { customMergeSchema } from '../custom/merge-schema.ts';
import { decode } from '../decode.ts';
import type { Kind, Part } from '../kind.ts';
import type { JsonObject } from '../patch/json-value.ts';
import type { FieldScope } from './field-manager.ts';
import { type FieldSet, fieldSet, onlyAround, recursiveDifference } from './field-set.ts';
import { type MergeSchema, schemaOf } from './merge-schema.ts';
import { fieldElement, type Path } from './path-element.ts';

/**
 * Returns the scope of writes to a kind. The schema is that of the requested version if versions differ only in their
 * schema.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/installer.go APIInstaller.registerResourceHandlers, for the
 * field managers; kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/customresource_handler.go scopeWithFieldManager
 */
export function scopeOf<T extends KubeObject>(kind: Kind<T>, part: Part): FieldScope {
  const { resource } = kind;
  const versioned = (customVersionOf(resource) && kind.conversion?.served) || resource;
  let scopes = known.get(versioned);
  if (!scopes) {
    scopes = {};
    known.set(versioned, scopes);
  }
  scopes[part] ??= newScope(resource, part, filterOf(kind, part), customVersionOf(versioned));
  return scopes[part];
}

const known = new WeakMap<object, { [part in Part]?: FieldScope }>();

/** Creates the scope of a resource. */
export function newScope(
  resource: Pick<Resource, 'group' | 'version' | 'kind'>,
  subresource: string,
  filter: (set: FieldSet) => FieldSet = (set) => set,
  custom = customVersionOf(resource),
): FieldScope {
  const { object } = decode<JsonObject>(resource, {}, { fieldValidation: 'Ignore' });
  return {
    kind: resource,
    apiVersion: groupVersion(resource),
    subresource,
    schema: custom ? customMergeSchema(custom.schema) : (schemaOf(resource) as MergeSchema),
    mayNotFit: custom !== undefined,
    empty: object,
    filter,
  };
}

/** Upstream: GetResetFields and GetResetFieldsFilter of the kinds' strategies */
function filterOf<T extends KubeObject>(kind: Kind<T>, part: Part): (set: FieldSet) => FieldSet {
  if (part === 'ephemeralcontainers') {
    const path = pathTo('spec.ephemeralContainers');
    return (set) => onlyAround(set, path);
  }
  const whole = kind.prepareForStatusUpdate ? ['status'] : [];
  const reset = kind.resetFields?.[part] ?? (part === 'status' ? ['spec'] : whole);
  const fields = fieldSet(...reset.map(pathTo));
  return (set) => recursiveDifference(set, fields);
}

const pathTo = (dotted: string): Path => dotted.split('.').map(fieldElement);
