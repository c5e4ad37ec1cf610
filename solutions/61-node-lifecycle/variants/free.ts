/**
 * The controllers of failing nodes in another design: they use none of the given parts. The lifecycle controller has a
 * single loop, which wakes up when a node changes, when a token is due, and every five seconds. It writes all taints of a
 * node at once. The eviction controller has a timer for each pod.
 */
import {
  type Component,
  type ComponentContext,
  type core,
  deepEqual,
  formatTime,
  hasEnded,
  isNotFound,
  keyOf,
  leases,
  type Node,
  nodes,
  type Pod,
  pods,
  type SharedInformer,
} from '#harness';

const PASS_MS = 5_000;
const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const SEVERE: Readonly<Record<string, string>> = { False: NOT_READY, Unknown: UNREACHABLE };
const PRESSURES: Readonly<Record<string, string>> = {
  MemoryPressure: 'node.kubernetes.io/memory-pressure',
  DiskPressure: 'node.kubernetes.io/disk-pressure',
  PIDPressure: 'node.kubernetes.io/pid-pressure',
  NetworkUnavailable: 'node.kubernetes.io/network-unavailable',
};
const CORDON = 'node.kubernetes.io/unschedulable';
const OWN = [NOT_READY, UNREACHABLE, ...Object.values(PRESSURES), CORDON];

const statusOf = (node: Node, type: string): string | undefined =>
  node.status.conditions?.find((condition) => condition.type === type)?.status;

/** A sign of life, as text, and when it was first seen. */
interface Sign {
  readonly text: string;
  sinceMs: number;
}

class Watcher {
  readonly context: ComponentContext;
  readonly nodes: SharedInformer<Node>;
  readonly pods: SharedInformer<Pod>;
  readonly signs = new Map<string, Sign>();
  /** When each zone may taint its next node, and its rate. */
  readonly tokens = new Map<string, { nextMs: number; perSecond: number }>();
  isBlind = false;
  #wake: () => void = () => {};
  #isDirty = false;

  constructor(context: ComponentContext) {
    this.context = context;
    this.nodes = context.informers.forResource(nodes);
    this.pods = context.informers.forResource(pods, { on: ({ spec }) => [spec.nodeName ?? ''] });
    const wake = (): void => {
      this.#isDirty = true;
      this.#wake();
    };
    this.nodes.addEventHandler({ onAdd: wake, onUpdate: wake });
  }

