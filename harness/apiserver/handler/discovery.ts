import { createHash } from '#platform/hash';
import { customResourceDefinitions } from '../../api/plain-resources.ts';
import {
  groupResource,
  groupVersion,
  type Resource,
  type Subresource,
  type Verb,
  verbsOf,
} from '../../api/resource.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import { kindOf } from './endpoints.ts';

/**
 * Returns `/api`: the versions of the core group.
 *
 * Discovery describes the server to generic clients such as kubectl. They have no built-in list of resources; they
 * learn here which resources exist, their names and their verbs.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/discovery
 */
export function apiVersions(resources: readonly Resource[], host: string): object {
  return {
    kind: 'APIVersions',
    versions: versionsOf(resources, ''),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: host }],
  };
}

/** Returns `/apis`: all groups except the core group. */
export function apiGroupList(resources: readonly Resource[]): object {
  const groups = groupsOf(resources).filter((group) => group !== '');
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.map((group) => groupEntry(resources, group)),
  };
}

/** Returns `/apis/{group}`: one group and its versions. */
export function apiGroup(resources: readonly Resource[], group: string): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(resources, group) };
}

/** Returns `/api/v1` or `/apis/{group}/{version}`: the resources of one version and their subresources. */
export function apiResourceList(resources: readonly Resource[], groupVersionText: string): object {
  const entries = resources
    .filter((resource) => groupVersion(resource) === groupVersionText)
    .flatMap((resource) => [
      resourceEntry(resource, resources),
      ...resource.subresources.map(subresourceEntry(resource)),
    ]);
  // Clients create bindings through pods. The separate resource is a remnant that only accepts POST.
  if (groupVersionText === 'v1') entries.push(bindingsEntry);
  // Custom resources keep the order of their definition: status before scale.
  const isCustom = resources.some(
    (resource) => groupVersion(resource) === groupVersionText && customVersionOf(resource),
  );
  if (!isCustom) entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: groupVersionText, resources: entries };
}

/** Returns the groups that have resources, in their order. */
export function groupsOf(resources: readonly Resource[]): readonly string[] {
  return [...new Set(resources.map(({ group }) => group))];
}

/** Returns the versions of a group, the preferred one first. */
export function versionsOf(resources: readonly Resource[], group: string): readonly string[] {
  return [...new Set(resources.filter((each) => each.group === group).map(({ version }) => version))];
}

/** Reports whether the server serves this version of the group, or any version if none is named. */
export function isServed(resources: readonly Resource[], group: string, version?: string): boolean {
  return resources.some(
    (resource) => resource.group === group && (version === undefined || resource.version === version),
  );
}

/** Returns the kind and the verbs of a subresource. */
export function subresourceType(
  resource: Resource,
  subresource: Subresource,
): {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly Verb[];
} {
  const changes: readonly Verb[] = ['get', 'patch', 'update'];
  switch (subresource) {
    case 'status':
    case 'approval':
      return { group: resource.group, version: resource.version, kind: resource.kind, verbs: changes };
    case 'scale':
      return { group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: changes };
    case 'binding':
      return { group: '', version: 'v1', kind: 'Binding', verbs: ['create'] };
    case 'ephemeralcontainers':
      return { group: '', version: 'v1', kind: 'Pod', verbs: changes };
    case 'token':
      return { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] };
    case 'log':
      return { group: '', version: 'v1', kind: 'Pod', verbs: ['get'] };
    case 'exec':
      return { group: '', version: 'v1', kind: 'PodExecOptions', verbs: ['create', 'get'] };
    case 'attach':
      return { group: '', version: 'v1', kind: 'PodAttachOptions', verbs: ['create', 'get'] };
    case 'portforward':
      return { group: '', version: 'v1', kind: 'PodPortForwardOptions', verbs: ['create', 'get'] };
    case 'proxy':
      return {
        group: '',
        version: 'v1',
        kind: `${resource.kind}ProxyOptions`,
        verbs: ['create', 'delete', 'get', 'patch', 'update'],
      };
    case 'finalize':
      return { group: '', version: 'v1', kind: 'Namespace', verbs: ['update'] };
    case 'eviction':
      return { group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] };
  }
}

function groupEntry(resources: readonly Resource[], group: string): object {
  const versions = versionsOf(resources, group).map((version) => ({
    groupVersion: `${group}/${version}`,
    version,
  }));
  return { name: group, versions, preferredVersion: versions[0] };
}

interface ResourceEntry {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly Verb[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

const bindingsEntry: ResourceEntry = {
  name: 'bindings',
  singularName: 'binding',
  namespaced: true,
  kind: 'Binding',
  verbs: ['create'],
};

function resourceEntry(resource: Resource, resources: readonly Resource[]): ResourceEntry {
  const { plural, singular, namespaced, kind, shortNames, categories } = resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: verbsOf(resource),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...storageVersionHash(resource, resources),
  };
}

/**
 * Returns the hash that changes when the stored version of a kind changes. Kinds that are not stored have none, nor do
 * custom resources whose stored version is not served.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/discovery/storageversionhash.go StorageVersionHash,
 * kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/customresource_discovery_controller.go
 */
function storageVersionHash(
  resource: Resource,
  resources: readonly Resource[],
): Pick<ResourceEntry, 'storageVersionHash'> {
  const isStored = verbsOf(resource).includes('watch');
  const stored = (isStored && kindOf(resource).conversion?.stored) || resource;
  if (!isStored || !resources.includes(stored)) return {};
  const version = STORED_IN_OLD_VERSION.get(groupResource(stored)) ?? stored.version;
  const digest = createHash('sha256').update(`${stored.group}/${version}/${stored.kind}`).digest();
  return { storageVersionHash: Buffer.from(digest.subarray(0, HASH_BYTES)).toString('base64') };
}

const HASH_BYTES = 8;

/** Resources that upstream stores in a version that it no longer serves. */
const STORED_IN_OLD_VERSION: ReadonlyMap<string, string> = new Map([
  [groupResource(customResourceDefinitions), 'v1beta1'],
]);

function subresourceEntry(resource: Resource): (subresource: Subresource) => ResourceEntry {
  return (subresource) => {
    const { group, version, kind, verbs } = subresourceType(resource, subresource);
    const foreign = group !== resource.group || version !== resource.version;
    return {
      name: `${resource.plural}/${subresource}`,
      singularName: '',
      namespaced: resource.namespaced,
      ...(foreign ? { group, version } : {}),
      kind,
      verbs,
    };
  };
}
