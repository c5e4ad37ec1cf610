import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../api/objects.ts';
import { groupVersion, type Resource } from '../../api/resource.ts';
import { decode } from '../../apiserver/decode.ts';
import { kinds } from '../../apiserver/kinds/index.ts';
import type { FuzzRequest } from './request.ts';
import type { Answer, Served } from './served.ts';

/**
 * Errors of the apiserver itself: upstream answers these with a 500, too, because the errors have no status of their
 * own.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/status.go ErrorToAPIStatus,
 * pkg/endpoints/handlers/patch.go interpretStrategicMergePatchError
 */
const DOCUMENTED_500S: readonly RegExp[] = [
  // Strategic merge patches.
  /^cannot merge lists without merge key/,
  /^list element types are not identical/,
  /^The order in patch list/,
  /^merging lists cannot yet be specified/,
  /^unknown patch type/,
  /does not contain declared merge key/,
  /^expected a .* but received a /,
  // A resourceVersion in a create request, or a resourceVersion that is not a number, except in a list.
  /^strconv\.ParseUint: parsing /,
  /^resourceVersion should not be set on objects to be created/,
  /^resourceVersion: Invalid value/,
  // A binding to an object that is not a node.
  /^target\.kind: Unsupported value/,
  // A configuration that does not fit the kind's schema, or that creates such an object.
  /^failed to create typed (?:patch|live) object/,
  /^failed to create manager for existing fields: .* omits all key fields/,
  // A custom resource that does not fit its changed schema.
  /^failed to create manager for existing fields: failed to convert new object \(.*\) to smd typed/s,
  /^failed to convert new object \(.*\) to proper version/s,
  // The scale of a custom resource without a number, or with another value in its place.
  /accessor error: /,
  /^Internal error occurred: the spec replicas field ".*" does not exist/,
  /^value cannot be set because/,
  // Logs of a node whose kubelet does not answer: here no kubelet does.
  /error dialing backend: /,
  // Evictions; addresses and ports.
  /more than one PodDisruptionBudget/,
  /failed to allocate/,
];

/** Returns the violation in an answer, if any. */
export function brokenByAnswer({ method }: FuzzRequest, answer: Answer): string | undefined {
  const { status, contentType, text } = answer;
  if (status < 200 || status > 599) return `the status is ${status}`;
  if (Reflect.ownKeys(Object.prototype).length !== PROTOTYPE_KEYS)
    return 'the prototype of objects is polluted';
  if (contentType !== 'application/json' || method === 'HEAD' || status < 400) return undefined;
  const told = parsed(text) as { kind?: string; code?: number; message?: string } | undefined;
  if (told?.kind !== 'Status' || told.code !== status)
    return `a ${status} has no Status: ${text.slice(0, 200)}`;
  const { message = '' } = told;
  if (status !== 500 || DOCUMENTED_500S.some((pattern) => pattern.test(message))) return undefined;
  return `an undocumented 500: ${message.slice(0, 400)}`;
}

const PROTOTYPE_KEYS = Reflect.ownKeys(Object.prototype).length;

/** Returns the violation of a request in the store, if any: a read, a rejected request or a dry run must not write. */
export function brokenByWrite(
  { method, path }: FuzzRequest,
  { status, text }: Answer,
  before: number,
  after: number,
): string | undefined {
  if (after < before) return `the revision went back from ${before} to ${after}`;
  if (after === before) return undefined;
  const written = `it wrote revision ${after}`;
  if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) return `${written} by ${method}`;
  if (/[?&]dryRun=All(&|$)/.test(path) && status < 400 && method !== 'DELETE')
    return `${written} in a dry run`;
  // The objects of a collection are deleted one by one.
  if (status >= 400 && method !== 'DELETE' && !UNCONVERTED.test(text))
    return `${written} and was rejected with ${status}`;
  return undefined;
}

/**
 * The write succeeded, but its answer cannot be converted to the format in `Accept`.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/response.go transformResponseObject
 */
const UNCONVERTED = /"message": ?"(?:you requested PartialObjectMetadata|Unable to convert to Table)/;

/**
 * Returns the first violation in the store: each object reads as it was written, is served under its URL, and fits its
 * kind.
 */
export async function brokenInStore(served: Served): Promise<string | undefined> {
  const { storage } = served.server;
  const uids = new Set<string>();
  const resourceVersions = new Set<string>();
  const custom = served.server.customResources;
  const stored = kinds.filter(({ conversion }) => !conversion).map(({ resource }) => resource);
  for (const resource of [...stored, ...custom]) {
    for (const object of storage.list(resource)) {
      const { name, uid, resourceVersion } = object.metadata;
      const where = `${resource.plural} ${JSON.stringify(name)}`;
      const fault = brokenInObject(resource, object, custom.includes(resource));
      if (fault) return `${where}: ${fault}`;
      // Custom resources occur once in each of their versions.
      if (uids.has(uid) && custom.includes(resource)) continue;
      if (uids.has(uid) || !uid) return `${where}: another object has the uid ${uid}`;
      if (resourceVersions.has(resourceVersion))
        return `${where}: another object has the version ${resourceVersion}`;
      if (Number(resourceVersion) > storage.revision) return `${where}: its version is in the future`;
      uids.add(uid);
      resourceVersions.add(resourceVersion);
      const answer = await served.send({ method: 'GET', path: urlOf(resource, object), headers: {} });
      if (answer.status !== 200) return `${where}: its URL returns ${answer.text.slice(0, 200)}`;
    }
  }
  return undefined;
}

function brokenInObject(resource: Resource, object: KubeObject, isCustom: boolean): string | undefined {
  if (!Object.isFrozen(object) || !Object.isFrozen(object.metadata)) return 'it is not frozen';
  const plain: unknown = JSON.parse(JSON.stringify(object));
  if (!isDeepStrictEqual(plain, { ...object })) return `it is not JSON: ${JSON.stringify(object)}`;
  // The schema may have changed since.
  if (isCustom) return undefined;
  const { object: again } = decode(resource, plain, { fieldValidation: 'Strict' });
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(again)), plain)) return undefined;
  return `it reads differently than it was written:\n${JSON.stringify(plain)}\n${JSON.stringify(again)}`;
}

function urlOf(resource: Resource, { metadata: { namespace = '', name } }: KubeObject): string {
  const root = resource.group ? `/apis/${groupVersion(resource)}` : `/api/${resource.version}`;
  const within = resource.namespaced ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${within}/${resource.plural}/${encodeURIComponent(name)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