  async run(): Promise<void> {
    const { clock, informers, signal, log } = this.context;
    const lease = informers.forResource(leases);
    informers.start();
    await informers.waitForCacheSync();
    for (let passMs = clock.now(); !signal.aborted; ) {
      this.#isDirty = false;
      const isPass = clock.now() >= passMs;
      if (isPass) passMs = clock.now() + PASS_MS;
      let hasFailed = false;
      const tried = async (work: () => Promise<void>): Promise<void> => {
        try {
          await work();
        } catch (error) {
          hasFailed = true;
          log(String(error));
        }
      };
      const renewals = new Map(
        lease.indexer.list().map((each) => [each.metadata.name, each.spec?.renewTime]),
      );
      if (isPass) {
        for (const node of this.nodes.indexer.list()) {
          await tried(() => this.#verdict(node, renewals.get(node.metadata.name)));
        }
        this.#lookAround();
      }
      for (const node of this.nodes.indexer.list()) await tried(() => this.#taint(node));
      for (const pod of this.#lostPods()) await tried(() => this.#mark(pod));
      if (hasFailed) passMs = Math.min(passMs, clock.now() + 100);
      await this.#rest(passMs);
    }
  }

  /** Sleeps until this time, the next token that somebody waits for, or a change. */
  async #rest(untilMs: number): Promise<void> {
    const { clock, signal } = this.context;
    const waiting = this.nodes.indexer.list().filter((node) => this.#isWaiting(node));
    const tokens = waiting.map((node) => this.#tokenOf(node)).filter(({ perSecond }) => perSecond > 0);
    const wakeMs = Math.min(untilMs, ...tokens.map(({ nextMs }) => nextMs));
    if (this.#isDirty || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
      clock.after(Math.max(1, Math.ceil(wakeMs - clock.now())), resolve);
    });
  }

  async #verdict(node: Node, renewTime: string | undefined): Promise<void> {
    const { clock, client } = this.context;
    const ready = node.status.conditions?.find(({ type }) => type === 'Ready');
    const { uid, creationTimestamp } = node.metadata;
    const old = this.signs.get(uid);
    const renewal = renewTime ?? old?.text.split('|')[1] ?? '';
    const text = `${ready ? `R${ready.lastHeartbeatTime}` : ''}|${renewal}`;
    const nowMs = clock.now();
    if (old?.text !== text) {
      const sinceMs = !old && text === '|' ? Date.parse(creationTimestamp) : nowMs;
      this.signs.set(uid, { text, sinceMs });
    }
    const silentMs = nowMs - (this.signs.get(uid)?.sinceMs ?? nowMs);
    if (silentMs <= (ready ? 50_000 : 60_000) || ready?.status === 'Unknown') return;
    const conditions = new Map((node.status.conditions ?? []).map((each) => [each.type, each]));
    for (const type of ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']) {
      const known = conditions.get(type);
      if (known?.status === 'Unknown') continue;
      conditions.set(type, {
        type,
        status: 'Unknown',
        reason: known ? 'NodeStatusUnknown' : 'NodeStatusNeverUpdated',
        message: `Kubelet ${known ? 'stopped posting' : 'never posted'} node status.`,
        lastHeartbeatTime: known ? (known.lastHeartbeatTime ?? creationTimestamp) : creationTimestamp,
        lastTransitionTime: formatTime(nowMs),
      });
    }
    const status = { ...node.status, conditions: [...conditions.values()] };
    await client.updateStatus(nodes, { ...node, status });
  }

  /** Finds out which zones are in trouble, from the states in the cache. */
  #lookAround(): void {
    const { clock } = this.context;
    const zones = new Map<string, string[]>();
    for (const node of this.nodes.indexer.list()) {
      if (node.metadata.labels?.['node.kubernetes.io/exclude-disruption'] !== undefined) continue;
      const zone = zoneOf(node);
      zones.set(zone, [...(zones.get(zone) ?? []), statusOf(node, 'Ready') ?? '']);
    }
    if (zones.size === 0) return;
    const isBlind = [...zones.values()].every((all) => !all.includes('True'));
    if (this.isBlind && !isBlind) for (const sign of this.signs.values()) sign.sinceMs = clock.now();
    this.isBlind = isBlind;
    for (const [zone, all] of zones) {
      const down = all.filter((status) => status !== 'True').length;
      const isPartial = down < all.length && down > 2 && down / all.length >= 0.55;
      this.#setRate(zone, isBlind ? 0 : !isPartial ? 0.1 : all.length > 50 ? 0.01 : 0);
    }
  }

  #setRate(zone: string, perSecond: number): void {
    const nowMs = this.context.clock.now();
    const old = this.tokens.get(zone) ?? { nextMs: nowMs, perSecond: 0.1 };
    if (old.perSecond === perSecond) return void this.tokens.set(zone, old);
    const isEmpty = old.perSecond === 0 || old.nextMs > nowMs;
    this.tokens.set(zone, { perSecond, nextMs: nowMs + (isEmpty && perSecond > 0 ? 1_000 / perSecond : 0) });
  }

