/**
 * Has neither a queue nor a cache, but a table of the waiting pods, and a table of its decisions. It builds a new
 * snapshot for each pod, and reads a pod before it binds it.
 */
import {
  type Component,
  type ComponentContext,
  DeletedFinalStateUnknown,
  framework,
  isNotFound,
  keyOf,
  keyToString,
  namespaces,
  nodes,
  type Pod,
  pods,
  type ResourceEventHandlerRegistration,
  StatusError,
} from '#harness';
import { changesOfNode, changesOfPod, type Happening } from './free-happenings.ts';
import { type Refusal, refusalOf, tell } from './free-telling.ts';

/** A pod that waits for a node. */
interface Waiter {
  readonly pod: Pod;
  readonly sinceMs: number;
  readonly rejections: number;
  readonly errors: number;
  /** The plugins that rejected it; empty after an error or before the first attempt. */
  readonly by: ReadonlySet<string>;
  /** The time from which it can be tried; `Infinity`: only after an event. */
  readonly readyMs: number;
}

class FreeScheduler {
  readonly waiting = new Map<string, Waiter>();
  /** Pods with a node by our decision or by the server's response, while the informer does not show that node yet. */
  readonly decided = new Map<string, Pod>();
  readonly profile: framework.Profile;
  readonly handlers: readonly ResourceEventHandlerRegistration[];
  startIndex = 0;
  binding = 0;
  wake = (): void => {};

  readonly context: ComponentContext;

  constructor(context: ComponentContext) {
    this.context = context;
    this.profile = context.profile();
    const { informers } = context;
    const gone = <T>(last: T | DeletedFinalStateUnknown<T>): T =>
      last instanceof DeletedFinalStateUnknown ? (last.object as T) : last;
    this.handlers = [
      informers.forResource(pods).addEventHandler({
        onAdd: (pod) => this.podIs(undefined, pod),
        onUpdate: (before, pod) => this.podIs(before, pod),
        onDelete: (last) => this.podIs(gone(last), undefined),
      }),
      informers.forResource(nodes).addEventHandler({
        onAdd: (node) => this.happened([[{ resource: 'Node', actionType: 'Add' }, undefined, node]]),
        onUpdate: (before, node) => this.happened(changesOfNode(before, node)),
        onDelete: (last) =>
          this.happened([[{ resource: 'Node', actionType: 'Delete' }, gone(last), undefined]]),
      }),
      informers.forResource(namespaces).addEventHandler({}),
    ];
  }

  get nowMs(): number {
    return this.context.clock.now();
  }

  async run(): Promise<void> {
    const { informers, clock, signal } = this.context;
    informers.start();
    await informers.waitForCacheSync();
    while (!this.handlers.every((handler) => handler.hasSynced())) await clock.sleep(50, signal);
    const unseen = await this.askForAll();
    void this.check(unseen).catch(() => {});
    while (!signal.aborted) {
      const turn = this.binding < 500 ? this.whoseTurn() : undefined;
      if (turn) this.schedule(turn);
      else
        await Promise.race([new Promise<void>((resolve) => (this.wake = resolve)), clock.sleep(500, signal)]);
    }
  }

  /** The informers may not show yet the pods that an earlier run has bound. */
  async askForAll(): Promise<readonly Pod[]> {
    const { client, clock, signal } = this.context;
    for (;;) {
      try {
        const { items } = await client.list(pods, { signal });
        const unseen = items.filter(
          (pod) => pod.spec.nodeName && !ended(pod) && !this.shown(pod)?.spec.nodeName,
        );
        for (const pod of unseen) this.decide(pod);
        return unseen.filter((pod) => !this.shown(pod));
      } catch {
        await clock.sleep(200, signal);
      }
    }
  }

