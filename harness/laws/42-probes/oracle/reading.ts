import type { Violation } from '../../../testing/holds.ts';
import { type HistoryEntry, type ProbeKey, type ProbesHistory, sayKey } from '../history.ts';
import { nameOf, type PodPlan, PROBE_TYPES } from '../scenario.ts';
import { EventsJudge } from './events.ts';
import { isOf } from './hypothesis.ts';
import { judgeStatus } from './status.ts';
import { WorkerJudge } from './worker.ts';

/** The laws, by their names in laws.ts. */
export type LawName =
  | 'punctual'
  | 'oneAtATime'
  | 'initialDelay'
  | 'startupFirst'
  | 'counts'
  | 'onHold'
  | 'initialResults'
  | 'resets'
  | 'notRunning'
  | 'prompt'
  | 'notifies'
  | 'started'
  | 'ready'
  | 'termination'
  | 'quiet'
  | 'rightTarget'
  | 'timeouts'
  | 'retries'
  | 'emitsEvents'
  | 'redirects'
  | 'grpcHealth'
  | 'spreads'
  | 'staysReady'
  | 'cleansUp';

/** The judgment on one run. */
export interface Reading {
  readonly violations: ReadonlyMap<LawName, readonly Violation[]>;
  /** The laws whose situation occurred. */
  readonly met: ReadonlySet<LawName>;
}

const readings = new WeakMap<ProbesHistory, Reading>();

/** Judges a history, once for all laws. */
export function readingOf(history: ProbesHistory): Reading {
  const known = readings.get(history);
  if (known) return known;
  const reading = new Reader(history).read();
  readings.set(history, reading);
  return reading;
}

/** 2024-04-17, the start of every simulation. */
const EPOCH_MS = Date.UTC(2024, 3, 17);

class Reader {
  readonly #history: ProbesHistory;
  readonly #violations = new Map<LawName, Violation[]>();
  readonly #met = new Set<LawName>();

  constructor(history: ProbesHistory) {
    this.#history = history;
  }

  read(): Reading {
    const { entries, scenario } = this.#history;
    for (const [number, boot] of splitAt(entries).entries()) {
      for (const [i, plan] of scenario.pods.entries()) {
        this.#readPod(boot, { pod: `web-${i}`, plan, isFirst: number === 0 });
      }
      this.#readBeginnings(boot);
    }
    this.#readRest();
    return { violations: this.#violations, met: this.#met };
  }

  /** Checks all entries of one kubelet about one pod. */
  #readPod(
    boot: readonly HistoryEntry[],
    { pod, plan, isFirst }: { readonly pod: string; readonly plan: PodPlan; readonly isFirst: boolean },
  ): void {
    // An answer may come after the crash of the kubelet that sent the call: it does not concern the next kubelet.
    const calls = new Set(boot.flatMap((entry) => (entry.kind === 'call' ? [entry.call] : [])));
    const own = boot.filter(
      (entry) => isAbout(entry, pod) && (entry.kind !== 'answer' || calls.has(entry.call)),
    );
    const addedAt = own.findIndex(({ kind }) => kind === 'add');
    const addedMs = own[addedAt]?.atMs;
    if (addedMs === undefined) return;
    // A kubelet may make a status before it adds the pod. Workers then see it, but cannot be triggered by it.
    const before = own.slice(0, addedAt).findLast((entry) => entry.kind === 'status')?.status;
    const bootMs = EPOCH_MS + (boot[0]?.atMs ?? 0);
    const groups = instantsOf(own.slice(addedAt).filter(({ kind }) => kind !== 'add'));
    for (const [i, container] of plan.containers.entries()) {
      for (const type of PROBE_TYPES) {
        const probe = container.probes[type];
        if (!probe) continue;
        const key = { pod, container: nameOf(container, i), type };
        const { isSidecar } = container;
        const { restartPolicy } = plan;
        const judge = new WorkerJudge(
          { key, plan: probe, isSidecar, restartPolicy, bootMs },
          {
            atMs: addedMs,
            epochMs: EPOCH_MS,
            status: before,
            callsMs: own.flatMap((one) =>
              one.kind === 'call' && !one.isFurther && concerns(one, key) ? [one.atMs] : [],
            ),
            met: (law) => this.#met.add(law),
          },
        );
        const events = new EventsJudge(key);
        for (const [atMs, entries] of groups) {
          while (judge.nextMs < atMs) judge.pass(judge.nextMs, []);
          const concerning = entries.filter((entry) => concerns(entry, key));
          judge.pass(atMs, concerning);
          const problems = events.pass(entries);
          // Late events of a crashed kubelet may come while the next one runs.
          if (!isFirst) continue;
          for (const message of problems) this.#break('emitsEvents', atMs, message);
        }
        if (events.hasMet) this.#met.add('emitsEvents');
        if (judge.verdict) this.#break(judge.verdict.law, judge.verdict.atMs, judge.verdict.message);
      }
    }
    this.#readCalls(own);
    for (const { law, atMs, message } of judgeStatus({
      own,
      plan,
      pod,
      bootMs,
      met: (law) => this.#met.add(law),
    })) {
      this.#break(law, atMs, message);
    }
  }

