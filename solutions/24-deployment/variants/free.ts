/**
 * Reads everything from the server, performs the first step that is due, and reads again. It has a queue, but trusts no
 * cache.
 */
import {
  byRevision,
  checkPausedConditions,
  type DeploymentStatus,
  generateReplicaSetName,
  getDeploymentCondition,
  getReplicaCountForReplicaSets,
  hasProgressDeadline,
  isRollingUpdate,
  MAX_INT32,
  maxRevision,
  newReplicaSetAnnotations,
  POD_TEMPLATE_HASH,
  REVISION,
  replicasAnnotations,
  replicasAnnotationsNeedUpdate,
  setDeploymentCondition,
} from '#given/24-deployment';
import {
  type Component,
  controllerOf,
  type Deployment,
  deepEqual,
  deployments,
  isAlreadyExists,
  isNamespaceTerminating,
  isNotFound,
  isSameStatus,
  type KubeObject,
  keyOf,
  keyToString,
  newControllerRef,
  pods,
  type ReplicaSet,
  replicaSets,
  semanticText,
} from '#harness';
import { Scene, type Sizes } from './free-scene.ts';

export const deploymentController: Component = async (context) => {
  const { informers, client } = context;
  const queue = context.newWorkQueue<string>();
  const known = informers.forResource(deployments);
  const wake = ({ metadata }: KubeObject): void => {
    for (const each of known.indexer.byIndex('namespace', metadata.namespace ?? ''))
      queue.add(keyToString(keyOf(each)));
  };
  const gone = (last: KubeObject | { object: KubeObject }): void =>
    wake('object' in last ? last.object : last);
  known.addEventHandler({ onAdd: wake, onUpdate: (_, now) => wake(now), onDelete: gone });
  const handler = { onAdd: wake, onUpdate: (_: KubeObject, now: KubeObject) => wake(now), onDelete: gone };
  informers.forResource(replicaSets).addEventHandler(handler);
  informers.forResource(pods).addEventHandler({ onDelete: gone });
  informers.start();
  await informers.waitForCacheSync();
  const sync = async (key: string): Promise<void> => {
    const [namespace = '', name = ''] = key.split('/');
    for (;;) {
      const deployment = await client.get(deployments, { namespace, name }).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      if (!deployment) return;
      const { items } = await client.list(replicaSets, { namespace });
      const look = new Look({ context, queue, deployment, around: items });
      const chore = await look.next();
      if (!chore) return;
      await chore();
    }
  };
  await context.runWorkers({ queue, workers: 1, sync, onError: (error) => context.log(String(error)) });
};

type Chore = () => Promise<unknown>;

/** The next step. */
class Look extends Scene {
  async next(): Promise<Chore | undefined> {
    const { metadata, spec, status } = this.deployment;
    if (Object.keys(spec.selector).length === 0) return undefined;
    if (metadata.deletionTimestamp !== undefined) return this.say(this.counts());
    const told = checkPausedConditions(this.deployment, this.context.clock.now());
    if (told) {
      const conditions = setDeploymentCondition(status.conditions ?? [], told);
      return () => this.write({ ...status, conditions });
    }
    const resized = this.isResized();
    if (spec.paused || resized) {
      return (
        this.own() ??
        this.renew() ??
        this.size(this.shares()) ??
        (spec.paused ? this.trim() : undefined) ??
        this.say(this.counts())
      );
    }
    const sized = this.own() ?? this.renew() ?? (await this.roll());
    const over = this.isOver(status);
    return sized ?? (over ? this.trim() : undefined) ?? this.say(this.progress());
  }

  own(): Chore | undefined {
    const { uid } = this.deployment.metadata;
    for (const each of this.around) {
      const selected = this.selects(each);
      const orphan = !controllerOf(each) && each.metadata.deletionTimestamp === undefined;
      if (this.isOwn(each) ? selected : !(orphan && selected)) continue;
      const owner = selected ? newControllerRef(this.deployment, 'Deployment') : { $patch: 'delete', uid };
      const body = { metadata: { uid: each.metadata.uid, ownerReferences: [owner] } };
      return () => this.context.client.patch(replicaSets, keyOf(each), { type: 'strategic', body });
    }
    return undefined;
  }

