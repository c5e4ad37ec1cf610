/**
 * The schema of a type in OpenAPI v3, with the extensions of Kubernetes.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/validation/spec/schema.go Schema
 */
export interface Schema {
  readonly $ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  readonly nullable?: boolean;
  /** The group, version and kind names of a kind. */
  readonly 'x-kubernetes-group-version-kind'?: readonly SchemaKind[];
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/** A kind as in the extension `x-kubernetes-group-version-kind`. */
export interface SchemaKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A source of schemas: the types of the API, or the definitions of custom resources. */
export interface SchemaSource {
  /** Returns the name of a kind's schema, `io.k8s.api.apps.v1.Deployment`; undefined for an unknown kind. */
  nameOf(kind: SchemaKind): string | undefined;
  /** Returns the schema with this name; undefined for an unknown name. */
  schema(name: string): Schema | undefined;
}

const PREFIX = '#/components/schemas/';

/** Returns a reference to a schema of the same document. */
export const referTo = (name: string): Schema => ({ $ref: `${PREFIX}${name}` });

/** Returns the name of the schema in a reference. */
export const referredBy = ($ref: string): string => $ref.slice(PREFIX.length);

/**
 * Returns the schemas with these names, and all schemas that they refer to, sorted by name.
 *
 * @throws Error when the source does not have a name
 */
export function reachableSchemas(
  names: Iterable<string>,
  source: SchemaSource,
): Readonly<Record<string, Schema>> {
  const found = new Map<string, Schema>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    const schema = source.schema(name);
    if (schema === undefined) throw new Error(`Failed to describe ${name}: no schema has this name.`);
    found.set(name, schema);
    waiting.push(...references(schema));
  }
  return sortedByKey(found);
}

function references({ $ref, properties, additionalProperties, items, allOf, oneOf }: Schema): string[] {
  const parts = [
    ...Object.values(properties ?? {}),
    typeof additionalProperties === 'object' ? additionalProperties : undefined,
    items,
    ...(allOf ?? []),
    ...(oneOf ?? []),
  ];
  return [
    ...($ref === undefined ? [] : [referredBy($ref)]),
    ...parts.flatMap((part) => (part === undefined ? [] : references(part))),
  ];
}

/** Returns an object with these entries, sorted by key, as Go encodes maps. */
export function sortedByKey<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
