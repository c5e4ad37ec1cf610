import type {
  New,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
} from '../../api/objects.ts';
import { nodes, persistentVolumeClaims, persistentVolumes, pods } from '../../api/resource.ts';
import { storageClasses } from '../../api/storage-class.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { Stage } from '../../testing/rig/stage.ts';
import { type ClaimPlan, COUNT, nameOf, type Operation, type VolumePlan } from './operations.ts';

const NAMESPACE = 'default';
const key = (name: string) => ({ namespace: NAMESPACE, name });
const modes = (many: boolean): ('ReadWriteOnce' | 'ReadOnlyMany')[] => [
  'ReadWriteOnce',
  ...(many ? (['ReadOnlyMany'] as const) : []),
];

/** The users and administrators of the cluster, and its nodes. */
export class Environment {
  readonly stage: Stage;
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.stage = new Stage(cluster);
    this.#cluster = cluster;
  }

  /** Creates the nodes and the classes. */
  async prepare(): Promise<void> {
    const { admin } = this.#cluster;
    for (let n = 0; n < COUNT.nodes; n++) await admin.create(nodes, newNode(n));
    await admin.create(storageClasses, STANDARD);
    await admin.create(storageClasses, LOCAL);
  }

  async act(operation: Operation): Promise<void> {
    const { n } = operation;
    switch (operation.do) {
      case 'volume':
        return this.#create(
          persistentVolumes,
          newVolume(n, operation),
          `persistentvolumes/${nameOf.volume(n)}`,
        );
      case 'claim':
        return this.#createClaim(newClaim(n, operation));
      case 'pod':
        return this.#create(pods, newPod(n, operation.claims), `pods/${nameOf.pod(n)}`);
      case 'delete':
        return this.#delete(operation.kind, n);
      case 'replace':
        return this.#replace(n);
      case 'destroy':
        return this.#destroy(n);
      case 'ask':
        return this.#ask(n, nameOf.volume(operation.volume));
      case 'retain':
        return this.#patchVolume(n, 'retains', { spec: { persistentVolumeReclaimPolicy: 'Retain' } });
      case 'free':
        return this.#free(n);
      case 'leave':
        return this.stage.act('admin', 'deletes', `nodes/${nameOf.node(n)}`, (client) =>
          client.delete(nodes, { name: nameOf.node(n) }),
        );
      case 'join':
        return this.#create(nodes, newNode(n), `nodes/${nameOf.node(n)}`);
      case 'wait':
        return;
    }
  }

  /** Creates an object, unless one of its name exists. */
  async #create<T extends Node | PersistentVolume | Pod>(
    resource: Parameters<Stage['list']>[0],
    object: New<T>,
    named: string,
  ): Promise<void> {
    const exists = this.stage.list(resource).some(({ metadata }) => metadata.name === object.metadata.name);
    if (exists) return;
    await this.stage.act('user', 'creates', named, (client) => client.create(resource, object as never));
  }

  async #createClaim(claim: New<PersistentVolumeClaim>): Promise<void> {
    const { name } = claim.metadata;
    if (this.stage.list(persistentVolumeClaims).some(({ metadata }) => metadata.name === name)) return;
    await this.stage.act('user', 'creates', `persistentvolumeclaims/${name}`, (client) =>
      client.create(persistentVolumeClaims, claim),
    );
  }

  #delete(kind: 'volume' | 'claim' | 'pod', n: number): Promise<void> {
    const name = nameOf[kind](n);
    if (kind === 'volume') {
      return this.stage.act('user', 'deletes', `persistentvolumes/${name}`, (client) =>
        client.delete(persistentVolumes, { name }),
      );
    }
    if (kind === 'claim') {
      return this.stage.act('user', 'deletes', `persistentvolumeclaims/${name}`, (client) =>
        client.delete(persistentVolumeClaims, key(name)),
      );
    }
    return this.stage.act('user', 'deletes', `pods/${name}`, (client) =>
      client.delete(pods, key(name), { gracePeriodSeconds: 0 }),
    );
  }

  /** An object that is being deleted disappears with its last finalizer. Another one gets deleted after that. */
  async #replace(n: number): Promise<void> {
    const name = nameOf.claim(n);
    const old = this.stage.list(persistentVolumeClaims).find(({ metadata }) => metadata.name === name);
    if (!old) return;
    const { volumeName: _, ...spec } = old.spec;
    await this.stage.act('user', 'replaces', `persistentvolumeclaims/${name}`, async (client) => {
      await client.patch(persistentVolumeClaims, key(name), WITHOUT_FINALIZERS);
      if (!old.metadata.deletionTimestamp) await client.delete(persistentVolumeClaims, key(name));
      await client.create(persistentVolumeClaims, { metadata: key(name), spec, status: {} });
    });
  }

  async #destroy(n: number): Promise<void> {
    const name = nameOf.volume(n);
    const old = this.stage.list(persistentVolumes).find(({ metadata }) => metadata.name === name);
    if (!old) return;
    await this.stage.act('admin', 'removes', `persistentvolumes/${name}`, async (client) => {
      await client.patch(persistentVolumes, { name }, WITHOUT_FINALIZERS);
      if (!old.metadata.deletionTimestamp) await client.delete(persistentVolumes, { name });
    });
  }

  async #ask(n: number, volumeName: string): Promise<void> {
    const name = nameOf.claim(n);
    const claim = this.stage.list(persistentVolumeClaims).find(({ metadata }) => metadata.name === name);
    if (!claim || claim.spec.volumeName) return;
    const body = { spec: { volumeName } };
    await this.stage.act('user', 'asks for a volume', `persistentvolumeclaims/${name}`, (client) =>
      client.patch(persistentVolumeClaims, key(name), { type: 'merge', body }),
    );
  }

  #free(n: number): Promise<void> {
    const volume = this.stage
      .list(persistentVolumes)
      .find(({ metadata }) => metadata.name === nameOf.volume(n));
    if (volume?.status.phase !== 'Released') return Promise.resolve();
    return this.#patchVolume(n, 'frees', { spec: { claimRef: null } });
  }

  #patchVolume(n: number, verb: string, body: unknown): Promise<void> {
    const name = nameOf.volume(n);
    return this.stage.act('admin', verb, `persistentvolumes/${name}`, (client) =>
      client.patch(persistentVolumes, { name }, { type: 'merge', body }),
    );
  }
}