  renew(): Chore | undefined {
    const { metadata, spec, status } = this.deployment;
    const current = this.current;
    if (!current) return undefined;
    const before = current.metadata.annotations ?? {};
    const after = newReplicaSetAnnotations(this.deployment, before, maxRevision(this.old) + 1);
    const minReadySeconds = spec.minReadySeconds ?? 0;
    if (!deepEqual(before, after) || (current.spec.minReadySeconds ?? 0) !== minReadySeconds) {
      return () => this.update(current, after, { minReadySeconds });
    }
    const revision = before[REVISION];
    const isNews = revision !== metadata.annotations?.[REVISION];
    const reason = getDeploymentCondition(status, 'Progressing')?.reason;
    const begins = reason === undefined || (isNews && reason === 'NewReplicaSetAvailable');
    const said = begins ? this.says('FoundNewReplicaSet') : status;
    if (!isNews && isSameStatus(said, status)) return undefined;
    return () => this.write(said, revision);
  }

  /** Returns the next step of a rollout: a change of one size, or the creation of the missing ReplicaSet. */
  async roll(): Promise<Chore | undefined> {
    const { replicas } = this.deployment.spec;
    if (isRollingUpdate(this.deployment)) {
      return this.current ? this.size(this.step(this.current)) : this.create();
    }
    const down = this.size(this.old.map((each) => [each, 0]));
    if (down || (await this.stillRuns())) return down;
    return this.current ? this.size([[this.current, replicas]]) : this.create();
  }

  async stillRuns(): Promise<boolean> {
    if (this.old.some(({ status }) => status.replicas > 0)) return true;
    const { namespace = '' } = this.deployment.metadata;
    const { items } = await this.context.client.list(pods, { namespace });
    return items.some(
      (pod) =>
        !['Failed', 'Succeeded'].includes(pod.status.phase ?? '') &&
        this.old.some(({ metadata }) => metadata.uid === controllerOf(pod)?.uid),
    );
  }

  /**
   * Applies all changes of sizes, shrinking first; also updates ReplicaSets whose size is right but whose annotations
   * are outdated.
   */
  size(sizes: Sizes): Chore | undefined {
    const paused = this.deployment.spec.paused || this.isResized();
    const wanted = replicasAnnotations(this.deployment, this.surge);
    const isBehind = (each: ReplicaSet): boolean =>
      each.spec.replicas > 0 && replicasAnnotationsNeedUpdate(this.deployment, each, this.surge);
    const changes = sizes
      .filter(([each, size]) => each.spec.replicas !== size || (paused && isBehind(each)))
      .sort(([a, x], [b, y]) => Number(x > a.spec.replicas) - Number(y > b.spec.replicas));
    if (changes.length === 0) return undefined;
    return async () => {
      for (const [each, replicas] of changes) {
        await this.update(each, { ...each.metadata.annotations, ...wanted }, { replicas });
        this.tell(each.metadata.name, each.spec.replicas, replicas);
      }
    };
  }

