import { type Deployment, keyOf, type New, type ObjectKey, type ReplicaSet } from '../../../api/objects.ts';
import { deployments, replicaSets } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import { editDeployment } from '../../../cluster/edit-deployment.ts';
import type { Client, Patch } from '../../../contracts/client.ts';
import { newControllerRef } from '../../../contracts/controller-ref.ts';
import { NotImplemented } from '../../../contracts/todo.ts';
import { Stage } from '../../../testing/rig/stage.ts';
import { NAMESPACE, type SetEdit, type UserEdit } from '../operations.ts';
import { isOf, isOver, newest } from '../oracle/truth.ts';
import type { Asked, Bystander } from '../scenario/index.ts';
import { ANOTHER_OWNER, bystanderOf, deploymentOf, orphanOf, REMARK, retyped } from './asked-objects.ts';

/** The name of the user in the journal. */
export const USER = 'kubectl';

/** The `kubectl rollout undo` of a kata. */
export type Rollback = (client: Client, key: ObjectKey) => Promise<unknown>;

/** The operations of users with kubectl, without latency and faults. */
export class Environment {
  readonly #stage: Stage;
  readonly #client: Client;
  readonly #original: New<Deployment>;
  readonly #key: { readonly namespace: string; readonly name: string };
  readonly #rollback: Rollback | undefined;
  /** Resource versions created by `rollout undo`. */
  readonly undone: number[] = [];
  #made = 0;
  #squats: { readonly owned: boolean } | undefined;

  /** @param rollback @defaultValue the harness's own */
  constructor(cluster: Cluster, asked: Asked, rollback?: Rollback) {
    this.#stage = new Stage(cluster);
    this.#client = cluster.as(USER);
    this.#original = deploymentOf(asked);
    this.#key = { namespace: NAMESPACE, name: asked.name ?? 'web' };
    this.#rollback = rollback;
  }

  async create(): Promise<void> {
    await this.#client.create(deployments, this.#original);
    this.#note('create');
  }

  async add(bystander: Bystander): Promise<void> {
    await this.#client.create(replicaSets, bystanderOf(bystander, this.#original));
  }

  /** Performs an operation, and records it in the trace for the timeline. */
  async do(edit: UserEdit): Promise<void> {
    const isDone = await this.#do(edit);
    if (isDone !== false && edit.edit !== 'nothing') this.#note(describeEdit(edit));
  }

  /** Creates a ReplicaSet with the name that the controller is about to use, if a step requested that. */
  async squat(name: string): Promise<void> {
    if (!this.#squats) return;
    const { owned } = this.#squats;
    this.#squats = undefined;
    const deployment = owned ? this.#deployment() : undefined;
    const { metadata, spec } = bystanderOf(deployment ? 'orphan' : 'stranger', this.#original);
    await this.#client.create(replicaSets, {
      metadata: {
        ...metadata,
        name,
        ...(deployment && { ownerReferences: [newControllerRef(deployment, 'Deployment')] }),
      },
      spec: { ...spec, replicas: 0 },
    });
  }