  #tokenOf(node: Node): { nextMs: number; perSecond: number } {
    return this.tokens.get(zoneOf(node)) ?? { nextMs: 0, perSecond: 0 };
  }

  #isWaiting(node: Node): boolean {
    const has =
      node.spec.taints?.some(({ key, effect }) => effect === 'NoExecute' && key in REVERSE) ?? false;
    return !this.isBlind && !has && (statusOf(node, 'Ready') ?? 'True') !== 'True';
  }

  /** Writes all taints of a node in one patch, which fails if the node has changed. */
  async #taint(node: Node): Promise<void> {
    const { clock, client } = this.context;
    const ready = statusOf(node, 'Ready') ?? 'True';
    const keys = Object.entries(PRESSURES).flatMap(([type, key]) =>
      statusOf(node, type) === 'True' ? [key] : [],
    );
    if (SEVERE[ready]) keys.push(SEVERE[ready]);
    if (node.spec.unschedulable) keys.push(CORDON);
    const wanted: core.Taint[] = keys.map((key) => ({ key, effect: 'NoSchedule' }));
    const token = this.#tokenOf(node);
    const isTurn = token.perSecond > 0 && token.nextMs <= clock.now();
    const waits = this.#isWaiting(node);
    if (SEVERE[ready] && !this.isBlind && (!waits || isTurn))
      wanted.push({ key: SEVERE[ready], effect: 'NoExecute' });
    const old = node.spec.taints ?? [];
    const isOwn = ({ key, effect }: core.Taint): boolean =>
      effect === 'NoSchedule' ? OWN.includes(key) : effect === 'NoExecute' && key in REVERSE;
    const is = (a: core.Taint, b: core.Taint): boolean => a.key === b.key && a.effect === b.effect;
    const kept = old.filter((taint) => !isOwn(taint) || wanted.some((each) => is(each, taint)));
    const added = wanted.filter((taint) => !old.some((each) => is(each, taint)));
    if (added.length === 0 && kept.length === old.length) return;
    if (waits && isTurn) token.nextMs = clock.now() + 1_000 / token.perSecond;
    const timeAdded = formatTime(clock.now());
    const { name, uid, resourceVersion } = node.metadata;
    const taints = [...kept, ...added.map((taint) => ({ ...taint, timeAdded }))];
    const body = { metadata: { uid, resourceVersion }, spec: { taints } };
    await client.patch(nodes, { name }, { type: 'merge', body });
  }

  #lostPods(): readonly Pod[] {
    const lost = this.nodes.indexer.list().filter((node) => statusOf(node, 'Ready') === 'Unknown');
    return lost
      .flatMap(({ metadata }) => this.pods.indexer.byIndex('on', metadata.name))
      .filter(({ status }) =>
        status.conditions?.some(({ type, status: is }) => type === 'Ready' && is !== 'False'),
      );
  }

  async #mark(pod: Pod): Promise<void> {
    const { client, clock, recorder } = this.context;
    const { uid, resourceVersion } = pod.metadata;
    const condition = { type: 'Ready', status: 'False', lastTransitionTime: formatTime(clock.now()) };
    const body = { metadata: { uid, resourceVersion }, status: { conditions: [condition] } };
    await client.patch(pods, keyOf(pod), { type: 'strategic', body }, { subresource: 'status' });
    recorder.event(pod, 'Warning', 'NodeNotReady', 'Node is not ready');
  }
}

const REVERSE: Readonly<Record<string, true>> = { [NOT_READY]: true, [UNREACHABLE]: true };

function zoneOf({ metadata: { labels = {} } }: Node): string {
  return JSON.stringify([labels['topology.kubernetes.io/region'], labels['topology.kubernetes.io/zone']]);
}

export const nodeLifecycleController: Component = (context) => new Watcher(context).run();

/** A pod on a node: when it was first seen there, and its next decision. */
interface Guest {
  readonly sinceMs: number;
  cancel: () => void;
}

export const taintEvictionController: Component = async (context) => {
  const { informers, clock, client, signal, log } = context;
  const nodeInformer = informers.forResource(nodes);
  const podInformer = informers.forResource(pods, { on: ({ spec }) => [spec.nodeName ?? ''] });
  const guests = new Map<string, Guest>();
  const taints = new Map<string, Map<string, { readonly taint: core.Taint; readonly sinceMs: number }>>();

  const leaveMs = (pod: Pod, sinceMs: number): number => {
    const times = [...(taints.get(pod.spec.nodeName ?? '')?.values() ?? [])].map((each) => {
      const found = pod.spec.tolerations?.find((toleration) => tolerates(toleration, each.taint));
      const seconds = found ? (found.tolerationSeconds ?? Number.POSITIVE_INFINITY) : 0;
      return Math.max(sinceMs, each.sinceMs) + Math.max(0, seconds) * 1_000;
    });
    return Math.min(...times);
  };
  const evict = async (pod: Pod): Promise<void> => {
    const { uid } = pod.metadata;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
      lastTransitionTime: formatTime(clock.now()),
    };
    const body = { metadata: { uid }, status: { conditions: [condition] } };
    await client.patch(pods, keyOf(pod), { type: 'strategic', body }, { subresource: 'status' });
    await client.delete(pods, keyOf(pod), { preconditions: { uid } });
  };
  const decide = (uid: string, key: string): void => {
    const guest = guests.get(uid);
    const pod = podInformer.indexer.getByKey(key);
    guest?.cancel();
    if (!guest || pod?.metadata.uid !== uid || pod.metadata.deletionTimestamp !== undefined || signal.aborted)
      return;
    const atMs = leaveMs(pod, guest.sinceMs);
    if (!Number.isFinite(atMs)) return;
    const waitMs = atMs - clock.now();
    if (waitMs > 0) {
      guest.cancel = clock.after(waitMs, () => decide(uid, key));
      return;
    }
    guest.cancel = clock.after(10_000, () => decide(uid, key));
    evict(pod).catch((error: unknown) => {
      if (isNotFound(error)) return;
      log(String(error));
      guest.cancel();
      guest.cancel = clock.after(500, () => decide(uid, key));
    });
  };
  const keyText = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;
  const seen = (pod: Pod): void => {
    const { uid } = pod.metadata;
    if (!pod.spec.nodeName) return;
    if (!guests.has(uid)) guests.set(uid, { sinceMs: clock.now(), cancel: () => {} });
    decide(uid, keyText(pod));
  };
  const gone = (uid: string): void => {
    guests.get(uid)?.cancel();
    guests.delete(uid);
  };
  const noticed = (name: string, found: readonly core.Taint[] = []): void => {
    const old = taints.get(name);
    const entries = found
      .filter(({ effect }) => effect === 'NoExecute')
      .map(
        (taint) =>
          [
            JSON.stringify(taint),
            old?.get(JSON.stringify(taint)) ?? { taint, sinceMs: clock.now() },
          ] as const,
      );
    taints.set(name, new Map(entries));
    for (const pod of podInformer.indexer.byIndex('on', name)) seen(pod);
  };
  nodeInformer.addEventHandler({
    onAdd: ({ metadata, spec }) => noticed(metadata.name, spec.taints),
    onUpdate: (old, { metadata, spec }) => {
      if (!deepEqual(old.spec.taints, spec.taints)) noticed(metadata.name, spec.taints);
    },
    onDelete: (last) => noticed(('object' in last ? last.object : last).metadata.name),
  });
  podInformer.addEventHandler({
    onAdd: seen,
    onUpdate: (old, pod) => {
      if (old.metadata.uid !== pod.metadata.uid) gone(old.metadata.uid);
      const isSame = old.metadata.uid === pod.metadata.uid && old.spec.nodeName === pod.spec.nodeName;
      if (!isSame || !deepEqual(old.spec.tolerations, pod.spec.tolerations)) seen(pod);
    },
    onDelete: (last) => gone(('object' in last ? last.object : last).metadata.uid),
  });
  informers.start();
  await informers.waitForCacheSync();
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
};

