/**
 * Controllers of failing nodes in another shape. The first reads everything from the server every five seconds, and
 * writes each Node as a whole. The second has no queue: one loop sleeps until the next pod is due, or until something
 * changes. The third reads the server, too.
 */
import {
  type Component,
  type ComponentContext,
  type core,
  formatTime,
  hasEnded,
  isNotFound,
  keyOf,
  type Lease,
  leases,
  messageOf,
  type Node,
  nodes,
  type Pod,
  pods,
} from '#harness';

const PREFIX = 'node.kubernetes.io/';
const LOOK_MS = 5_000;
const OF_KUBELET = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The signs of life of a node, as one text, and when the text last changed. */
interface Signs {
  readonly text: string;
  readonly changedMs: number;
}

/** The taints of a zone: when the next node may get one. */
interface Turn {
  everyMs: number;
  nextMs: number;
}

const readyOf = ({ status }: Node): string | undefined => conditionOf(status.conditions, 'Ready')?.status;

function conditionOf<C extends { readonly type: string }>(
  all: readonly C[] | undefined,
  type: string,
): C | undefined {
  return all?.find((one) => one.type === type);
}

class Watchman {
  readonly #context: ComponentContext;
  readonly #signs = new Map<string, Signs>();
  readonly #turns = new Map<string, Turn>();
  #wasAllDown = false;

  constructor(context: ComponentContext) {
    this.#context = context;
  }

  async look(): Promise<void> {
    const { client } = this.#context;
    const known = (await client.list(nodes)).items;
    const beats = new Map((await client.list(leases)).items.map((lease) => [lease.metadata.name, lease]));
    const current: Node[] = [];
    for (const node of known) current.push(await this.#tried(node, () => this.#judge(node, beats)));
    const isAllDown = this.#setPace(current);
    const running = (await client.list(pods)).items;
    for (const node of current) {
      await this.#tried(node, () => this.#taint(node, isAllDown));
      if (readyOf(node) !== 'Unknown') continue;
      for (const pod of running) if (pod.spec.nodeName === node.metadata.name) await this.#mark(pod);
    }
  }

  /** Returns the result, or the node if the attempt fails: the next look tries again. */
  async #tried(node: Node, attempt: () => Promise<Node>): Promise<Node> {
    try {
      return await attempt();
    } catch (error) {
      this.#context.log(`${node.metadata.name}: ${messageOf(error)}`);
      return node;
    }
  }

  async #judge(node: Node, beats: ReadonlyMap<string, Lease>): Promise<Node> {
    const { clock, client } = this.#context;
    const { name, uid, creationTimestamp } = node.metadata;
    const heard = conditionOf(node.status.conditions, 'Ready')?.lastHeartbeatTime;
    const text = `${heard} ${beats.get(name)?.spec.renewTime}`;
    const before = this.#signs.get(uid);
    const nowMs = clock.now();
    if (before?.text !== text) {
      const isMute = before === undefined && text === 'undefined undefined';
      this.#signs.set(uid, { text, changedMs: isMute ? Date.parse(creationTimestamp) : nowMs });
    }
    const silentMs = nowMs - (this.#signs.get(uid) as Signs).changedMs;
    const graceMs = readyOf(node) === undefined ? 60_000 : 50_000;
    if (silentMs <= graceMs || readyOf(node) === 'Unknown') return node;
    const lastTransitionTime = formatTime(nowMs);
    const unknown = OF_KUBELET.map((type): core.NodeCondition => {
      const old = conditionOf(node.status.conditions, type);
      if (old?.status === 'Unknown') return old;
      return {
        lastHeartbeatTime: creationTimestamp,
        ...old,
        type,
        status: 'Unknown',
        reason: old ? 'NodeStatusUnknown' : 'NodeStatusNeverUpdated',
        message: `Kubelet ${old ? 'stopped' : 'never'} posted node status.`,
        lastTransitionTime,
      };
    });
    const others = (node.status.conditions ?? []).filter(({ type }) => !OF_KUBELET.includes(type));
    return client.updateStatus(nodes, {
      ...node,
      status: { ...node.status, conditions: [...unknown, ...others] },
    });
  }

  /** Sets the pace of each zone. Returns whether no node of any zone is ready. */
  #setPace(all: readonly Node[]): boolean {
    const zones = new Map<string, { ready: number; lost: number }>();
    for (const node of all) {
      if (node.metadata.labels?.[`${PREFIX}exclude-disruption`] !== undefined) continue;
      const zone = zones.get(zoneOf(node)) ?? { ready: 0, lost: 0 };
      zones.set(zoneOf(node), zone);
      if (readyOf(node) === 'True') zone.ready++;
      else zone.lost++;
    }
    const isAllDown = zones.size > 0 && [...zones.values()].every(({ ready }) => ready === 0);
    const nowMs = this.#context.clock.now();
    if (this.#wasAllDown && !isAllDown) {
      for (const [uid, signs] of this.#signs) this.#signs.set(uid, { ...signs, changedMs: nowMs });
    }
    this.#wasAllDown = isAllDown;
    for (const [zone, { ready, lost }] of zones) {
      const isPartial = ready > 0 && lost > 2 && lost / (ready + lost) >= 0.55;
      const slowMs = ready + lost > 50 ? 100_000 : Number.POSITIVE_INFINITY;
      const turn = this.#turnOf(zone);
      const everyMs = isPartial ? slowMs : 10_000;
      if (everyMs === turn.everyMs) continue;
      turn.everyMs = everyMs;
      if (turn.nextMs > nowMs) turn.nextMs = nowMs + 10_000;
    }
    return isAllDown;
  }