  /** A pod that was deleted before the watch started is never shown, so the server must confirm it. */
  async check(unseen: readonly Pod[]): Promise<void> {
    for (const pod of unseen) {
      for (;;) {
        await this.context.clock.sleep(20_000, this.context.signal);
        if (!this.decided.has(pod.metadata.uid) || this.shown(pod)) break;
        const live = await this.ask(pod);
        if (live && !ended(live)) continue;
        this.undecide(pod);
        break;
      }
    }
  }

  podIs(before: Pod | undefined, now: Pod | undefined): void {
    if (before && now && before.metadata.uid !== now.metadata.uid) {
      this.podIs(before, undefined);
      this.podIs(undefined, now);
      return;
    }
    const pod = now ?? before;
    if (!pod || before?.metadata.resourceVersion === now?.metadata.resourceVersion) return;
    const { uid } = pod.metadata;
    const was = before?.spec.nodeName && !ended(before) ? before : this.decided.get(uid);
    if (!now || ended(now)) {
      this.waiting.delete(uid);
      this.decided.delete(uid);
      if (was) this.happened([[{ resource: 'AssignedPod', actionType: 'Delete' }, was, undefined]]);
    } else if (now.spec.nodeName) {
      this.waiting.delete(uid);
      this.decided.delete(uid);
      if (was && was.spec.nodeName !== now.spec.nodeName)
        this.happened([[{ resource: 'AssignedPod', actionType: 'Delete' }, was, undefined]]);
      if (before?.spec.nodeName) this.happened(changesOfPod(before, now));
      else this.happened([[{ resource: 'AssignedPod', actionType: 'Add' }, undefined, now]]);
    } else if ((now.spec.schedulerName ?? 'default-scheduler') === this.profile.schedulerName) {
      if (!this.decided.has(uid)) this.changed(before, now);
    }
  }

  /** Handles a new or changed pod without a node. */
  changed(before: Pod | undefined, now: Pod): void {
    const known = this.waiting.get(now.metadata.uid);
    const fresh = {
      sinceMs: this.nowMs,
      rejections: 0,
      errors: 0,
      by: new Set<string>(),
      readyMs: this.nowMs,
    };
    const waiter = { ...(known ?? fresh), pod: now };
    this.waiting.set(now.metadata.uid, waiter);
    if (known && before) this.help(waiter, changesOfPod(before, now));
    this.wake();
  }

  happened(happenings: readonly Happening[]): void {
    for (const waiter of [...this.waiting.values()]) this.help(waiter, happenings);
    this.wake();
  }

  /** Makes a pod ready for another attempt if one of these events could help it. */
  help(waiter: Waiter, happenings: readonly Happening[]): void {
    if (waiter.readyMs !== Number.POSITIVE_INFINITY) return;
    const plugins = this.plugins().filter(({ name }) => waiter.by.has(name));
    const helps = happenings.some(([event, before, after]) =>
      plugins.some((plugin) =>
        plugin.eventsToRegister().some(({ event: registered, queueingHintFn }) => {
          if (!framework.matches(registered, event)) return false;
          try {
            return (queueingHintFn?.(waiter.pod, before, after) ?? 'Queue') === 'Queue';
          } catch {
            return true;
          }
        }),
      ),
    );
    if (helps) this.waiting.set(waiter.pod.metadata.uid, { ...waiter, readyMs: backoffEnds(waiter) });
  }

  plugins(): readonly Pick<framework.FilterPlugin, 'name' | 'eventsToRegister'>[] {
    const everything = { event: { resource: '*', actionType: 'All' } } as const;
    const { filtering, reserve } = this.profile;
    return [
      ...filtering.plugins,
      ...reserve.map(({ name }) => ({ name, eventsToRegister: () => [everything] })),
    ];
  }

  whoseTurn(): Waiter | undefined {
    const [first] = [...this.waiting.values()]
      .filter(({ pod, readyMs, sinceMs }) => {
        const isGated = (pod.spec.schedulingGates ?? []).length > 0;
        return !isGated && (readyMs < this.nowMs || readyMs === sinceMs || this.nowMs - sinceMs > 300_000);
      })
      .sort((a, b) => priorityOf(b) - priorityOf(a) || a.sinceMs - b.sinceMs);
    return first;
  }