function tolerates(toleration: core.Toleration, taint: core.Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  return toleration.operator === 'Exists' || (toleration.value ?? '') === (taint.value ?? '');
}

/** Looks at every pod every 20 seconds. A node counts as deleted once three looks in a row have missed it. */
export const podGarbageCollector: Component = async ({ client, clock, informers, signal, log }) => {
  const nodeInformer = informers.forResource(nodes);
  const podInformer = informers.forResource(pods);
  const missedMs = new Map<string, number>();
  informers.start();
  await informers.waitForCacheSync();
  const isLost = async (name: string): Promise<boolean> => {
    if (nodeInformer.indexer.getByKey(name)) return !missedMs.delete(name) && false;
    const sinceMs = missedMs.get(name) ?? clock.now();
    missedMs.set(name, sinceMs);
    if (clock.now() - sinceMs < 40_000) return false;
    return client.get(nodes, { name }).then(
      () => false,
      (error: unknown) => isNotFound(error),
    );
  };
  const remove = async (pod: Pod, conditions: object[]): Promise<void> => {
    const { uid } = pod.metadata;
    if (!hasEnded(pod)) {
      const body = { metadata: { uid }, status: { phase: 'Failed', conditions } };
      await client.patch(pods, keyOf(pod), { type: 'strategic', body }, { subresource: 'status' });
    }
    await client.delete(pods, keyOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } });
  };
  while (!signal.aborted) {
    const all = podInformer.indexer.list();
    const lost = new Map<string, boolean>();
    for (const name of new Set(all.map(({ spec }) => spec.nodeName ?? '')))
      if (name) lost.set(name, await isLost(name));
    for (const pod of all) {
      const { nodeName = '' } = pod.spec;
      const node = nodeInformer.indexer.getByKey(nodeName);
      const isOff = node?.spec.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service');
      const isStuck = nodeName === '' || (isOff && node && statusOf(node, 'Ready') !== 'True');
      const reason = { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByPodGC' };
      const lastTransitionTime = formatTime(clock.now());
      const orphan = { ...reason, message: 'PodGC: node no longer exists', lastTransitionTime };
      const isOrphan = lost.get(nodeName) ?? false;
      if (!isOrphan && !(isStuck && pod.metadata.deletionTimestamp !== undefined)) continue;
      await remove(pod, isOrphan ? [orphan] : []).catch((error: unknown) => log(String(error)));
    }
    await clock.sleep(20_000, signal).catch(() => {});
  }
};