  #turnOf(zone: string): Turn {
    const turn = this.#turns.get(zone) ?? { everyMs: 10_000, nextMs: 0 };
    this.#turns.set(zone, turn);
    return turn;
  }

  /** Writes all taints of the node at once, if they change. */
  async #taint(node: Node, isAllDown: boolean): Promise<Node> {
    const { client, clock } = this.#context;
    const { taints = [] } = node.spec;
    const has = (key: string, effect: string): boolean =>
      taints.some((taint) => taint.key === PREFIX + key && taint.effect === effect);
    const want = new Set(reasonsOf(node).map((key) => `${key}:NoSchedule`));
    const [lost] = reasonsOf(node).filter((key) => LOST.includes(key));
    if (lost !== undefined && !isAllDown) {
      const isFirst = !LOST.some((key) => has(key, 'NoExecute'));
      const turn = this.#turnOf(zoneOf(node));
      const nowMs = clock.now();
      if (!isFirst || (turn.everyMs < Number.POSITIVE_INFINITY && turn.nextMs <= nowMs)) {
        if (isFirst) turn.nextMs = nowMs + turn.everyMs;
        want.add(`${lost}:NoExecute`);
      }
    }
    const isOurs = ({ key, effect }: core.Taint): boolean =>
      (effect === 'NoSchedule' && KEYS.some((own) => PREFIX + own === key)) ||
      (effect === 'NoExecute' && LOST.some((own) => PREFIX + own === key));
    const kept = taints.filter((taint) => !isOurs(taint) || want.has(nameOf(taint)));
    const added = [...want].flatMap((name): core.Taint[] => {
      const [key = '', effect = ''] = name.split(':');
      return has(key, effect)
        ? []
        : [{ key: PREFIX + key, effect: effect as core.Taint['effect'], timeAdded: formatTime(clock.now()) }];
    });
    if (added.length === 0 && kept.length === taints.length) return node;
    return client.update(nodes, { ...node, spec: { ...node.spec, taints: [...kept, ...added] } });
  }

  async #mark(pod: Pod): Promise<void> {
    const { client, clock, log } = this.#context;
    const ready = conditionOf(pod.status.conditions, 'Ready');
    if (!ready || ready.status === 'False') return;
    const lastTransitionTime = formatTime(clock.now());
    const conditions = (pod.status.conditions ?? []).map((one) =>
      one === ready ? { ...ready, status: 'False', lastTransitionTime } : one,
    );
    await client
      .updateStatus(pods, { ...pod, status: { ...pod.status, conditions } })
      .catch((error: unknown) => log(`${pod.metadata.name}: ${messageOf(error)}`));
  }
}

const LOST: readonly string[] = ['not-ready', 'unreachable'];
const KEYS = [
  ...LOST,
  'memory-pressure',
  'disk-pressure',
  'pid-pressure',
  'network-unavailable',
  'unschedulable',
];
const nameOf = ({ key, effect }: core.Taint): string => `${key.slice(PREFIX.length)}:${effect}`;

/** Returns the keys of the taints that the state of a node calls for, without their prefix. */
function reasonsOf({ spec, status }: Node): string[] {
  const is = (type: string, value: string): boolean => conditionOf(status.conditions, type)?.status === value;
  const isSo = [
    is('Ready', 'False'),
    is('Ready', 'Unknown'),
    is('MemoryPressure', 'True'),
    is('DiskPressure', 'True'),
    is('PIDPressure', 'True'),
    is('NetworkUnavailable', 'True'),
    spec.unschedulable === true,
  ];
  return KEYS.filter((_, i) => isSo[i]);
}

function zoneOf({ metadata: { labels = {} } }: Node): string {
  return ['region', 'zone'].map((part) => labels[`topology.kubernetes.io/${part}`]).join('/');
}

/** Repeats a look at the cluster, also after a look that failed. */
async function repeat(
  { clock, signal, log }: ComponentContext,
  everyMs: number,
  look: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await look().catch((error: unknown) => log(messageOf(error)));
    await clock.sleep(everyMs, signal).catch(() => {});
  }
}

export const nodeLifecycleController: Component = (context) => {
  const watchman = new Watchman(context);
  return repeat(context, LOOK_MS, () => watchman.look());
};