const WITHOUT_FINALIZERS = { type: 'merge', body: { metadata: { finalizers: null } } } as const;

const STANDARD: New<StorageClass> = {
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'rancher.io/local-path',
  volumeBindingMode: 'WaitForFirstConsumer',
};

const LOCAL: New<StorageClass> = {
  metadata: { name: 'local' },
  provisioner: 'kubernetes.io/no-provisioner',
  volumeBindingMode: 'WaitForFirstConsumer',
};

function newNode(n: number): New<Node> {
  const name = nameOf.node(n);
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec: {},
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
  };
}

function newVolume(n: number, plan: VolumePlan): New<PersistentVolume> {
  const name = nameOf.volume(n);
  const { gib, many, className, policy, isTemporary, tier, reservedFor, node } = plan;
  const values = node === undefined ? [] : [nameOf.node(node)];
  const onNode = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In' as const, values }] };
  return {
    metadata: { name, labels: { tier } },
    spec: {
      capacity: { storage: `${gib}Gi` },
      accessModes: modes(many),
      persistentVolumeReclaimPolicy: policy,
      hostPath: { path: `${isTemporary ? '/tmp' : '/data'}/${name}` },
      ...(className && { storageClassName: className }),
      ...(reservedFor !== undefined && { claimRef: { ...key(nameOf.claim(reservedFor)) } }),
      ...(node !== undefined && { nodeAffinity: { required: { nodeSelectorTerms: [onNode] } } }),
    },
    status: {},
  };
}

function newClaim(n: number, { gib, many, className, tier, volume }: ClaimPlan): New<PersistentVolumeClaim> {
  return {
    metadata: key(nameOf.claim(n)),
    spec: {
      accessModes: modes(many),
      resources: { requests: { storage: `${gib}Gi` } },
      ...(className !== undefined && { storageClassName: className }),
      ...(tier && { selector: { matchLabels: { tier } } }),
      ...(volume !== undefined && { volumeName: nameOf.volume(volume) }),
    },
    status: {},
  };
}

function newPod(n: number, claims: readonly number[]): New<Pod> {
  const volumes = claims.map((claim) => {
    const claimName = nameOf.claim(claim);
    return { name: claimName, persistentVolumeClaim: { claimName } };
  });
  return {
    metadata: key(nameOf.pod(n)),
    spec: { volumes, containers: [{ name: 'main', image: 'busybox:1.37' }] },
  } as unknown as New<Pod>;
}
