import { errors } from '../api/status.ts';
import { ConnectionError } from '../contracts/connection-error.ts';
import type { Effect, Interference, Simulation } from '../sim/index.ts';
import { callFailureOf, failureOf } from './failure.ts';
import type { Fault, Refusal, ScheduledFault } from './fault.ts';
import type { FaultTargets, ProcessTarget } from './targets.ts';

/** The apiserver's timeout of a request. Upstream: kube-apiserver --request-timeout */
const REQUEST_TIMEOUT_MS = 60_000;
/**
 * A client's timeout for an address that does not answer.
 *
 * Upstream: kubernetes/client-go@v0.36.3 transport/cache.go get
 */
const DIAL_TIMEOUT_MS = 30_000;
/**
 * A client's timeout for a connection without any data, not even an answer to a ping. Upstream:
 * kubernetes/apimachinery@v0.36.3 pkg/util/net/http.go readIdleTimeoutSeconds, pingTimeoutSeconds
 */
const DEAD_CONNECTION_MS = 45_000;

/** The end of a lasting fault. */
interface Ending {
  /** Whether {@link Nemesis.heal} ended it early. */
  readonly isHealed: boolean;
}

/** A fault that has struck. */
export interface StruckFault {
  readonly fault: Fault;
  readonly atMs: number;
  /** The time when it ends by itself. Absent for a momentary fault, and for a fault that waits for a call. */
  readonly untilMs?: number;
  /**
   * The time when it ended, or when its last call was made. Absent while it lasts, and for a dead node and a wrong
   * clock.
   */
  endedMs?: number;
}

/** The faults that wait for the next calls of a process. */
interface Ambush {
  refusals: Waiting<'refuse', { left: number }>[];
  timeouts: Waiting<'time-out'>[];
  crash: Waiting<'crash', { skip: number }> | undefined;
  failures: Waiting<'fail-call'>[];
  partitions: number;
}

/** A fault that waits, and its record. */
type Waiting<F extends Fault['fault'], More = unknown> = Extract<Fault, { fault: F }> & {
  readonly struck: StruckFault;
} & More;

/**
 * The fault injector. It strikes at given times and makes recovery possible: after {@link heal} no event is held back,
 * no request is refused, and every process with a pending restart runs.
 *
 * Differs: a real cluster has more faults, such as drifting clocks, damaged disks, and requests that arrive in
 * part. Only servers without a watch cache once answered a list without a version with `Expired`.
 */
export class Nemesis {
  readonly #sim: Simulation;
  readonly #targets: FaultTargets;
  readonly #ambushes = new Map<string, Ambush>();
  /** The functions that end the lasting faults, the oldest fault first. */
  readonly #lasting = new Set<(how: Ending) => void>();
  /** The functions that cancel the pending restart of a process. */
  readonly #restarts = new Map<string, () => void>();
  readonly #scheduled: (() => void)[] = [];
  readonly #struck: StruckFault[] = [];
  #lastErrorMs = 0;

  constructor(sim: Simulation, targets: FaultTargets) {
    this.#sim = sim;
    this.#targets = targets;
  }

  /** Schedules faults, each at its time. */
  schedule(faults: readonly ScheduledFault[]): void {
    for (const fault of faults) {
      const afterMs = Math.max(0, fault.atMs - this.#sim.elapsedMs);
      this.#scheduled.push(this.#sim.schedule(afterMs, 'nemesis', fault.fault, () => this.strike(fault)));
    }
  }

  /** Every fault that has struck an existing target, oldest first. */
  get struck(): readonly StruckFault[] {
    return this.#struck;
  }

  /** Injects a fault now. A fault without an existing target has no effect except a record in the trace. */
  strike(fault: Fault): void {
    const { fault: verb, ...note } = fault;
    const struck: StruckFault = { fault, atMs: this.#sim.elapsedMs, ...untilOf(fault, this.#sim.elapsedMs) };
    const isStruck = this.#strike(fault, struck);
    if (isStruck) this.#struck.push(struck);
    this.#sim.trace.record({
      actor: 'nemesis',
      verb,
      note: JSON.stringify({ ...note, atMs: undefined }),
      ...(isStruck ? {} : { outcome: 'no such target' }),
    });
  }