export const taintEvictionController: Component = async (context) => {
  const { clock, informers, signal } = context;
  const [ofNodes, ofPods] = [informers.forResource(nodes), informers.forResource(pods)];
  let wake = (): void => {};
  const handler = { onAdd: () => wake(), onUpdate: () => wake(), onDelete: () => wake() };
  for (const informer of [ofNodes, ofPods]) informer.addEventHandler(handler);
  informers.start();
  await informers.waitForCacheSync();
  const since = new Map<string, number>();
  while (!signal.aborted) {
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let nextMs = Number.POSITIVE_INFINITY;
    const met = new Set<string>();
    for (const pod of ofPods.indexer.list()) {
      const node = ofNodes.indexer.getByKey(pod.spec.nodeName ?? '');
      if (!node || pod.metadata.deletionTimestamp !== undefined || hasEnded(pod)) continue;
      const dueMs = dueAt(pod, node, (id) => {
        met.add(id);
        since.set(id, since.get(id) ?? clock.now());
        return since.get(id) as number;
      });
      if (dueMs > clock.now()) nextMs = Math.min(nextMs, dueMs);
      else if (!(await evict(context, pod))) nextMs = Math.min(nextMs, clock.now() + RETRY_MS);
    }
    for (const id of since.keys()) if (!met.has(id)) since.delete(id);
    const cancel =
      nextMs < Number.POSITIVE_INFINITY ? clock.after(nextMs - clock.now(), () => wake()) : () => {};
    signal.addEventListener('abort', () => wake(), { once: true });
    await woken;
    cancel();
  }
};

const RETRY_MS = 1_000;

/** Returns when the pod must leave; infinite if it may stay. */
function dueAt({ metadata, spec }: Pod, node: Node, sinceMs: (id: string) => number): number {
  const taints = (node.spec.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  return Math.min(
    ...taints.map((taint) => {
      const startMs = sinceMs(`${metadata.uid} ${taint.key} ${taint.timeAdded ?? ''}`);
      const toleration = spec.tolerations?.find((one) => tolerates(one, taint));
      if (!toleration) return startMs;
      const { tolerationSeconds = Number.POSITIVE_INFINITY } = toleration;
      return startMs + Math.max(0, tolerationSeconds) * 1_000;
    }),
  );
}

function tolerates({ key, operator, value, effect }: core.Toleration, taint: core.Taint): boolean {
  if ((key && key !== taint.key) || (effect && effect !== taint.effect)) return false;
  return operator === 'Exists' || (value ?? '') === (taint.value ?? '');
}

/** Evicts a pod. Returns whether nothing is left to do. */
async function evict({ client, clock, log }: ComponentContext, pod: Pod): Promise<boolean> {
  const { uid } = pod.metadata;
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'DeletionByTaintManager',
    message: 'Taint manager: deleting due to NoExecute taint',
    lastTransitionTime: formatTime(clock.now()),
  };
  const body = { metadata: { uid }, status: { conditions: [condition] } };
  try {
    await client.patch(pods, keyOf(pod), { type: 'strategic', body }, { subresource: 'status' });
    await client.delete(pods, keyOf(pod), { preconditions: { uid } });
    return true;
  } catch (error) {
    log(`${pod.metadata.name}: ${messageOf(error)}`);
    return isNotFound(error);
  }
}

export const podGarbageCollector: Component = (context) => {
  const missedMs = new Map<string, number>();
  return repeat(context, 20_000, () => collect(context, missedMs));
};

async function collect(
  { client, clock, log }: ComponentContext,
  missedMs: Map<string, number>,
): Promise<void> {
  const all = new Map((await client.list(nodes)).items.map((node) => [node.metadata.name, node]));
  const some = (await client.list(pods)).items;
  for (const name of missedMs.keys()) if (all.has(name)) missedMs.delete(name);
  for (const pod of some) {
    const { nodeName } = pod.spec;
    const node = all.get(nodeName ?? '');
    const isLeaving = pod.metadata.deletionTimestamp !== undefined;
    let isOrphan = false;
    if (nodeName && !node) {
      missedMs.set(nodeName, missedMs.get(nodeName) ?? clock.now());
      isOrphan = clock.now() - (missedMs.get(nodeName) as number) >= 40_000;
    }
    const isOff =
      node?.spec.taints?.some(({ key }) => key === `${PREFIX}out-of-service`) && readyOf(node) !== 'True';
    if (!isOrphan && !(isLeaving && (!nodeName || isOff))) continue;
    await remove(client, pod, isOrphan, formatTime(clock.now())).catch((error: unknown) =>
      log(messageOf(error)),
    );
  }
}

async function remove(
  client: ComponentContext['client'],
  pod: Pod,
  isOrphan: boolean,
  now: string,
): Promise<void> {
  const { uid } = pod.metadata;
  const why = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'DeletionByPodGC',
    message: 'PodGC: node no longer exists',
    lastTransitionTime: now,
  };
  if (!hasEnded(pod)) {
    const body = {
      metadata: { uid },
      status: { phase: 'Failed', ...(isOrphan ? { conditions: [why] } : {}) },
    };
    await client.patch(pods, keyOf(pod), { type: 'strategic', body }, { subresource: 'status' });
  }
  await client.delete(pods, keyOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } });
}