  /**
   * Checks that workers of one period that a young kubelet starts at once do not all tick first at the same time.
   * Readiness workers do not count, because a status may trigger them.
   */
  #readBeginnings(boot: readonly HistoryEntry[]): void {
    const groups = new Map<string, Map<string, number>>();
    for (const entry of boot) {
      if (entry.kind !== 'update' || entry.type === 'readiness') continue;
      const { pod, containerID, type, atMs } = entry;
      const plan = this.#history.scenario.pods[Number(pod.replace('web-', ''))];
      const [container, probes] =
        plan?.containers
          .map((one, i) => [nameOf(one, i), one.probes] as const)
          .find(([name]) => isOf(containerID, { pod, container: name })) ?? [];
      const periodMs = (probes?.[type]?.periodSeconds ?? 0) * 1_000;
      const addedMs = boot.find((one) => one.kind === 'add' && one.pod === pod)?.atMs;
      if (!container || addedMs === undefined || periodMs === 0 || addedMs - (boot[0]?.atMs ?? 0) >= periodMs)
        continue;
      const group = groups.get(`${addedMs}/${periodMs}`) ?? new Map<string, number>();
      groups.set(`${addedMs}/${periodMs}`, group);
      const key = sayKey({ pod, container, type });
      if (!group.has(key)) group.set(key, atMs);
    }
    for (const [key, group] of groups) {
      const [addedMs = 0, periodMs = 1] = key.split('/').map(Number);
      const [first = 0, ...others] = group.values();
      if (others.length < 2 || others.some((ms) => (ms - first) % periodMs !== 0)) continue;
      this.#break(
        'spreads',
        Math.max(first, ...others),
        `the workers of ${[...group.keys()].join(', ')} were all added at ${addedMs} ms and had their first tick at the same time, ${first} ms; each worker must draw its own delay within its first period (${periodMs / 1_000} s)`,
      );
    }
  }

  /** Checks the targets and the timeouts of calls. */
  #readCalls(own: readonly HistoryEntry[]): void {
    for (const entry of own) {
      if (entry.kind !== 'call') continue;
      const { atMs, key, wire, isFurther } = entry;
      const { asked, owed, timeoutMs, owedTimeoutMs } = wire;
      const way = asked.startsWith('check') ? 'grpcHealth' : isFurther ? 'redirects' : 'rightTarget';
      this.#met.add(way);
      this.#met.add('timeouts');
      if (asked !== owed)
        this.#break(way, atMs, `${sayKey(key)}: the prober called "${asked}"; expected "${owed}"`);
      if (timeoutMs !== owedTimeoutMs) {
        this.#break(
          isFurther ? 'redirects' : 'timeouts',
          atMs,
          `${sayKey(key)}: the prober used a timeout of ${timeoutMs} ms; expected ${owedTimeoutMs} ms (${isFurther ? 'the rest of timeoutSeconds after the requests before the redirect' : 'timeoutSeconds'})`,
        );
      }
    }
  }

  #readRest(): void {
    const rest = this.#history.entries.at(-1);
    for (const [i, entry] of this.#history.entries.entries()) {
      if (entry.kind !== 'stray') continue;
      const before = this.#history.entries[i - 1];
      const why =
        before?.kind === 'answer' && before.reason === 'ProbeWarning'
          ? `after the answer to ${sayKey(before.key)}, a redirect to another host, which must not be followed`
          : 'whose host and port belong to no probe';
      for (const law of ['rightTarget', 'redirects'] as const)
        this.#break(law, entry.atMs, `the prober called "${entry.asked}" ${why}`);
    }
    if (rest?.kind !== 'rest') return;
    this.#met.add('cleansUp');
    const { atMs, timers, known } = rest;
    if (timers > 0)
      this.#break(
        'cleansUp',
        atMs,
        `timers left on the clock: ${timers}; expected 0, because all pods were removed and the signal of the manager was aborted`,
      );
    for (const { type, containerID, result } of known) {
      this.#break(
        'cleansUp',
        atMs,
        `the ${type} result ${result} of ${containerID} is still in the cache, although its pod was removed`,
      );
    }
  }

  #break(law: LawName, atMs: number, message: string): void {
    const violations = this.#violations.get(law) ?? [];
    violations.push({ atMs, message });
    this.#violations.set(law, violations);
  }
}

/** Splits the entries by kubelet. */
function splitAt(entries: readonly HistoryEntry[]): readonly (readonly HistoryEntry[])[] {
  const starts = entries.flatMap(({ kind }, i) => (kind === 'boot' ? [i] : []));
  return starts.map((from, i) => entries.slice(from, starts[i + 1]));
}

function isAbout(entry: HistoryEntry, pod: string): boolean {
  switch (entry.kind) {
    case 'abort':
      return true;
    case 'call':
    case 'answer':
      return entry.key.pod === pod;
    case 'add':
    case 'stop':
    case 'remove':
    case 'left':
    case 'status':
    case 'update':
    case 'event':
      return entry.pod === pod;
    default:
      return false;
  }
}

/** Whether an entry about a pod concerns this probe. */
function concerns(entry: HistoryEntry, key: ProbeKey): boolean {
  switch (entry.kind) {
    case 'call':
    case 'answer':
      return entry.key.container === key.container && entry.key.type === key.type;
    case 'update':
      return entry.type === key.type && isOf(entry.containerID, key);
    case 'event':
      return false;
    default:
      return true;
  }
}

function instantsOf(entries: readonly HistoryEntry[]): ReadonlyMap<number, readonly HistoryEntry[]> {
  const groups = new Map<number, HistoryEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.atMs);
    if (group) group.push(entry);
    else groups.set(entry.atMs, [entry]);
  }
  return groups;
}
