import { type ReplicationController, replicationControllers } from '#given/35-disruption';
import {
  type ComponentContext,
  controllerOf,
  type Deployment,
  deployments,
  groupResource,
  isNotFound,
  type KubeObject,
  keyToString,
  lastKnown,
  type OwnerReference,
  type Pod,
  type ReplicaSet,
  type Resource,
  replicaSets,
  resources,
  type SharedInformer,
  type StatefulSet,
  statefulSets,
} from '#harness';

/** A pod whose controller has no known scale. Only a change of an object helps, so the sync is not retried. */
export class UnknownScale extends Error {
  override readonly name = 'UnknownScale';
}

/** The number of pods that a controller should have. */
interface Scale {
  readonly uid: string;
  readonly replicas: number;
}

/** The number of pods that the controllers of some pods should have, and the pods without a controller. */
export interface ExpectedScale {
  readonly expectedPods: number;
  readonly unmanaged: readonly Pod[];
}

type Scalable = KubeObject & { readonly spec: { readonly replicas?: number } };

/**
 * Finds the scale of the controllers of pods. It reads caches for the built-in kinds, and the scale subresource for all
 * others.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/disruption/disruption.go DisruptionController.finders
 *
 * Differs: the built-in controllers are observed, so that a budget is synced when their scale changes. Upstream waits for
 * the next change of a pod. In a secured cluster the scale of a custom resource is unknown, because the controller's role
 * does not allow it to list the definitions. Upstream's discovery needs no rights.
 */
export class ControllerScales {
  readonly #context: ComponentContext;
  readonly #deployments: SharedInformer<Deployment>;
  readonly #replicaSets: SharedInformer<ReplicaSet>;
  readonly #statefulSets: SharedInformer<StatefulSet>;
  readonly #replicationControllers: SharedInformer<ReplicationController>;

  /** @param onChange runs when the scale of a controller in a namespace has changed */
  constructor(context: ComponentContext, onChange: (namespace: string) => void) {
    this.#context = context;
    const { informers } = context;
    const observed = <T extends Scalable>(resource: Resource<T>): SharedInformer<T> => {
      const informer = informers.forResource(resource);
      const changed = ({ metadata: { namespace = '' } }: KubeObject): void => onChange(namespace);
      informer.addEventHandler({
        onAdd: changed,
        onUpdate: (old, each) => {
          if (textOf(old) !== textOf(each)) changed(each);
        },
        onDelete: (last) => changed(lastKnown(last)),
      });
      return informer;
    };
    this.#deployments = observed(deployments);
    this.#replicaSets = observed(replicaSets);
    this.#statefulSets = observed(statefulSets);
    this.#replicationControllers = observed(replicationControllers);
  }

  /**
   * Returns the sum of the scales of all controllers of these pods. Each controller counts once.
   *
   * Upstream: DisruptionController.getExpectedScale
   *
   * @throws UnknownScale when the controller of a pod does not exist, or has no scale
   */
  async expectedScale(pods: readonly Pod[]): Promise<ExpectedScale> {
    const known = new Set<string>();
    const scales = new Map<string, number>();
    const unmanaged: Pod[] = [];
    for (const pod of pods) {
      const owner = controllerOf(pod);
      if (!owner) {
        unmanaged.push(pod);
        continue;
      }
      if (known.has(owner.uid)) continue;
      known.add(owner.uid);
      const scale = await this.#scaleOf(owner, pod.metadata.namespace ?? '');
      if (!scale) throw new UnknownScale(`found no controllers for pod "${pod.metadata.name}"`);
      scales.set(scale.uid, scale.replicas);
    }
    const expectedPods = [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
    return { expectedPods, unmanaged };
  }

  async #scaleOf(owner: OwnerReference, namespace: string): Promise<Scale | undefined> {
    return this.#cachedScale(owner, namespace) ?? (await this.#scaleFromServer(owner, namespace));
  }

  /** The ReplicaSets of a Deployment share the scale of the Deployment. */
  #cachedScale(owner: OwnerReference, namespace: string): Scale | undefined {
    const kind = `${groupOf(owner)}/${owner.kind}`;
    if (kind === '/ReplicationController') return find(this.#replicationControllers, owner, namespace);
    if (kind === 'apps/StatefulSet') return find(this.#statefulSets, owner, namespace);
    if (owner.kind !== 'ReplicaSet' || !REPLICA_SET_GROUPS.has(groupOf(owner))) return undefined;
    const key = keyToString({ namespace, name: owner.name });
    const replicaSet = this.#replicaSets.indexer.getByKey(key);
    const parent = replicaSet?.metadata.uid === owner.uid ? controllerOf(replicaSet) : undefined;
    if (parent?.kind !== 'Deployment') return find(this.#replicaSets, owner, namespace);
    return REPLICA_SET_GROUPS.has(groupOf(parent)) ? find(this.#deployments, parent, namespace) : undefined;
  }

  /** Upstream: DisruptionController.getScaleController */
  async #scaleFromServer(owner: OwnerReference, namespace: string): Promise<Scale | undefined> {
    const { client, signal } = this.#context;
    const resource = await this.#resourceOf(owner);
    if (!resource) {
      throw new UnknownScale(`no matches for kind "${owner.kind}" in version "${owner.apiVersion}"`);
    }
    if (!resource.subresources?.includes('scale')) {
      throw new UnknownScale(`${groupResource(resource)} does not implement the scale subresource`);
    }
    try {
      const { metadata, spec } = await client.getScale(resource, { namespace, name: owner.name }, { signal });
      return metadata.uid === owner.uid ? { uid: owner.uid, replicas: spec.replicas ?? 0 } : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #resourceOf(owner: OwnerReference): Promise<Resource | undefined> {
    const isIts = ({ group, kind }: Resource): boolean => kind === owner.kind && group === groupOf(owner);
    const builtIn = resources.find(isIts);
    return builtIn ?? (await this.#context.discoverResources?.())?.find(isIts);
  }
}

/** The groups of ReplicaSets and Deployments, now and in old owner references. */
const REPLICA_SET_GROUPS: ReadonlySet<string> = new Set(['apps', 'extensions']);

const groupOf = ({ apiVersion }: OwnerReference): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

function find<T extends Scalable>(
  { indexer }: SharedInformer<T>,
  { name, uid }: OwnerReference,
  namespace: string,
): Scale | undefined {
  const found = indexer.getByKey(keyToString({ namespace, name }));
  return found?.metadata.uid === uid ? { uid, replicas: found.spec.replicas ?? 1 } : undefined;
}

/** Returns the parts of a controller that change the expected number of pods. */
function textOf({ metadata, spec }: Scalable): string {
  return `${metadata.uid} ${spec.replicas} ${controllerOf({ metadata })?.uid}`;
}
