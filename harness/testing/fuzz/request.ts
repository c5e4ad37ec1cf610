import { groupVersion, type Resource, resources } from '../../api/resource.ts';
import { APPLY, type Body, objectBody, patchBody } from './body.ts';
import type { Chance } from './chance.ts';
import { manifest, NAMES, NAMESPACES, type Place } from './manifests.ts';
import { hostile, type JsonObject, mutate, NUMBERS, TEXTS } from './mutate.ts';

/** A whole request, as data that can be printed and sent again. */
export interface FuzzRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The encoding of `body`. @defaultValue `utf8` */
  readonly encoding?: 'base64';
}

/** Values from earlier answers, for later requests. */
interface Observed {
  readonly resourceVersions: readonly string[];
  readonly uids: readonly string[];
  readonly continues: readonly string[];
}

/** The targets of requests. */
export interface Population {
  /** Resources; a repeated resource is chosen more often. */
  readonly resources: readonly Resource[];
  /** Objects that are created first. @defaultValue one of each resource */
  readonly first?: readonly JsonObject[];
  /** Returns the target's name, for resources that require certain names. */
  nameOf(resource: Resource, name: string): string;
  /** Generates an object that the apiserver accepts. */
  manifest(chance: Chance, resource: Resource, place: Place): JsonObject;
}

/** Generates one request: valid, mistaken or hostile. */
export function fuzzRequest(chance: Chance, told: Observed, population = everyKind): FuzzRequest {
  const resource = chance.one(population.resources);
  const [namespace, any] = [chance.one(NAMESPACES), chance.one(NAMES)];
  const place = { namespace, name: population.nameOf(resource, any) };
  const object = population.manifest(chance, resource, place);
  const [method, path, body] = chance.one(SHAPES)(chance, { resource, ...place, object, told });
  const headers = {
    ...(body ? { 'Content-Type': contentType(chance, body) } : {}),
    ...(chance.oneIn(5) ? { Accept: chance.one(ACCEPTS) } : {}),
    ...(chance.oneIn(50) ? { 'User-Agent': chance.one(['curl/8', 'kubectl/v1.36.3', 'größe']) } : {}),
  };
  const query = chance.oneIn(3) ? queryOf(chance, told) : '';
  return {
    method,
    path: `${path}${query && (path.includes('?') ? '&' : '?')}${query}`,
    headers,
    ...(body && method !== 'GET' && method !== 'HEAD' ? bytesOf(body) : {}),
  };
}

/** A resource with more subresources is chosen more often. */
const DRAWN = resources.flatMap((resource) =>
  Array<Resource>(1 + resource.subresources.length).fill(resource),
);

/** The built-in kinds. */
const everyKind: Population = { resources: DRAWN, nameOf: (_, name) => name, manifest };

const bytesOf = ({ text, encoding }: Body) => ({ body: text, ...(encoding ? { encoding } : {}) });

/** Creates a definition. */
export function defining(definition: JsonObject): FuzzRequest {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  return { method: 'POST', path, headers: JSON_BODY, body: JSON.stringify(definition) };
}

/** Creates a valid object of the resource. */
export function wellMeant(chance: Chance, resource: Resource): FuzzRequest {
  const place = { namespace: 'default', name: 'a' };
  const body = JSON.stringify(manifest(chance, resource, place));
  return { method: 'POST', path: collection({ resource, ...place }), headers: JSON_BODY, body };
}

const JSON_BODY = { 'Content-Type': 'application/json' };

interface About {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly object: JsonObject;
  readonly told: Observed;
}

type Shape = (chance: Chance, about: About) => readonly [method: string, path: string, body?: Body];

const create: Shape = (chance, about) => ['POST', collection(about), objectBody(chance, sent(chance, about))];

const update: Shape = (chance, about) => [
  'PUT',
  object(chance, about),
  objectBody(chance, sent(chance, about)),
];

const patch: Shape = (chance, about) => patching(chance, object(chance, about), about.object);

/** Generates a patch at this path for an object like this one. An apply needs a field manager. */
function patching(chance: Chance, path: string, of: JsonObject): ReturnType<Shape> {
  const body = patchBody(chance, of);
  if (body.contentType !== APPLY || chance.oneIn(10)) return ['PATCH', path, body];
  const force = chance.oneIn(3) ? `&force=${chance.one(['true', 'true', 'false'])}` : '';
  return ['PATCH', `${path}?fieldManager=${chance.one(['one', 'two', 'three'])}${force}`, body];
}