  create(): Chore {
    const { metadata, spec, status } = this.deployment;
    const { selector, minReadySeconds, replicas, template } = spec;
    const hash = hashOf(`${semanticText(template)} ${status.collisionCount ?? 0}`);
    const name = generateReplicaSetName(this.deployment, hash);
    const key = { namespace: metadata.namespace ?? '', name };
    const marked = { ...template.metadata?.labels, [POD_TEMPLATE_HASH]: hash };
    const revision = maxRevision(this.old) + 1;
    const room = Math.max(0, replicas + this.surge - getReplicaCountForReplicaSets(this.old));
    const size = isRollingUpdate(this.deployment) ? Math.min(replicas, room) : replicas;
    const annotations = {
      ...newReplicaSetAnnotations(this.deployment, {}, revision),
      ...replicasAnnotations(this.deployment, this.surge),
    };
    const ownerReferences = [newControllerRef(this.deployment, 'Deployment')];
    const set = {
      metadata: { ...key, labels: marked, annotations, ownerReferences },
      spec: {
        replicas: size,
        minReadySeconds: minReadySeconds ?? 0,
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [POD_TEMPLATE_HASH]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels: marked } },
      },
    };
    return async () => {
      try {
        await this.context.client.create(replicaSets, set);
      } catch (error) {
        if (isAlreadyExists(error)) return this.collide(error);
        if (!isNamespaceTerminating(error)) await this.write(this.says('ReplicaSetCreateError', 'False'));
        throw error;
      }
      this.tell(name, 0, size);
      await this.write(this.says('NewReplicaSetCreated'), String(revision));
    };
  }

  async collide(error: unknown): Promise<void> {
    const { status, metadata } = this.deployment;
    const { items } = await this.context.client.list(replicaSets, { namespace: metadata.namespace ?? '' });
    const [context, queue, deployment] = [this.context, this.queue, this.deployment];
    const found = new Look({ context, queue, deployment, around: items });
    // It was created since the last read.
    if (found.current) throw error;
    await this.write({ ...status, collisionCount: (status.collisionCount ?? 0) + 1 });
  }

  trim(): Chore | undefined {
    const { revisionHistoryLimit = MAX_INT32 } = this.deployment.spec;
    const alive = this.old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const [first] = alive
      .sort(byRevision)
      .slice(0, Math.max(0, alive.length - revisionHistoryLimit))
      .filter(
        ({ metadata, spec, status }) =>
          spec.replicas + status.replicas === 0 &&
          (status.observedGeneration ?? 0) >= (metadata.generation ?? 0),
      );
    if (!first || this.deployment.spec.revisionHistoryLimit === MAX_INT32) return undefined;
    const { uid, resourceVersion } = first.metadata;
    const options = { preconditions: { uid, resourceVersion } };
    return () => this.context.client.delete(replicaSets, keyOf(first), options);
  }

  say(status: DeploymentStatus): Chore | undefined {
    if (!isSameStatus(status, this.deployment.status)) return () => this.write(status);
    const progressing = getDeploymentCondition(status, 'Progressing');
    const ends = ['ProgressDeadlineExceeded', 'NewReplicaSetAvailable', 'DeploymentPaused'];
    if (!hasProgressDeadline(this.deployment) || !progressing || ends.includes(progressing.reason ?? '')) {
      return undefined;
    }
    const afterMs = Math.max(0, this.leftMs(progressing)) + 500;
    this.queue.addAfter(keyToString(keyOf(this.deployment)), afterMs);
    return undefined;
  }

  /** Writes a status, and the revision if there is one. */
  write(status: DeploymentStatus, revision?: string): Promise<Deployment> {
    const { metadata } = this.deployment;
    const own = revision === undefined ? {} : { [REVISION]: revision };
    const annotations = { ...metadata.annotations, ...own };
    const written = { ...this.deployment, metadata: { ...metadata, annotations }, status };
    return this.context.client.updateStatus(deployments, written);
  }

  update(each: ReplicaSet, annotations: Record<string, string>, spec: object): Promise<ReplicaSet> {
    const { resourceVersion, uid } = each.metadata;
    const body = { metadata: { uid, resourceVersion, annotations }, spec };
    return this.context.client.patch(replicaSets, keyOf(each), { type: 'merge', body });
  }

  tell(name: string, before: number, now: number): void {
    if (before === now) return;
    const words = `Scaled ${now > before ? 'up' : 'down'} replica set ${name} from ${before} to ${now}`;
    this.context.recorder.event(this.deployment, 'Normal', 'ScalingReplicaSet', words);
  }
}

function hashOf(text: string): string {
  let [a, b] = [7, 11];
  for (const letter of text) {
    a = (a * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
    b = (b * 37 + (letter.codePointAt(0) ?? 0)) % 999_983;
  }
  return `${a.toString(36)}x${b.toString(36)}`.slice(0, 10);
}