  schedule(waiter: Waiter): void {
    const { pod } = waiter;
    this.waiting.delete(pod.metadata.uid);
    if (pod.metadata.deletionTimestamp) return;
    const state = new framework.CycleState();
    let placed: Pod;
    try {
      placed = this.decide(this.choose(pod, state));
    } catch (thrown) {
      void this.failed(waiter, thrown).catch(() => {});
      return;
    }
    this.binding += 1;
    void this.bind(waiter, placed, state)
      .catch((error) => this.context.signal.aborted || this.context.log(String(error)))
      .finally(() => {
        this.binding -= 1;
        this.wake();
      });
  }

  /** Returns the pod with the best node for it, and reserves its resources there. */
  choose(pod: Pod, state: framework.CycleState): Pod {
    const { filtering, scoring, reserve } = this.profile;
    const snapshot = this.picture();
    const all = snapshot.nodeInfos.length;
    if (all === 0) throw { message: 'no nodes available to schedule pods', isOfPod: true, by: new Set() };
    const request = { plugins: filtering.plugins, state, pod, snapshot, startIndex: this.startIndex };
    const { feasible, diagnosis, nextStartIndex } = filtering.findNodesThatFit(request);
    this.startIndex = nextStartIndex;
    const no = (total: number, why: framework.Diagnosis): Refusal => ({
      message: filtering.fitErrorMessage(total, why),
      isOfPod: true,
      by: why.unschedulablePlugins,
    });
    if (feasible.length === 0) throw no(all, diagnosis);
    const scores = scoring.prioritizeNodes({ plugins: scoring.plugins, state, pod, feasible, snapshot });
    const nodeName = scoring.selectHost(scores, this.context.random);
    const placed = { ...pod, spec: { ...pod.spec, nodeName } };
    for (const plugin of reserve) {
      let status: framework.Status;
      try {
        status = plugin.reserve(state, placed, nodeName);
      } catch (error) {
        this.unreserve(placed, state);
        throw error;
      }
      if (status.code === 'Success') continue;
      this.unreserve(placed, state);
      const nodeToStatus = new Map([[nodeName, status]]);
      throw no(1, { nodeToStatus, unschedulablePlugins: new Set([plugin.name]), preFilterMsg: '' });
    }
    return placed;
  }

  unreserve(placed: Pod, state: framework.CycleState): void {
    for (const plugin of [...this.profile.reserve].reverse())
      plugin.unreserve(state, placed, placed.spec.nodeName ?? '');
  }

  /** Returns all nodes, with their pods according to the informer and to its own decisions. */
  picture(): framework.Snapshot {
    const { informers } = this.context;
    const seen = informers
      .forResource(pods)
      .indexer.list()
      .filter(({ spec }) => spec.nodeName);
    const there = [...seen.filter((pod) => !this.decided.has(pod.metadata.uid)), ...this.decided.values()];
    const labels = informers
      .forResource(namespaces)
      .indexer.list()
      .map(({ metadata }) => [metadata.name, metadata.labels ?? {}] as const);
    const infos = informers
      .forResource(nodes)
      .indexer.list()
      .map((node) =>
        framework.NodeInfo.of(
          node,
          there.filter((pod) => pod.spec.nodeName === node.metadata.name && !ended(pod)),
        ),
      );
    return new framework.Snapshot(infos, { namespaces: new Map(labels) });
  }