const read: Shape = (chance, about) => [
  chance.one(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS']),
  chance.one([
    collection(about),
    object(chance, about),
    everywhere(about.resource),
    `${chance.one([collection(about), everywhere(about.resource)])}?${chance.one(LISTS)}`,
    `${collection(about)}?limit=1&continue=${encodeURIComponent(chance.one(about.told.continues))}`,
  ]),
];

/** The queries of informers: pages, and watches that resume or start with a list. */
const LISTS = [
  'limit=1',
  'watch=1&timeoutSeconds=1',
  'watch=1&resourceVersion=1&allowWatchBookmarks=true',
  'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
];

const remove: Shape = (chance, about) => {
  const options = mutate(chance, {
    kind: 'DeleteOptions',
    gracePeriodSeconds: 0,
    propagationPolicy: chance.one(['Foreground', 'Background', 'Orphan']),
    preconditions: { uid: chance.one([...about.told.uids, 'x']) },
  });
  const path = chance.oneIn(8) ? collection(about) : object(chance, about);
  return chance.oneIn(3) ? ['DELETE', path, objectBody(chance, options)] : ['DELETE', path];
};

/** Requests to a subresource, whose kind differs from the object's. */
const subresource: Shape = (chance, about) => {
  const { name, namespace, resource } = about;
  const below = chance.one([...resource.subresources, ...resource.subresources, 'status', 'finalize']);
  const kinds: Readonly<Record<string, JsonObject>> = {
    scale: {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name, namespace },
      spec: { replicas: chance.one([1, 2, ...NUMBERS]) },
    },
    binding: {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name },
      target: { kind: 'Node', name: chance.one(NAMES) },
    },
    eviction: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } },
    token: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {
        audiences: ['vault'],
        expirationSeconds: chance.one([600, ...NUMBERS]),
        boundObjectRef: chance.one([null, { kind: 'Pod', apiVersion: 'v1', name: 'a' }]),
      },
    },
  };
  const known = kinds[below] ?? about.object;
  const body = chance.oneIn(2) ? mutate(chance, structuredClone(known)) : known;
  const path = `${object(chance, about)}/${below}`;
  if (STREAMS.includes(below)) return [chance.one(['GET', 'POST']), `${path}?${streamQuery(chance)}`];
  const method = chance.one(CREATED.includes(below) ? ['POST'] : ['GET', 'PUT', 'PATCH', 'PATCH']);
  return method === 'PATCH' ? patching(chance, path, body) : [method, path, objectBody(chance, body)];
};

const CREATED = ['binding', 'eviction', 'token'];
const STREAMS = ['log', 'exec', 'attach', 'portforward'];

/** Options of logs, and of commands in a container. */
function streamQuery(chance: Chance): string {
  const number = () => String(chance.one([1, ...NUMBERS]));
  const yes = () => chance.one(['true', 'false', 'x']);
  const options: Readonly<Record<string, () => string>> = {
    container: () => chance.one(['c0', 'init', text(chance)]),
    ...{ follow: yes, previous: yes, timestamps: yes, insecureSkipTLSVerifyBackend: yes },
    ...{ tailLines: number, limitBytes: number, sinceSeconds: number, ports: number },
    sinceTime: () => chance.one(['2026-01-02T03:04:05Z', text(chance)]),
    stream: () => chance.one(['All', 'Stdout', 'Stderr', 'x']),
    ...{ stdin: yes, stdout: yes, tty: yes },
    command: () => text(chance),
  };
  const parameters = chance.many(chance.int(4), (): [string, string] => {
    const [name, value] = chance.one(Object.entries(options));
    return [name, value()];
  });
  return new URLSearchParams(parameters).toString();
}