  /**
   * Ends every lasting fault, drops every waiting fault, and restarts crashed processes. A process restarts only after
   * its last request has arrived. Permanent effects stay: a dead node stays dead, a wrong clock stays wrong. A call
   * with a pending error still gets it, at {@link Nemesis.lastErrorMs} at the latest.
   */
  heal(): void {
    for (const cancel of this.#scheduled.splice(0)) cancel();
    for (const end of [...this.#lasting]) end({ isHealed: true });
    for (const { refusals, timeouts, crash, failures } of this.#ambushes.values()) {
      for (const { struck } of [...refusals, ...timeouts, ...(crash ? [crash] : []), ...failures])
        this.#end(struck);
    }
    this.#ambushes.clear();
    this.#sim.trace.record({ actor: 'nemesis', verb: 'heal' });
  }

  /**
   * The due time of the last injected error, in virtual ms since the start of the simulation, without its latency; 0 if
   * there was none. A call that hangs until its timeout is still disturbed after a {@link heal}.
   */
  get lastErrorMs(): number {
    return this.#lastErrorMs;
  }

  /** Returns the interference with the calls of a process. */
  interference(process: string): Interference {
    return (call) => {
      const ambush = this.#ambushes.get(process);
      const effect: Effect = ambush ? this.#spring(process, ambush, call) : { kind: 'pass' };
      if (effect.kind === 'fail') {
        this.#lastErrorMs = Math.max(this.#lastErrorMs, this.#sim.elapsedMs + (effect.afterMs ?? 0));
      }
      return effect;
    };
  }

  #strike(fault: Fault, struck: StruckFault): boolean {
    switch (fault.fault) {
      case 'compact':
        this.#targets.compact();
        this.#end(struck);
        return true;
      case 'lag': {
        const replica = this.#targets.replicas[fault.replica];
        if (!replica) return false;
        replica.hold();
        this.#last(fault.forMs, () => replica.release(), struck);
        return true;
      }
      case 'restart-apiserver': {
        const replica = this.#targets.replicas[fault.replica];
        if (!replica) return false;
        replica.goDown();
        this.#last(fault.forMs, () => replica.comeBack(), struck);
        return true;
      }
      case 'partition': {
        const join = this.#targets.cutOff?.(fault.node);
        if (join) this.#last(fault.forMs, join, struck);
        return this.#each(this.#targets.processesOn(fault.node), (process) =>
          this.#partition(process, fault.forMs, struck),
        );
      }
      case 'node-death': {
        const anyRan = this.#each(this.#targets.processesOn(fault.node), (process) => this.#kill(process));
        return this.#targets.powerOff(fault.node) || anyRan;
      }
      case 'clock-jump':
        return this.#each(this.#targets.processesOn(fault.node), (process) => process.skewClock(fault.byMs));
      default: {
        const process = this.#targets.process(fault.process);
        if (process) this.#strikeProcess(process, fault, struck);
        return process !== undefined;
      }
    }
  }

  #strikeProcess(
    process: ProcessTarget,
    fault: Extract<Fault, { process: string }>,
    struck: StruckFault,
  ): void {
    const ambush = this.#ambushOf(process.name);
    switch (fault.fault) {
      case 'cut-watches':
        process.cutWatches();
        this.#end(struck);
        return;
      case 'delay-watches':
        this.#last(fault.forMs, process.holdWatches(fault.resource), struck);
        return;
      case 'fail-watches':
        process.failWatches(failureOf(fault.reason).status);
        this.#end(struck);
        return;
      case 'refuse':
        ambush.refusals.push({ ...fault, left: fault.requests, struck });
        return;
      case 'time-out':
        ambush.timeouts.push({ ...fault, struck });
        return;
      case 'fail-call':
        ambush.failures.push({ ...fault, struck });
        return;
      case 'crash':
        // A process crashes only once: a second crash is ignored while one is pending.
        if (ambush.crash) this.#end(struck);
        else ambush.crash = { ...fault, struck };
    }
  }

