import type { ObjectKey } from '../api/objects.ts';
import { groupVersion, type Resource, resources } from '../api/resource.ts';
import { Failure } from './failure.ts';
import { type Document, documentsOf } from './manifest-documents.ts';

/** One object of a manifest, and the resource that serves its kind. */
export interface ManifestObject {
  readonly resource: Resource;
  /** Its key, in the namespace `default` if the manifest names none. */
  readonly key: ObjectKey;
  /** The object to send. Only its kind, apiVersion and name have been checked. */
  readonly object: ManifestBody;
}

/** The fields of a manifest's object: any fields, and at least these. */
export interface ManifestBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string };
  readonly [field: string]: unknown;
}

interface ReadOptions {
  /** The namespace of an object that names none. @defaultValue `default` */
  readonly namespace?: string;
  /** The resources of the cluster. @defaultValue the built-in ones */
  readonly known?: readonly Resource[];
}

/**
 * Reads the objects of a manifest for `kubectl apply -f`, in order. It is YAML with one or more documents, or JSON,
 * with single objects or Lists. Documents that are empty or hold only comments are skipped.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 staging/src/k8s.io/cli-runtime/pkg/resource/visitor.go StreamVisitor
 *
 * @param file its name in messages
 * @throws Failure when the file is not YAML, holds no object, or holds an object of an unknown kind
 */
export function readManifest(
  bytes: Uint8Array,
  file: string,
  { namespace = 'default', known = resources }: ReadOptions = {},
): readonly ManifestObject[] {
  const objects = documentsOf(textOf(bytes, file), file).flatMap(flattened);
  if (objects.length > 0) return objects.map((document) => identified(document, file, { namespace, known }));
  throw new Failure(
    `read ${file}`,
    'it contains no object',
    'Write one, or run npm start without a file to apply docs/web.yaml.',
  );
}

/** Notepad and PowerShell begin their files with a byte order mark, and PowerShell's `>` writes UTF-16. */
function textOf(bytes: Uint8Array, file: string): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(`read ${file}`, 'it is not UTF-8 text', 'Name a manifest: YAML or JSON.');
  }
}

/** Replaces a list by its items. The items of a `PodList` need not name their kind. */
function flattened(document: Document): readonly Document[] {
  const { value, ...place } = document;
  if (!isObject(value) || !Array.isArray(value.items)) return [document];
  const { apiVersion, kind } = value;
  const itemKind = typeof kind === 'string' && /.List$/.test(kind) ? kind.replace(/List$/, '') : undefined;
  const said = itemKind === undefined ? {} : { apiVersion, kind: itemKind };
  return value.items.flatMap((item: unknown, index) =>
    flattened({ ...place, item: index + 1, value: isObject(item) ? { ...said, ...item } : item }),
  );
}

function identified(
  { value, line, item }: Document,
  file: string,
  { namespace: standard, known }: Required<ReadOptions>,
): ManifestObject {
  const fail = (why: string, next: string): never => {
    const place = item === undefined ? `line ${line}` : `line ${line}, item ${item},`;
    throw new Failure(`read ${file}`, `the object at ${place} ${why}`, next);
  };
  if (!isObject(value)) return fail(`is ${described(value)}`, 'An object begins with apiVersion: and kind:.');
  const { apiVersion, kind } = value;
  for (const [field, said] of Object.entries({ apiVersion, kind })) {
    if (typeof said === 'string' && said !== '') continue;
    const why =
      said === undefined || said === null || said === ''
        ? `has no ${field}`
        : `has ${described(said)} as ${field}`;
    fail(why, `Every object needs both, for example apiVersion: apps/v1 and kind: Deployment.`);
  }
  const resource = resourceOf(String(apiVersion), String(kind), known, fail);
  const { metadata } = value;
  const { name, generateName, namespace } = isObject(metadata) ? metadata : {};
  if (name === undefined && generateName !== undefined) {
    fail('has a generateName, so each apply would create another object', 'Give it a metadata.name.');
  }
  for (const [field, said] of Object.entries({ name, namespace })) {
    if (typeof said === 'string' || said === undefined || said === null) continue;
    const quotes =
      'Put it in quotes: otherwise YAML reads digits as a number, and y, n, yes, no, on and off as true or false.';
    fail(`has ${described(said)} as metadata.${field}`, isScalar(said) ? quotes : `It must be a string.`);
  }
  if (typeof name !== 'string' || name === '')
    return fail('has no metadata.name', `Give the ${resource.kind} a name.`);
  return placed(
    resource,
    value as unknown as ManifestBody,
    (namespace as string | null | undefined) || standard,
  );
}

/** Puts a namespaced object into its namespace, as kubectl does. */
function placed(resource: Resource, object: ManifestBody, namespace: string): ManifestObject {
  const { namespace: _, ...metadata } = object.metadata;
  const { name } = object.metadata;
  if (!resource.namespaced)
    return { resource, key: { name }, object: { ...object, metadata: { ...metadata, name } } };
  return {
    resource,
    key: { namespace, name },
    object: { ...object, metadata: { ...metadata, name, namespace } },
  };
}

/**
 * Finds the resource of a kind; fails in kubectl's words. Upstream: kubernetes/apimachinery@v0.36.3
 * pkg/api/meta/errors.go
 */
function resourceOf(
  apiVersion: string,
  kind: string,
  resources: readonly Resource[],
  fail: (why: string, next: string) => never,
): Resource {
  const found = resources.find((each) => each.kind === kind && groupVersion(each) === apiVersion);
  if (found) return found;
  const why = `has an unknown kind: no matches for kind "${kind}" in version "${apiVersion}"`;
  const meant = resources.find((each) =>
    [each.kind, each.plural, ...each.shortNames].some((name) => name.toLowerCase() === kind.toLowerCase()),
  );
  if (meant) return fail(why, `Write apiVersion: ${groupVersion(meant)} and kind: ${meant.kind}.`);
  return fail(why, `This apiserver serves ${listed(resources)}.`);
}

/** `v1 ConfigMap, Pod and Service; apps/v1 Deployment and ReplicaSet` */
function listed(resources: readonly Resource[]): string {
  const groups = new Map<string, string[]>();
  for (const each of resources) {
    groups.set(groupVersion(each), [...(groups.get(groupVersion(each)) ?? []), each.kind]);
  }
  const list = new Intl.ListFormat('en', { type: 'conjunction', style: 'long' });
  return [...groups].map(([version, kinds]) => `${version} ${list.format(kinds)}`).join('; ');
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function described(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  if (typeof value === 'string')
    return `the string ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  return value === null ? 'null' : `the ${typeof value} ${value}`;
}