  async bind(waiter: Waiter, placed: Pod, state: framework.CycleState): Promise<void> {
    const { client, recorder, signal } = this.context;
    const { nodeName = '' } = placed.spec;
    const { uid, namespace, name } = placed.metadata;
    let live: Pod | undefined = placed;
    let failure: unknown;
    try {
      await this.bindWithPlugins(placed, state, async () => {
        await client.get(pods, keyOf(placed), { signal }).catch(() => {});
        await client.bind(keyOf(placed), nodeName, { uid });
      });
    } catch (error) {
      failure = error;
      live = await this.ask(placed);
    }
    if (signal.aborted) return;
    if (live?.spec.nodeName === nodeName) {
      recorder.event(
        placed,
        'Normal',
        'Scheduled',
        `Successfully assigned ${namespace}/${name} to ${nodeName}`,
      );
      return;
    }
    this.unreserve(placed, state);
    this.undecide(placed);
    if (live?.spec.nodeName && !ended(live) && this.shown(live) && !this.shown(live)?.spec.nodeName)
      this.decide(live);
    else if (live && !live.spec.nodeName) await this.failed(waiter, failure);
  }

  async bindWithPlugins(placed: Pod, state: framework.CycleState, last: () => Promise<void>): Promise<void> {
    for (const plugin of this.profile.bind) {
      const status = await plugin.bind(state, placed, placed.spec.nodeName ?? '');
      if (status.code === 'Success') return;
      if (status.code !== 'Skip') throw new Error(status.reasons.join(', '));
    }
    await last();
  }

  /** Returns the live pod; `undefined` if it was deleted. */
  async ask(pod: Pod): Promise<Pod | undefined> {
    const { client, clock, signal } = this.context;
    for (;;) {
      try {
        const live = await client.get(pods, keyOf(pod), { signal });
        return live.metadata.uid === pod.metadata.uid ? live : undefined;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        await clock.sleep(error instanceof StatusError ? 400 : 300, signal);
      }
    }
  }

  async failed(waiter: Waiter, thrown: unknown): Promise<void> {
    const pod = this.shown(waiter.pod);
    if (!pod || pod.spec.nodeName || ended(pod) || this.context.signal.aborted) return;
    const refusal = refusalOf(thrown);
    const isRejected = refusal.by.size > 0;
    const again = {
      pod,
      sinceMs: this.nowMs,
      rejections: waiter.rejections + Number(isRejected),
      errors: isRejected ? 0 : waiter.errors + 1,
      by: refusal.by,
    };
    const readyMs = isRejected ? Number.POSITIVE_INFINITY : backoffEnds(again);
    this.waiting.set(pod.metadata.uid, { ...again, readyMs });
    await tell(this.context, pod, refusal);
  }

  decide(placed: Pod): Pod {
    this.waiting.delete(placed.metadata.uid);
    this.decided.set(placed.metadata.uid, placed);
    return placed;
  }

  undecide(placed: Pod): void {
    if (this.decided.delete(placed.metadata.uid))
      this.happened([[{ resource: 'AssignedPod', actionType: 'Delete' }, placed, undefined]]);
  }

  /** Returns the pod from the informer. */
  shown({ metadata: { uid, namespace = '', name } }: Pod): Pod | undefined {
    const found = this.context.informers.forResource(pods).indexer.getByKey(keyToString({ namespace, name }));
    return found?.metadata.uid === uid ? found : undefined;
  }
}

function backoffEnds({
  sinceMs,
  errors,
  rejections,
}: Pick<Waiter, 'sinceMs' | 'errors' | 'rejections'>): number {
  const count = errors > 0 ? errors : rejections;
  return sinceMs + Math.min(1_000 * 2 ** (Math.min(count, 9) - 1), 10_000);
}

const priorityOf = ({ pod }: Waiter): number => pod.spec.priority ?? 0;

function ended({ status }: Pod): boolean {
  return ['Succeeded', 'Failed'].includes(status.phase ?? '');
}

export const scheduler: Component = async (context) => {
  try {
    await new FreeScheduler(context).run();
  } catch (error) {
    if (!context.signal.aborted) throw error;
  }
};