  #note(verb: string): void {
    this.#stage.note(USER, verb, `deployments/${NAMESPACE}/${this.#key.name}`);
  }

  /** Returns false if there was nothing to do. */
  async #do(edit: UserEdit): Promise<unknown> {
    switch (edit.edit) {
      case 'nothing':
      case 'lose-pods':
        return;
      case 'recreate':
        await this.#client.delete(deployments, this.#key, { propagationPolicy: 'Background' });
        await this.create();
        return;
      case 'go':
        await this.#client.delete(deployments, this.#key, { propagationPolicy: 'Foreground' });
        return;
      case 'scale-at-rest':
        if (!this.#isAtRest()) return false;
        return editDeployment(this.#client, this.#key, { edit: 'scale', replicas: edit.replicas });
      case 'resize-history':
        return this.#merge({ spec: { revisionHistoryLimit: edit.limit } });
      case 'deadline':
        return this.#merge({ spec: { progressDeadlineSeconds: edit.seconds } });
      case 'min-ready':
        return this.#merge({ spec: { minReadySeconds: edit.seconds } });
      case 'annotate':
        return this.#merge({ metadata: { annotations: { note: `${++this.#made}` } } });
      case 'undo':
        return this.#undo();
      case 'retype': {
        const { spec } = await this.#client.get(deployments, this.#key);
        const value = retyped(spec.template, edit);
        await this.#patch({ type: 'json', body: [{ op: 'replace', path: '/spec/template', value }] });
        return;
      }
      case 'scale-set':
      case 'scale-old':
      case 'annotate-set':
      case 'take-set':
      case 'delete-set':
        return this.#doToSet(edit);
      case 'orphan':
        return this.#createOrphan(edit.dying);
      case 'replace-orphan':
        return this.#replaceOrphan();
      case 'squat':
        this.#squats = { owned: edit.owned ?? false };
        return;
      default:
        return editDeployment(this.#client, this.#key, edit);
    }
  }

  /** Rolls back, unless the Deployment is paused, as kubectl does. */
  async #undo(): Promise<boolean> {
    const { spec, metadata } = await this.#client.get(deployments, this.#key);
    if (spec.paused) return false;
    const own = (): Promise<unknown> => editDeployment(this.#client, this.#key, { edit: 'undo' });
    const undo = this.#rollback ? this.#rollback(this.#client, this.#key) : own();
    // A learner may not have written `rollback` yet. Without an earlier revision a rollback may throw.
    await undo.catch((error: unknown) => (error instanceof NotImplemented ? own() : undefined));
    const after = this.#deployment()?.metadata;
    const isUndone = after !== undefined && after.generation !== metadata.generation;
    if (isUndone) this.undone.push(Number(after.resourceVersion));
    return isUndone;
  }

  /** Tests the actual state, not the status. */
  #isAtRest(): boolean {
    const deployment = this.#deployment();
    return deployment !== undefined && isOver(deployment, this.#owned(deployment));
  }

  async #doToSet(edit: SetEdit): Promise<unknown> {
    const deployment = this.#deployment();
    const owned = deployment ? this.#owned(deployment) : [];
    const current = deployment && newest(deployment, owned);
    const set = edit.edit === 'scale-old' ? owned.find((each) => each !== current) : (current ?? owned[0]);
    if (!set) return false;
    const key = keyOf(set);
    switch (edit.edit) {
      case 'scale-set':
      case 'scale-old':
        await this.#client.updateScale(replicaSets, key, { replicas: edit.replicas });
        return;
      case 'delete-set':
        await this.#client.delete(replicaSets, key, { propagationPolicy: 'Background' });
        return;
      case 'annotate-set':
        return this.#change(key, { annotations: { [REMARK]: `${++this.#made}` } });
      case 'take-set':
        return this.#change(key, { ownerReferences: [ANOTHER_OWNER] });
    }
  }

  async #createOrphan(dying: boolean): Promise<void> {
    const name = `o-${++this.#made}`;
    const key = { namespace: NAMESPACE, name };
    const orphan = orphanOf(name, dying);
    await this.#client.create(replicaSets, orphan);
    if (!dying) return;
    await this.#client.delete(replicaSets, key, { propagationPolicy: 'Background' });
    await this.#change(key, { labels: { app: 'web' } });
  }

  async #replaceOrphan(): Promise<void> {
    const name = `o-${this.#made}`;
    await this.#client.delete(
      replicaSets,
      { namespace: NAMESPACE, name },
      { propagationPolicy: 'Background' },
    );
    const other = bystanderOf('stranger', this.#original);
    await this.#client.create(replicaSets, { ...other, metadata: { ...other.metadata, name } });
  }

  async #change(key: ObjectKey, metadata: object): Promise<void> {
    await this.#client.patch(replicaSets, key, { type: 'merge', body: { metadata } });
  }

  #merge(body: object): Promise<void> {
    return this.#patch({ type: 'merge', body });
  }

  async #patch(patch: Patch): Promise<void> {
    await this.#client.patch(deployments, this.#key, patch);
  }

  #deployment(): Deployment | undefined {
    return this.#stage.list(deployments)[0];
  }

  #owned(deployment: Deployment): readonly ReplicaSet[] {
    return this.#stage.list(replicaSets).filter((each) => isOf(each, deployment));
  }
}

/** `set image nginx:1.27`, as one would type it. */
function describeEdit(edit: UserEdit): string {
  switch (edit.edit) {
    case 'image':
      return `set image ${edit.image}`;
    case 'scale':
    case 'scale-at-rest':
      return `scale --replicas=${edit.replicas}`;
    case 'strategy': {
      const { type, rollingUpdate: { maxSurge, maxUnavailable } = {} } = edit.strategy;
      return type === 'Recreate' ? 'strategy Recreate' : `strategy +${maxSurge} -${maxUnavailable}`;
    }
    case 'resize-history':
      return `keep ${edit.limit} old`;
    case 'deadline':
      return `deadline ${edit.seconds} s`;
    case 'min-ready':
      return `minReadySeconds ${edit.seconds}`;
    case 'scale-set':
      return `scale the newest ReplicaSet to ${edit.replicas}`;
    case 'scale-old':
      return `scale an old ReplicaSet to ${edit.replicas}`;
    default:
      return DESCRIPTIONS[edit.edit] ?? edit.edit;
  }
}

const DESCRIPTIONS: Partial<Record<UserEdit['edit'], string>> = {
  go: 'delete --cascade=foreground',
  retype: 'write the template in other words',
  annotate: 'write a note',
  'annotate-set': 'write a note at the newest ReplicaSet',
  'take-set': 'give the newest ReplicaSet away',
  'delete-set': 'delete the newest ReplicaSet',
  orphan: 'create an orphan',
  'replace-orphan': 'replace the orphan by a stranger',
  squat: 'is about to take a name',
  'lose-pods': 'the node does not answer',
};