/** Any method on any path. */
const stray: Shape = (chance, about) => [
  chance.one(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']),
  chance.one([
    '/',
    '/api',
    '/apis',
    '/apis/apps',
    '/apis/apps/v1',
    '/version',
    '/healthz',
    '/openapi/v2',
    '/openapi/v3',
    `/openapi/v3/${chance.one(['apis/', 'api/', ''])}${groupVersion(about.resource)}`,
    `/apis/${about.resource.group}`,
    `/apis/${groupVersion(about.resource)}`,
    '/metrics',
    '/readyz?verbose',
    '/%zz',
    '/api/v1/%00',
    '//api//v1//pods',
    '/api/v1/watch/pods',
    '/api/v1/proxy/pods',
    `/api/v1/namespaces/${about.namespace}/namespaces/${about.name}`,
    `/api/v1/namespaces/${about.namespace}/bindings`,
    `${object(chance, about)}/status/status`,
    `${collection(about)}/${encodeURIComponent(text(chance))}`,
  ]),
  objectBody(chance, about.object),
];

const SHAPES: readonly Shape[] = [
  ...[create, create, create, create],
  ...[update, update, update],
  ...[patch, patch, patch, patch],
  ...[subresource, subresource, subresource],
  ...[read, read, remove, stray],
];

/** Returns the object to send: valid, with a precondition, or changed. */
function sent(chance: Chance, { object, namespace, name, told }: About): JsonObject {
  // A valid object of another kind.
  if (chance.oneIn(40)) return manifest(chance, chance.one(resources), { namespace, name });
  const metadata = object.metadata;
  // An earlier change may have removed the metadata.
  if (typeof metadata === 'object' && metadata !== null) {
    const known = metadata as JsonObject;
    if (chance.oneIn(6)) known.resourceVersion = chance.one([...told.resourceVersions, '0', 'x']);
    if (chance.oneIn(12)) known.uid = chance.one([...told.uids, 'x']);
  }
  return chance.oneIn(3) ? object : mutate(chance, object);
}

function collection({ resource, namespace }: Pick<About, 'resource' | 'namespace'>): string {
  const { plural, namespaced } = resource;
  return `${rootOf(resource)}/${namespaced ? `namespaces/${namespace}/` : ''}${plural}`;
}

/** The objects of all namespaces. */
const everywhere = (resource: Resource): string => `${rootOf(resource)}/${resource.plural}`;

const rootOf = (resource: Resource): string =>
  `${resource.group ? '/apis' : '/api'}/${groupVersion(resource)}`;

function object(chance: Chance, about: About): string {
  const name = chance.oneIn(30) ? encodeURIComponent(text(chance)) : about.name;
  return `${collection(about)}/${name}`;
}

function contentType(chance: Chance, body: Body): string {
  return chance.oneIn(30) ? chance.one(CONTENT_TYPES) : body.contentType;
}

const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/yaml',
  'application/json',
  'APPLICATION/JSON',
  'text/plain',
  'application/vnd.kubernetes.protobuf',
  'application/apply-patch+yaml',
  'application/apply-patch+cbor',
  'application/cbor',
  'application/merge-patch+json',
  ';',
];

const ACCEPTS = [
  'application/yaml',
  'application/json;q=0.5, application/yaml',
  'application/json;as=Table;v=v1;g=meta.k8s.io, application/json',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  ...Array<string>(3).fill('application/json;as=Table;v=v1;g=meta.k8s.io'),
  ...Array<string>(4).fill('application/vnd.kubernetes.protobuf'),
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io, application/json',
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'text/html',
  '*/*',
  ';;,,==',
];

function queryOf(chance: Chance, told: Observed): string {
  const values: Readonly<Record<string, () => unknown>> = {
    dryRun: () => chance.one(['All', 'All', 'all', '']),
    fieldValidation: () => chance.one(['Ignore', 'Warn', 'Strict', 'Strict', 'x']),
    fieldManager: () => text(chance),
    pretty: () => chance.one(['true', '1', 'x']),
    limit: () => chance.one([1, 2, ...NUMBERS]),
    continue: () => chance.one([...told.continues, 'x', text(chance)]),
    resourceVersion: () => chance.one([...told.resourceVersions, '0', '1', '-1', 'x']),
    resourceVersionMatch: () => chance.one(['Exact', 'NotOlderThan', 'x']),
    labelSelector: () => chance.one(SELECTORS),
    fieldSelector: () => chance.one(SELECTORS),
    includeObject: () => chance.one(['None', 'Metadata', 'Object', 'x']),
    watch: () => chance.one(['true', '1', '0', '']),
    allowWatchBookmarks: () => 'true',
    sendInitialEvents: () => chance.one(['true', 'false']),
    timeoutSeconds: () => chance.one([1, ...NUMBERS]),
    gracePeriodSeconds: () => chance.one([0, 30, ...NUMBERS]),
    propagationPolicy: () => chance.one(['Orphan', 'Foreground', 'Background', 'x']),
    orphanDependents: () => chance.one(['true', 'false', 'x']),
    force: () => 'true',
    odd: () => text(chance),
  };
  const names = Object.keys(values);
  const parameters = chance.many(1 + chance.int(3), (): [string, string] => {
    const name = chance.one(names);
    return [name, String(values[name]?.() ?? hostile(chance))];
  });
  return new URLSearchParams(parameters).toString();
}

const SELECTORS = [
  'app=web',
  'app in (web, db),!tier',
  'a,,',
  'app notin ()',
  '(((',
  '='.repeat(50),
  'metadata.name=a',
  'metadata.name!=a,metadata.namespace=default',
  'spec.nodeName=',
  'status.phase==Running',
  '__proto__=x',
  'größe=1',
  `a in (${'b,'.repeat(2_000)})`,
];

/** A string that is valid in a URL. */
const text = (chance: Chance): string => chance.one(TEXTS).replace('\ud800', '\ufffd');