  /** Applies the waiting faults to one call of a process. */
  #spring(process: string, ambush: Ambush, call: Parameters<Interference>[0]): Effect {
    const { port, mutates } = call;
    if (ambush.crash && ambush.crash.skip-- === 0) {
      // On a partitioned node the last request of a process does not arrive either.
      const arrives = port !== 'api' || ambush.partitions === 0;
      return this.#crash(process, ambush, { ...ambush.crash, performed: arrives && ambush.crash.performed });
    }
    if (port !== 'api') {
      const failure = taken(ambush.failures, (each) => each.port === port && isOf(each, call));
      if (!failure) return { kind: 'pass' };
      this.#end(failure.struck);
      const { performed, afterMs = 0 } = failure;
      return { kind: 'fail', error: callFailureOf(failure.port), performed, afterMs };
    }
    if (ambush.partitions > 0) {
      const error = new ConnectionError('ETIMEDOUT', 'dial tcp: i/o timeout');
      return { kind: 'fail', error, performed: false, afterMs: DIAL_TIMEOUT_MS };
    }
    const refusal = ambush.refusals.find(
      (each) => each.left > 0 && isOf(each, call) && canRefuse(each.reason, call),
    );
    if (refusal) {
      refusal.left--;
      if (refusal.left === 0) this.#end(refusal.struck);
      return { kind: 'fail', error: failureOf(refusal.reason, call.object), performed: false };
    }
    const timeout = taken(ambush.timeouts, (each) => isOf(each, call));
    if (!timeout) return { kind: 'pass' };
    this.#end(timeout.struck);
    const error = errors.timeout('request did not complete within requested timeout');
    return { kind: 'fail', error, performed: mutates && timeout.performed, afterMs: REQUEST_TIMEOUT_MS };
  }

  #crash(
    name: string,
    ambush: Ambush,
    { performed, restartAfterMs, struck }: NonNullable<Ambush['crash']>,
  ): Effect {
    ambush.crash = undefined;
    const process = this.#targets.process(name);
    process?.crash();
    const restart = (): void => {
      this.#restarts.delete(name);
      process?.start();
    };
    const last = { isOnItsWay: performed, onArrival: (): void => {} };
    const forget = this.#last(
      restartAfterMs,
      ({ isHealed }) => {
        if (!isHealed || !last.isOnItsWay) return restart();
        // Faults have ended: two concurrent incarnations of the process would be another fault.
        last.onArrival = restart;
      },
      struck,
    );
    this.#restarts.set(name, forget);
    const onPerformed = (): void => {
      last.isOnItsWay = false;
      last.onArrival();
    };
    return { kind: 'vanish', performed, onPerformed };
  }

  /** Kills a process for good, and cancels the restart after an earlier crash. */
  #kill(process: ProcessTarget): void {
    process.crash();
    this.#restarts.get(process.name)?.();
    this.#restarts.delete(process.name);
  }

  #partition(process: ProcessTarget, forMs: number, struck: StruckFault): void {
    const ambush = this.#ambushOf(process.name);
    ambush.partitions++;
    const release = process.holdWatches();
    const cancel = this.#sim.schedule(DEAD_CONNECTION_MS, 'nemesis', 'connection dies', () =>
      process.cutWatches(),
    );
    this.#last(
      forMs,
      () => {
        ambush.partitions--;
        cancel();
        release();
      },
      struck,
    );
  }

  /**
   * Ends a fault after `forMs` or at a heal, whichever comes first. Returns a function that makes the fault permanent.
   */
  #last(forMs: number, end: (how: Ending) => void, struck: StruckFault): () => void {
    const forget = (): void => {
      this.#lasting.delete(once);
      cancel();
      this.#end(struck);
    };
    const once = (how: Ending): void => {
      forget();
      end(how);
    };
    const cancel = this.#sim.schedule(forMs, 'nemesis', 'relents', () => once({ isHealed: false }));
    this.#lasting.add(once);
    return forget;
  }

  #end(struck: StruckFault): void {
    struck.endedMs ??= this.#sim.elapsedMs;
  }

  #each(processes: readonly ProcessTarget[], strike: (process: ProcessTarget) => void): boolean {
    for (const process of processes) strike(process);
    return processes.length > 0;
  }

  #ambushOf(process: string): Ambush {
    let ambush = this.#ambushes.get(process);
    if (!ambush) {
      ambush = { refusals: [], timeouts: [], crash: undefined, failures: [], partitions: 0 };
      this.#ambushes.set(process, ambush);
    }
    return ambush;
  }
}

/** Returns the time when a fault ends by itself that strikes now. */
function untilOf(fault: Fault, nowMs: number): Pick<StruckFault, 'untilMs'> {
  return 'forMs' in fault ? { untilMs: nowMs + fault.forMs } : {};
}

/** Removes the first match from the list and returns it. */
function taken<T>(all: T[], matches: (each: T) => boolean): T | undefined {
  const at = all.findIndex(matches);
  return at < 0 ? undefined : all.splice(at, 1)[0];
}

/** Returns whether a fault affects calls of this verb. */
function isOf({ verb }: { readonly verb?: string }, call: Parameters<Interference>[0]): boolean {
  return verb === undefined || verb === call.verb;
}

/** The verbs of writes that are based on an earlier read, which may be stale. */
const CONFLICTING: ReadonlySet<string> = new Set([
  'update',
  'updateStatus',
  'updateEphemeralContainers',
  'updateApproval',
  'updateScale',
  'patch',
]);

/**
 * Returns whether a server can refuse a request for this reason: reads never conflict, only lists expire, a quota
 * counts pods.
 */
function canRefuse(reason: Refusal, { verb, object }: Parameters<Interference>[0]): boolean {
  if (reason === 'Conflict') return CONFLICTING.has(verb);
  if (reason === 'Expired') return verb === 'list';
  if (reason === 'Forbidden') return verb === 'create' && object.startsWith('pods/');
  return true;
}
