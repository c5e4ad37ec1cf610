import {
  type ComponentContext,
  isAlreadyExists,
  isConflict,
  isNotFound,
  keyOf,
  keyToString,
  messageOf,
  type New,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  pods,
  type SharedInformer,
  type StatefulSet,
  type sets,
} from '#harness';
import { claimsOf, identityMatches, ordinalOf, withIdentity } from './identity.ts';
import { claimOwners, hasOtherController, isClaimStale } from './retention.ts';

/**
 * The requests of a StatefulSet controller about pods and claims, and the Events about them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/stateful_pod_control.go StatefulPodControl
 */
export class StatefulPodControl {
  readonly #client;
  readonly #recorder;
  readonly #claims: SharedInformer<PersistentVolumeClaim>;
  readonly #written: sets.ConsistencyStore;

  constructor(
    { client, recorder }: Pick<ComponentContext, 'client' | 'recorder'>,
    {
      claims,
      written,
    }: { readonly claims: SharedInformer<PersistentVolumeClaim>; readonly written: sets.ConsistencyStore },
  ) {
    this.#client = client;
    this.#recorder = recorder;
    this.#claims = claims;
    this.#written = written;
  }

  /**
   * Creates the claims of a pod, and then the pod.
   *
   * @returns whether it was created; false while a claim still belongs to an earlier pod
   * @throws the error of the server; AlreadyExists while the cache does not show the pod
   */
  async create(set: StatefulSet, pod: New<Pod>, ordinal: number): Promise<boolean> {
    const { name = '' } = pod.metadata;
    const claims = claimsOf(set, ordinal).map(({ claim }) => this.#cached(claim));
    if (claims.some((claim) => claim && isClaimStale(set, claim, name))) return false;
    await this.createMissingClaims(set, name, ordinal);
    let created: Pod;
    try {
      created = await this.#client.create(pods, pod);
    } catch (error) {
      if (!isAlreadyExists(error)) this.#podEvent(set, name, 'Create', error);
      throw error;
    }
    this.#wrote(set, 'pods', created);
    this.#podEvent(set, name, 'Create');
    await this.updateClaimOwners(set, created);
    return true;
  }

  /**
   * Deletes a pod, never another pod of the same name, and never by force. Succeeds if the pod no longer exists.
   *
   * Differs: upstream deletes by name, without the uid
   */
  async delete(set: StatefulSet, pod: Pod): Promise<void> {
    const { name, uid } = pod.metadata;
    try {
      const deleted = await this.#client.delete(pods, keyOf(pod), { preconditions: { uid } });
      this.#wrote(set, 'pods', deleted as Pod);
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      this.#podEvent(set, name, 'Delete', error);
      throw error;
    }
    this.#podEvent(set, name, 'Delete');
  }

  /** Repairs the labels and the volumes of a pod, and the owners of its claims. */
  async update(set: StatefulSet, pod: Pod): Promise<void> {
    await this.updateClaimOwners(set, pod);
    if (identityMatches(set, pod)) return;
    const { name } = pod.metadata;
    try {
      await this.createMissingClaims(set, name, ordinalOf(pod));
      this.#wrote(set, 'pods', await this.#client.update(pods, withIdentity(set, pod)));
    } catch (error) {
      this.#podEvent(set, name, 'Update', error);
      throw error;
    }
    this.#podEvent(set, name, 'Update');
  }

  /**
   * Creates the claims of a pod that do not exist.
   *
   * @throws the first error of the server; an Error for a claim that is being deleted
   */
  async createMissingClaims(set: StatefulSet, podName: string, ordinal: number): Promise<void> {
    const failures: unknown[] = [];
    for (const { claim } of claimsOf(set, ordinal)) {
      const { name = '' } = claim.metadata;
      const cached = this.#cached(claim);
      if (cached?.metadata.deletionTimestamp) failures.push(new Error(`pvc ${name} is being deleted`));
      if (cached) continue;
      try {
        this.#wrote(set, 'persistentvolumeclaims', await this.#client.create(persistentVolumeClaims, claim));
        this.#claimEvent(set, { claim: name, pod: podName });
      } catch (error) {
        failures.push(error);
        if (!isAlreadyExists(error)) this.#claimEvent(set, { claim: name, pod: podName, error });
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Sets the owners of a pod's claims by the retention policy. */
  async updateClaimOwners(set: StatefulSet, pod: Pod): Promise<void> {
    for (const { claim } of claimsOf(set, ordinalOf(pod))) {
      const cached = this.#cached(claim);
      if (!cached) continue;
      const { ownerReferences = [] } = cached.metadata;
      if (hasOtherController(ownerReferences, { set, pod })) this.#conflictEvent(set, cached);
      const owners = claimOwners(cached, { set, pod });
      if (owners === ownerReferences || owners.length + ownerReferences.length === 0) continue;
      const metadata = { ...cached.metadata, ownerReferences: [...owners] };
      const updated = await this.#client.update(persistentVolumeClaims, { ...cached, metadata });
      this.#wrote(set, 'persistentvolumeclaims', updated);
    }
  }

  #cached({ metadata }: New<PersistentVolumeClaim>): PersistentVolumeClaim | undefined {
    return this.#claims.indexer.getByKey(keyToString(keyOf({ metadata })));
  }

  #wrote(set: StatefulSet, resource: string, { metadata }: Pod | PersistentVolumeClaim): void {
    this.#written.wroteAt(set.metadata.uid, resource, metadata.resourceVersion);
  }

  #podEvent(set: StatefulSet, pod: string, verb: 'Create' | 'Delete' | 'Update', error?: unknown): void {
    const what = `${verb} Pod ${pod} in StatefulSet ${set.metadata.name}`;
    if (error === undefined) this.#recorder.event(set, 'Normal', `Successful${verb}`, `${what} successful`);
    else this.#recorder.event(set, 'Warning', `Failed${verb}`, `${what} failed error: ${messageOf(error)}`);
  }

  #claimEvent(
    set: StatefulSet,
    { claim, pod, error }: { readonly claim: string; readonly pod: string; readonly error?: unknown },
  ): void {
    const { name } = set.metadata;
    if (error === undefined) {
      const message = `Create Claim ${claim} Pod ${pod} in StatefulSet ${name} success`;
      this.#recorder.event(set, 'Normal', 'SuccessfulCreate', message);
      return;
    }
    const message = `Create Claim ${claim} for Pod ${pod} in StatefulSet ${name} failed error: ${messageOf(error)}`;
    this.#recorder.event(set, 'Warning', 'FailedCreate', message);
  }

  #conflictEvent(set: StatefulSet, { metadata }: PersistentVolumeClaim): void {
    const message = `PersistentVolumeClaim ${metadata.name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
    this.#recorder.event(set, 'Warning', 'ConflictingController', message);
  }
}
