import { GroupDiscoveryFailed } from '#given/62-namespace';
import {
  groupResource,
  hasEnded,
  isNotFound,
  type KubeObject,
  type Pod,
  pods,
  type Resource,
  resources,
  verbsOf,
} from '#harness';
import type { Content } from './deletion-conditions.ts';
import type { DeletedNamespace, Desk } from './desk.ts';

/** Time for other controllers to remove their finalizers, in seconds. Upstream: finalizerEstimateSeconds */
const FINALIZERS_SECONDS = 15;

/** The remaining objects of one resource. */
interface Left {
  readonly count: number;
  /** Number of objects that each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Estimated time until they are deleted, in seconds. */
  readonly seconds: number;
}

const NOTHING: Left = { count: 0, finalizers: new Map(), seconds: 0 };

/**
 * Deletes the content of a namespace: the pods first, and everything else once no pod is left. An error stops nothing
 * else, apart from an error of the pods.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/deletion/namespaced_resources_deleter.go
 * namespacedResourcesDeleter.deleteAllContent
 *
 * Differs: while pods remain, the conditions count them. Upstream counts only after the last pod
 * (kubernetes/kubernetes#138208).
 *
 * Differs: if an error hides whether pods remain, nothing else is deleted. Upstream goes on with the other kinds.
 */
export async function emptyNamespace(desk: Desk, namespace: DeletedNamespace): Promise<Content> {
  const { found, discoveryFailure } = await discovered(desk);
  const ofPods = await emptyAll(desk, [pods], namespace);
  const content =
    ofPods.remaining.size > 0 || ofPods.failures.length > 0
      ? ofPods
      : await emptyAll(desk, deletableResources(found), namespace);
  return { ...content, discoveryFailure };
}

/** Returns the resources that discovery has found, and its error. The error does not stop the deletion. */
async function discovered({ discoverResources, signal }: Desk): Promise<{
  readonly found: readonly Resource[];
  readonly discoveryFailure: unknown;
}> {
  if (!discoverResources) return { found: resources, discoveryFailure: undefined };
  try {
    return { found: await discoverResources(), discoveryFailure: undefined };
  } catch (error) {
    signal.throwIfAborted();
    return { found: error instanceof GroupDiscoveryFailed ? error.found : [], discoveryFailure: error };
  }
}

/** Returns the namespaced resources whose objects can be deleted, each in one version, without pods. */
function deletableResources(found: readonly Resource[]): readonly Resource[] {
  return found.filter(
    (resource, i) =>
      resource.namespaced &&
      verbsOf(resource).includes('delete') &&
      groupResource(resource) !== groupResource(pods) &&
      i === found.findIndex((other) => groupResource(other) === groupResource(resource)),
  );
}

/** Deletes the objects of several resources, and goes on after an error. */
async function emptyAll(
  desk: Desk,
  all: readonly Resource[],
  namespace: DeletedNamespace,
): Promise<Omit<Content, 'discoveryFailure'>> {
  const remaining = new Map<Resource, number>();
  const finalizers = new Map<string, number>();
  const failures: unknown[] = [];
  let leftForSeconds = 0;
  for (const resource of all) {
    try {
      const { count, finalizers: held, seconds } = await emptyResource(desk, resource, namespace);
      if (count === 0) continue;
      remaining.set(resource, count);
      for (const [name, number] of held) finalizers.set(name, (finalizers.get(name) ?? 0) + number);
      leftForSeconds = Math.max(leftForSeconds, seconds);
      if (seconds === 0) failures.push(unexpected(resource, namespace));
    } catch (error) {
      desk.signal.throwIfAborted();
      failures.push(error);
    }
  }
  return { remaining, finalizers, failures, leftForSeconds };
}

/** Returns the error about objects that neither a grace period nor a finalizer explains. */
function unexpected({ group, version, plural }: Resource, { metadata }: DeletedNamespace): Error {
  return new Error(
    `unexpected items still remain in namespace: ${metadata.name} for gvr: ${group}/${version}, Resource=${plural}`,
  );
}

/**
 * Deletes the objects of one resource, and lists those that remain.
 *
 * Upstream: namespacedResourcesDeleter.deleteAllContentForGroupVersionResource
 *
 * Differs: a 404 of the list is an error. Upstream takes it for an empty list, and a kind that an apiserver does not
 * serve yet keeps its objects (kubernetes/kubernetes#104748).
 */
export async function emptyResource(
  desk: Desk,
  resource: Resource,
  { metadata: { name: namespace, deletionTimestamp } }: DeletedNamespace,
): Promise<Left> {
  const { client, clock, signal } = desk;
  const within = { namespace, signal };
  const list = async (): Promise<readonly KubeObject[]> => (await client.list(resource, within)).items;
  const isPods = groupResource(resource) === groupResource(pods);
  const graceSeconds = isPods
    ? longestGraceSeconds((await list()) as readonly Pod[], Date.parse(deletionTimestamp), clock.now())
    : 0;
  if (verbsOf(resource).includes('deletecollection')) {
    // The dependents are deleted as well, so no owner has to wait for them.
    await client.deleteCollection(resource, { ...within, propagationPolicy: 'Background' });
  } else {
    for (const { metadata } of await list()) await deleteOne(desk, resource, metadata);
  }
  const items = await list();
  if (items.length === 0) return NOTHING;
  const finalizers = new Map<string, number>();
  for (const each of items.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
    finalizers.set(each, (finalizers.get(each) ?? 0) + 1);
  }
  return {
    count: items.length,
    finalizers,
    seconds: graceSeconds || (finalizers.size > 0 ? FINALIZERS_SECONDS : 0),
  };
}

async function deleteOne(
  { client, signal }: Desk,
  resource: Resource,
  { namespace = '', name }: KubeObject['metadata'],
): Promise<void> {
  const options = { propagationPolicy: 'Background', signal } as const;
  await client.delete(resource, { namespace, name }, options).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

/**
 * Returns the longest grace period of the pods that have not ended, in seconds; 0 once this time has passed since the
 * deletion of the namespace.
 *
 * Upstream: estimateGracefulTerminationForPods
 */
export function longestGraceSeconds(all: readonly Pod[], deletedAtMs: number, nowMs: number): number {
  const seconds = all
    .filter((pod) => !hasEnded(pod))
    .map(({ spec }) => spec.terminationGracePeriodSeconds ?? 0);
  const longest = Math.max(0, ...seconds);
  return nowMs - deletedAtMs >= longest * 1_000 ? 0 : longest;
}
