import type * as core from '#api/core/v1';
import { deepEqual } from '../../../api/freeze.ts';
import type { Lease, Node, Pod } from '../../../api/objects.ts';
import { keyOf } from '../../../api/objects.ts';
import { leases, nodes, pods } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import { formatMicroTime, formatTime } from '../../../sim/index.ts';
import { PRESSURES, type Pressure } from '../operations.ts';
import type { AskedNode } from '../scenario.ts';

/** The namespace of the leases of nodes. */
const LEASES = 'kube-node-lease';
/** Time from a change of a pod to the kubelet's report. */
const SYNC_MS = 1_000;
/** An unchanged status is written this often. */
const REPORT_EVERY_MS = 300_000;

/** Options of a {@link Machine}. */
interface MachineOptions extends AskedNode {
  readonly name: string;
  readonly renewMs: number;
  /** The time of its first renewal. */
  readonly firstMs: number;
}

/** A machine whose kubelet follows a script. It has no latency and no faults, except that the machine can stop. */
export class Machine {
  readonly name: string;
  readonly #cluster: Cluster;
  readonly #author;
  readonly #renewMs: number;
  readonly #hasNoLease: boolean;
  #skewMs: number;
  #isAlive: boolean;
  #isReady = true;
  #pressures: readonly Pressure[] = [];
  #reportedMs = Number.NEGATIVE_INFINITY;
  #isSyncing = false;

  constructor(cluster: Cluster, options: MachineOptions) {
    const { name, renewMs, firstMs, skewMs = 0, isMute = false, hasNoLease = false } = options;
    this.name = name;
    this.#cluster = cluster;
    this.#author = { actor: `kubelet-${name}`, verb: 'updateStatus' } as const;
    this.#renewMs = renewMs;
    this.#hasNoLease = hasNoLease;
    this.#skewMs = skewMs;
    this.#isAlive = !isMute;
    this.#later(firstMs, () => this.#tick());
  }

  /** Whether the machine runs. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Stops the machine. */
  die(): void {
    this.#isAlive = false;
  }

  /** Starts the machine again, and its kubelet. */
  return(): void {
    this.#isAlive = true;
    this.#reportedMs = Number.NEGATIVE_INFINITY;
    this.beat();
  }

  /** Changes the state that the kubelet sees. */
  become(isReady: boolean, pressures: readonly Pressure[]): void {
    this.#isReady = isReady;
    this.#pressures = pressures;
    if (this.#isAlive) this.#report();
  }

  /** Moves the clock of the machine. */
  shiftClock(byMs: number): void {
    this.#skewMs += byMs;
  }

  /** Renews the lease, and reports the node and its pods if they differ from the reports. */
  beat(): void {
    if (!this.#isAlive) return;
    if (!this.#hasNoLease) this.#renew();
    this.#report();
    this.#sync();
  }

  /** Reports the pods of the node after a moment: one of them has changed. */
  podChanged(): void {
    if (this.#isSyncing || !this.#isAlive) return;
    this.#isSyncing = true;
    this.#later(SYNC_MS, () => {
      this.#isSyncing = false;
      if (this.#isAlive) this.#sync();
    });
  }

  #tick(): void {
    this.beat();
    this.#later(this.#renewMs, () => this.#tick());
  }

  #later(afterMs: number, run: () => void): void {
    this.#cluster.sim.schedule(afterMs, this.#author.actor, 'kubelet', run);
  }

  get #nowMs(): number {
    return this.#cluster.clock.now() + this.#skewMs;
  }

  get #node(): Node | undefined {
    return this.#cluster.storage.get(nodes, { name: this.name }) as Node | undefined;
  }

  #renew(): void {
    const { storage } = this.#cluster;
    const node = this.#node;
    if (!node) return;
    const { uid } = node.metadata;
    const key = { namespace: LEASES, name: this.name };
    const known = storage.get(leases, key) as Lease | undefined;
    const spec = {
      holderIdentity: this.name,
      leaseDurationSeconds: 40,
      renewTime: formatMicroTime(this.#nowMs),
    };
    const owner = { apiVersion: 'v1', kind: 'Node', name: this.name, uid };
    if (known) {
      const metadata = { ...known.metadata, ownerReferences: [owner] };
      storage.update(leases, { ...known, metadata, spec }, known.metadata.resourceVersion, this.#author);
    } else {
      const creationTimestamp = formatTime(this.#cluster.clock.now());
      const metadata = { ...key, ownerReferences: [owner], uid: `lease-${uid}`, creationTimestamp };
      storage.create(
        leases,
        { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec } as Lease,
        this.#author,
      );
    }
  }

  /** Writes the conditions of the node, if they differ from those that the Node has, or if it is time. */
  #report(): void {
    const node = this.#node;
    if (!node) return;
    const { conditions = [] } = node.status;
    const now = formatTime(this.#nowMs);
    const isSame = this.#seen.every(([type, status]) =>
      conditions.some((each) => each.type === type && each.status === status),
    );
    const { elapsedMs } = this.#cluster.sim;
    const everyMs = this.#hasNoLease ? this.#renewMs : REPORT_EVERY_MS;
    if (isSame && elapsedMs < this.#reportedMs + everyMs) return;
    this.#reportedMs = elapsedMs;
    const own = this.#seen.map(([type, status]): core.NodeCondition => {
      const old = conditions.find((each) => each.type === type);
      const lastTransitionTime = old?.status === status ? old.lastTransitionTime : now;
      return {
        type,
        status,
        lastHeartbeatTime: now,
        ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
        reason: `Kubelet${type}`,
        message: `kubelet reports ${type} ${status}`,
      };
    });
    const others = conditions.filter(({ type }) => !own.some((each) => each.type === type));
    this.#cluster.storage.update(
      nodes,
      { ...node, status: { ...node.status, conditions: [...others, ...own] } },
      node.metadata.resourceVersion,
      this.#author,
    );
  }

  get #seen(): readonly (readonly [type: string, status: 'True' | 'False'])[] {
    return [
      ['Ready', this.#isReady ? 'True' : 'False'],
      ...PRESSURES.map((type) => [type, this.#pressures.includes(type) ? 'True' : 'False'] as const),
    ];
  }

  /** Runs the pods of the node, and removes those that are being deleted. */
  #sync(): void {
    const { storage } = this.#cluster;
    for (const pod of storage.list(pods) as Pod[]) {
      if (pod.spec.nodeName !== this.name) continue;
      const { deletionTimestamp, finalizers = [], resourceVersion } = pod.metadata;
      if (deletionTimestamp !== undefined) {
        if (finalizers.length > 0) continue;
        storage.delete(pods, keyOf(pod), resourceVersion, { ...this.#author, verb: 'delete' });
        continue;
      }
      if (pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed') continue;
      const status = running(pod.status, formatTime(this.#nowMs));
      if (!deepEqual(status, pod.status)) {
        storage.update(pods, { ...pod, status }, resourceVersion, this.#author);
      }
    }
  }
}

/** Returns the status of a pod that runs and is ready. */
function running(status: Pod['status'], now: string): Pod['status'] {
  const { conditions = [] } = status;
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (status.phase === 'Running' && ready?.status === 'True') return status;
  const others = conditions.filter(({ type }) => type !== 'Ready');
  return {
    ...status,
    phase: 'Running',
    conditions: [...others, { type: 'Ready', status: 'True', lastTransitionTime: now }],
  };
}
