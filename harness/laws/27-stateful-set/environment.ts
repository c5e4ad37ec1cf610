import type { ControllerRevision, KubeObject, New, Pod, StatefulSet } from '../../api/objects.ts';
import { keyOf } from '../../api/objects.ts';
import { controllerRevisions, statefulSets } from '../../api/plain-resources.ts';
import { controllerOf } from '../../api/predicates.ts';
import { persistentVolumeClaims, pods } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { revisionHash, revisionName } from '../../contracts/history/revision.ts';
import { Stage } from '../../testing/rig/stage.ts';
import type { Operation, StatefulSetScenario } from './scenario.ts';

const WEB = { namespace: 'default', name: 'web' };
/** The number of old revisions that the set keeps. */
const HISTORY_LIMIT = 1;

/** The users and the garbage collector of a run. */
export class Environment {
  readonly stage: Stage;
  readonly #scenario: StatefulSetScenario;

  constructor(cluster: Cluster, scenario: StatefulSetScenario) {
    this.stage = new Stage(cluster);
    this.#scenario = scenario;
  }

  /** Returns the stored StatefulSet. */
  get set(): StatefulSet | undefined {
    return this.stage.list(statefulSets)[0];
  }

  /** Creates the StatefulSet. */
  async create(): Promise<void> {
    const { pods: replicas, isParallel, partition, minReadySeconds, start } = this.#scenario;
    const set: New<StatefulSet> = {
      metadata: { ...WEB },
      spec: {
        replicas,
        serviceName: 'web',
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'web', image: 'web:1' }] },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
        podManagementPolicy: isParallel ? 'Parallel' : 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } },
        revisionHistoryLimit: HISTORY_LIMIT,
        minReadySeconds,
        ordinals: { start },
      },
    };
    await this.stage.act('user', 'create', 'statefulsets/web', (user) => user.create(statefulSets, set));
  }

  /** Performs an operation. */
  async act(operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'scale':
        return this.#patch(`scale to ${operation.replicas}`, { replicas: operation.replicas });
      case 'edit':
        return this.#edit(operation.version);
      case 'partition': {
        const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: operation.partition } };
        return this.#patch(`set the partition ${operation.partition}`, { updateStrategy });
      }
      case 'on-delete':
        return this.#patch('set OnDelete', { updateStrategy: { $patch: 'replace', type: 'OnDelete' } });
      case 'recreate':
        await this.stage.act('user', 'delete', 'statefulsets/web', (user) => user.delete(statefulSets, WEB));
        await this.collect();
        return this.create();
      case 'collide':
        return this.#collide(operation.version);
      case 'stray':
        return this.#createPod('other-1');
      case 'orphan':
        return this.#createPod(this.#nameOf(operation.pod));
      default:
        return this.#onPod(operation.do, this.#nameOf(operation.pod));
    }
  }

  /** Whether an object belongs to a set that was deleted. */
  get hasGarbage(): boolean {
    return this.#garbage().length > 0;
  }

  /** Deletes the objects of sets that were deleted, as the garbage collector does. */
  async collect(): Promise<void> {
    for (const { object, resource } of this.#garbage()) {
      await this.stage.act('collector', 'delete', object.metadata.name, (collector) =>
        collector.delete(resource as typeof pods, keyOf(object)),
      );
    }
  }

  #garbage(): readonly { readonly object: KubeObject; readonly resource: unknown }[] {
    return [controllerRevisions, pods].flatMap((resource) =>
      (this.stage.list(resource as typeof pods) as KubeObject[])
        .filter((object) => {
          const owner = controllerOf(object);
          return (
            owner !== undefined && owner.uid !== this.set?.metadata.uid && !object.metadata.deletionTimestamp
          );
        })
        .map((object) => ({ object, resource })),
    );
  }

  #nameOf(pod: number): string {
    return `web-${pod + this.#scenario.start}`;
  }

  async #patch(verb: string, spec: unknown): Promise<void> {
    await this.stage.act('user', verb, 'statefulsets/web', (user) =>
      user.patch(statefulSets, WEB, { type: 'strategic', body: { spec } }),
    );
  }

  #edit(version: number): Promise<void> {
    const containers = [{ name: 'web', image: `web:${version}` }];
    return this.#patch(`set web:${version}`, { template: { spec: { containers } } });
  }

  async #collide(version: number): Promise<void> {
    const { set } = this;
    if (!set) return;
    const {
      template,
      template: { spec },
    } = set.spec;
    const [container] = spec?.containers ?? [];
    const containers = [{ ...container, name: 'web', image: `web:${version}` }];
    const next = { ...template, spec: { ...spec, containers } };
    const name = revisionName('web', revisionHash(next, set.status.collisionCount ?? 0));
    const taken: New<ControllerRevision> = {
      metadata: { namespace: 'default', name },
      data: { spec: {} },
      revision: 7,
    };
    const isFree = !this.stage.list(controllerRevisions).some(({ metadata }) => metadata.name === name);
    if (isFree) {
      await this.stage.act('user', 'create', `controllerrevisions/${name}`, (user) =>
        user.create(controllerRevisions, taken),
      );
    }
    await this.#edit(version);
  }

  async #createPod(name: string): Promise<void> {
    if (this.stage.list(pods).some(({ metadata }) => metadata.name === name)) return;
    const claim = { name: 'data', persistentVolumeClaim: { claimName: `data-${name}` } };
    await this.stage.act('user', 'create', `pods/${name}`, (user) =>
      user.create(pods, {
        metadata: { namespace: 'default', name, labels: { app: 'web' } },
        spec: { volumes: [claim], containers: [{ name: 'web', image: 'web:0' }] },
      }),
    );
  }

  async #onPod(verb: 'fail' | 'succeed' | 'delete' | 'delete-claim', name: string): Promise<void> {
    const pod = this.stage.list(pods).find(({ metadata }) => metadata.name === name);
    if (!pod || pod.metadata.deletionTimestamp !== undefined) return;
    if (verb === 'fail' || verb === 'succeed') return this.#end(pod, verb);
    if (verb === 'delete-claim') {
      const key = { namespace: 'default', name: `data-${name}` };
      await this.stage.act('user', 'delete', `persistentvolumeclaims/${key.name}`, (user) =>
        user.delete(persistentVolumeClaims, key),
      );
    }
    await this.stage.act('user', 'delete', `pods/${name}`, (user) => user.delete(pods, keyOf(pod)));
  }

  async #end(pod: Pod, verb: 'fail' | 'succeed'): Promise<void> {
    if (pod.status.phase !== 'Running') return;
    const status = { ...pod.status, phase: verb === 'fail' ? 'Failed' : 'Succeeded', conditions: [] };
    await this.stage.act('kubelet', verb, `pods/${pod.metadata.name}`, (kubelet) =>
      kubelet.updateStatus(pods, { ...pod, status }),
    );
  }
}
