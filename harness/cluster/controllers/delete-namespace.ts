import type { KubeObject, Namespace, Pod } from '../../api/objects.ts';
import { groupResource, namespaces, pods, type Resource, resources, verbsOf } from '../../api/resource.ts';
import { isConflict, isNotFound } from '../../api/status.ts';
import type { Client } from '../../contracts/client.ts';
import type { Clock } from '../../sim/index.ts';
import { discoverCustomResources } from '../discover-resources.ts';
import { type Content, withDeletionConditions } from './namespace-conditions.ts';

/** Dependencies of {@link deleteNamespace}. */
interface DeleteNamespaceContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface Deletion {
  /** Estimated time until the remaining content is deleted, in seconds. 0: no content remains. */
  readonly leftForSeconds: number;
}

/** The finalizer in a namespace's spec that this controller removes. */
const FINALIZER = 'kubernetes';

/** Time for other controllers to remove their finalizers, in seconds. */
const FINALIZERS_SECONDS = 15;

const DONE: Deletion = { leftForSeconds: 0 };

/**
 * Takes the deletion of a namespace one step further: deletes its pods, then everything else, and at last removes its
 * finalizer. The status reports the remaining content and the reason.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/deletion/namespaced_resources_deleter.go
 * namespacedResourcesDeleter.Delete
 *
 * @throws Error when some objects could not be deleted; all others were
 */
export async function deleteNamespace(name: string, context: DeleteNamespaceContext): Promise<Deletion> {
  const { client, signal } = context;
  const options = { signal };
  try {
    const namespace = await client.get(namespaces, { name }, options);
    const { finalizers = [] } = namespace.spec;
    if (!namespace.metadata.deletionTimestamp || finalizers.length === 0) return DONE;
    const content = await deleteContent(namespace, context);
    const told = await tell(namespace, content, context);
    const failures = [...content.discoveryFailures, ...content.failures];
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join(', '));
    if (content.leftForSeconds > 0) return content;
    const kept = finalizers.filter((each) => each !== FINALIZER);
    await client.finalize({ ...told, spec: { ...told.spec, finalizers: kept } }, options);
    return DONE;
  } catch (error) {
    if (isNotFound(error)) return DONE;
    // Another controller has written the namespace.
    if (isConflict(error)) return { leftForSeconds: 1 };
    throw error;
  }
}

async function tell(
  namespace: Namespace,
  content: Content,
  { client, clock, signal }: DeleteNamespaceContext,
): Promise<Namespace> {
  const told = withDeletionConditions(namespace, content, clock.now());
  return told === namespace ? namespace : client.updateStatus(namespaces, told, { signal });
}

/** The resources to delete: all namespaced ones with the verb deletecollection. One version of each kind is enough. */
const deletable: readonly Resource[] = resources.filter(
  (resource, i) =>
    resource.namespaced &&
    verbsOf(resource).includes('deletecollection') &&
    resource.group !== 'events.k8s.io' &&
    i === resources.findIndex((other) => groupResource(other) === groupResource(resource)),
);

/**
 * Deletes the content of a namespace. Pods go first, and the other objects once no pod is left. An error stops nothing
 * else: the other resources are emptied, but the namespace keeps its finalizer.
 *
 * Upstream: namespacedResourcesDeleter.deleteAllContent
 *
 * Differs: while pods remain, the conditions count them. Upstream counts only after the last pod.
 */
async function deleteContent(namespace: Namespace, context: DeleteNamespaceContext): Promise<Content> {
  const { resources: custom, failures } = await discovered(context);
  const ofPods = await deleteAll([pods], namespace, context);
  if (ofPods.remaining.size > 0) return { ...ofPods, discoveryFailures: failures };
  const builtIn = deletable.filter(
    (resource) => resource.plural !== pods.plural || resource.group !== pods.group,
  );
  const rest = await deleteAll([...builtIn, ...custom], namespace, context);
  return { ...rest, failures: [...ofPods.failures, ...rest.failures], discoveryFailures: failures };
}

/** Returns the custom resources in namespaces, and the error if they could not be discovered. */
async function discovered({ client, signal }: DeleteNamespaceContext) {
  try {
    const custom = await discoverCustomResources(client, signal);
    return { resources: custom.filter(({ namespaced }) => namespaced), failures: [] };
  } catch (error) {
    return { resources: [], failures: [error] };
  }
}

async function deleteAll(
  all: readonly Resource[],
  { metadata }: Namespace,
  { client, clock, signal }: DeleteNamespaceContext,
): Promise<Omit<Content, 'discoveryFailures'>> {
  const remaining = new Map<Resource, number>();
  const finalizers = new Map<string, number>();
  const failures: unknown[] = [];
  let leftForSeconds = 0;
  for (const resource of all) {
    const within = { namespace: metadata.name, signal };
    try {
      const graceSeconds = await graceLeft(resource, within, client, clock.now());
      // The dependents are deleted as well, so no owner has to wait for them.
      await client.deleteCollection(resource, { ...within, propagationPolicy: 'Background' });
      const { items } = await client.list(resource, within);
      if (items.length === 0) continue;
      remaining.set(resource, items.length);
      const held = items.flatMap((item) => item.metadata.finalizers ?? []);
      for (const each of held) finalizers.set(each, (finalizers.get(each) ?? 0) + 1);
      if (graceSeconds === 0 && held.length === 0) {
        throw new Error(
          `unexpected items still remain in namespace: ${metadata.name} for gvr: ${resource.group}/${resource.version}, Resource=${resource.plural}`,
        );
      }
      leftForSeconds = Math.max(leftForSeconds, graceSeconds || FINALIZERS_SECONDS);
    } catch (error) {
      failures.push(error);
    }
  }
  return { remaining, finalizers, failures, leftForSeconds };
}

/**
 * Returns the longest time that a pod may still take to terminate, in seconds. Other kinds take none.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/deletion/namespaced_resources_deleter.go
 * estimateGracefulTerminationForPods
 */
async function graceLeft(
  resource: Resource,
  within: { readonly namespace: string; readonly signal: AbortSignal },
  client: Client,
  nowMs: number,
): Promise<number> {
  if (resource.kind !== 'Pod') return 0;
  const { items } = (await client.list(resource as Resource<KubeObject>, within)) as unknown as {
    readonly items: readonly Pod[];
  };
  const seconds = items
    .filter(({ status }) => status.phase !== 'Succeeded' && status.phase !== 'Failed')
    .map(({ metadata, spec }) => {
      const grace = spec.terminationGracePeriodSeconds ?? 0;
      const since = metadata.deletionTimestamp
        ? Date.parse(metadata.deletionTimestamp) - grace * 1_000
        : nowMs;
      return Math.max(1, grace - Math.floor((nowMs - since) / 1_000));
    });
  return Math.max(0, ...seconds);
}
