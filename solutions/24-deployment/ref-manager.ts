/** Level 9 · The controller: whose a ReplicaSet is. */
import {
  type Client,
  type Deployment,
  deployments,
  hasReason,
  isNotFound,
  keyOf,
  keyToString,
  labels,
  type ReplicaSet,
  replicaSets,
  type SharedInformer,
} from '#harness';
import { controllerOf, controllerRefTo, namespaceOf } from './metadata.ts';

/**
 * Settles which ReplicaSets belong to a Deployment, by their owner references.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/controller_ref_manager.go ReplicaSetControllerRefManager
 */
export class ReplicaSetRefManager {
  readonly #client: Client;
  readonly #replicaSets: SharedInformer<ReplicaSet>;

  constructor(client: Client, replicaSetInformer: SharedInformer<ReplicaSet>) {
    this.#client = client;
    this.#replicaSets = replicaSetInformer;
  }

  /** The Deployment's ReplicaSets: adopts what matches and belongs to nobody, lets go of what no longer matches. */
  async claimReplicaSets(deployment: Deployment): Promise<ReplicaSet[]> {
    const { uid, deletionTimestamp } = deployment.metadata;
    const selector = labels.labelSelectorAsSelector(deployment.spec.selector);
    const claimed: ReplicaSet[] = [];
    let mayAdopt: Promise<void> | undefined;
    for (const replicaSet of this.#replicaSets.indexer.byIndex('namespace', namespaceOf(deployment))) {
      const owner = controllerOf(replicaSet);
      const matches = selector.matches(replicaSet.metadata.labels);
      if (owner?.uid === uid && matches) {
        claimed.push(replicaSet);
      } else if (deletionTimestamp !== undefined) {
        // Who is going away takes nothing and gives nothing: that is the garbage collector's.
      } else if (owner?.uid === uid) {
        await this.#release(deployment, replicaSet);
      } else if (!owner && matches && replicaSet.metadata.deletionTimestamp === undefined) {
        // The cache may not know yet that this Deployment is going, or gone: ask, once.
        mayAdopt ??= this.#mustStillBe(deployment);
        await mayAdopt;
        const adopted = await this.#adopt(deployment, replicaSet);
        if (adopted) claimed.push(adopted);
      }
    }
    return claimed;
  }

  async #mustStillBe(deployment: Deployment): Promise<void> {
    const key = keyOf(deployment);
    const fresh = await this.#client.get(deployments, key);
    if (fresh.metadata.uid !== deployment.metadata.uid) {
      throw new Error(`Failed to adopt for Deployment ${keyToString(key)}: it is another one now.`);
    }
    if (fresh.metadata.deletionTimestamp !== undefined) {
      throw new Error(`Failed to adopt for Deployment ${keyToString(key)}: it is being deleted.`);
    }
  }

  #adopt(deployment: Deployment, replicaSet: ReplicaSet): Promise<ReplicaSet | undefined> {
    const { uid } = replicaSet.metadata;
    const metadata = { uid, ownerReferences: [controllerRefTo(deployment)] };
    return this.#patchOwners(replicaSet, { metadata });
  }

  async #release({ metadata }: Deployment, replicaSet: ReplicaSet): Promise<void> {
    const ownerReferences = [{ $patch: 'delete', uid: metadata.uid }];
    await this.#patchOwners(replicaSet, {
      metadata: { uid: replicaSet.metadata.uid, ownerReferences },
    }).catch((error: unknown) => {
      // It is another ReplicaSet of that name by now.
      if (!hasReason(error, 'Invalid')) throw error;
    });
  }

  /** Gives nothing when the ReplicaSet is gone: then there is nothing left to own. */
  #patchOwners(replicaSet: ReplicaSet, body: unknown): Promise<ReplicaSet | undefined> {
    return this.#client
      .patch(replicaSets, keyOf(replicaSet), { type: 'strategic', body })
      .catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
  }
}
