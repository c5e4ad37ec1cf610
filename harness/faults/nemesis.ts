import { errors } from '../api/status.ts';
import { ConnectionError } from '../contracts/connection-error.ts';
import type { Effect, Interference, Simulation } from '../sim/index.ts';
import { callFailureOf, failureOf } from './failure.ts';
import type { Fault, Refusal, ScheduledFault } from './fault.ts';
import type { FaultTargets, ProcessTarget } from './targets.ts';

/** The apiserver gives up on a request after this. Upstream: kube-apiserver --request-timeout */
const REQUEST_TIMEOUT_MS = 60_000;
/** A client gives up on an address that does not answer. Upstream: kubernetes/client-go@v0.36.3 transport/cache.go get */
const DIAL_TIMEOUT_MS = 30_000;
/**
 * A client drops a connection on which nothing comes, not even an answer to a ping. Upstream:
 * kubernetes/apimachinery@v0.36.3 pkg/util/net/http.go readIdleTimeout plus pingTimeout
 */
const DEAD_CONNECTION_MS = 45_000;

/** How a fault ends that lasts. */
interface Ending {
  /** Before its time, as all is healed. */
  readonly isHealed: boolean;
}

/** What awaits a process's next calls. */
interface Ambush {
  refusals: { readonly reason: Refusal; readonly verb?: string; left: number }[];
  timeouts: Extract<Fault, { fault: 'time-out' }>[];
  crash: { skip: number; readonly performed: boolean; readonly restartAfterMs: number } | undefined;
  failures: Extract<Fault, { fault: 'fail-call' }>[];
  partitions: number;
}

/**
 * Makes things go wrong. It strikes at given times, and sees to it that what it disturbs can recover:
 * after {@link heal} nothing is held back, nothing is refused, and a process that was to be restarted runs.
 */
export class Nemesis {
  readonly #sim: Simulation;
  readonly #targets: FaultTargets;
  readonly #ambushes = new Map<string, Ambush>();
  /** What ends the faults that last, in the order in which they began. */
  readonly #lasting = new Set<(how: Ending) => void>();
  /** What gives up the restart that awaits a process. */
  readonly #restarts = new Map<string, () => void>();
  readonly #scheduled: (() => void)[] = [];
  #lastErrorMs = 0;

  constructor(sim: Simulation, targets: FaultTargets) {
    this.#sim = sim;
    this.#targets = targets;
  }

  /** Plans faults; each strikes at its time. */
  schedule(faults: readonly ScheduledFault[]): void {
    for (const fault of faults) {
      const afterMs = Math.max(0, fault.atMs - this.#sim.elapsedMs);
      this.#scheduled.push(this.#sim.schedule(afterMs, 'nemesis', fault.fault, () => this.strike(fault)));
    }
  }

  /** Strikes now. A fault whose target does not exist does nothing, and says so in the trace. */
  strike(fault: Fault): void {
    const { fault: verb, ...note } = fault;
    const struck = this.#strike(fault);
    this.#sim.trace.record({
      actor: 'nemesis',
      verb,
      note: JSON.stringify({ ...note, atMs: undefined }),
      ...(struck ? {} : { outcome: 'no such target' }),
    });
  }

  /**
   * Ends every fault that lasts, forgets every one that waits, restarts what was to be restarted: as soon as its last request
   * has arrived, if that is still on its way. What has come to pass stays: a dead node is dead, a clock that was set wrong is
   * wrong, and a call that was promised an error gets it, until {@link Nemesis.lastErrorMs}.
   */
  heal(): void {
    for (const cancel of this.#scheduled.splice(0)) cancel();
    for (const end of [...this.#lasting]) end({ isHealed: true });
    this.#ambushes.clear();
    this.#sim.trace.record({ actor: 'nemesis', verb: 'heal' });
  }

  /**
   * When the last error that a call was promised is due, in virtual ms since the simulation began, not counting how long it travels;
   * 0 if none was. A call that hangs until it times out is still disturbed, whether or not all is {@link heal}ed.
   */
  get lastErrorMs(): number {
    return this.#lastErrorMs;
  }

  /** What becomes of a process's calls. */
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

  #strike(fault: Fault): boolean {
    switch (fault.fault) {
      case 'compact':
        this.#targets.compact();
        return true;
      case 'lag': {
        const replica = this.#targets.replicas[fault.replica];
        if (!replica) return false;
        replica.hold();
        this.#last(fault.forMs, () => replica.release());
        return true;
      }
      case 'restart-apiserver': {
        const replica = this.#targets.replicas[fault.replica];
        if (!replica) return false;
        replica.goDown();
        this.#last(fault.forMs, () => replica.comeBack());
        return true;
      }
      case 'partition': {
        const join = this.#targets.cutOff?.(fault.node);
        if (join) this.#last(fault.forMs, join);
        return this.#each(this.#targets.processesOn(fault.node), (process) =>
          this.#partition(process, fault.forMs),
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
        if (process) this.#strikeProcess(process, fault);
        return process !== undefined;
      }
    }
  }

  #strikeProcess(process: ProcessTarget, fault: Extract<Fault, { process: string }>): void {
    const ambush = this.#ambushOf(process.name);
    switch (fault.fault) {
      case 'cut-watches':
        process.cutWatches();
        return;
      case 'delay-watches':
        this.#last(fault.forMs, process.holdWatches(fault.resource));
        return;
      case 'fail-watches':
        process.failWatches(failureOf(fault.reason).status);
        return;
      case 'refuse':
        ambush.refusals.push({ ...fault, left: fault.requests });
        return;
      case 'time-out':
        ambush.timeouts.push(fault);
        return;
      case 'fail-call':
        ambush.failures.push(fault);
        return;
      case 'crash':
        // It dies once: a process that is to die already is not struck again.
        ambush.crash ??= { ...fault };
    }
  }

  /** One call of a process that it disturbs. */
  #spring(process: string, ambush: Ambush, call: Parameters<Interference>[0]): Effect {
    const { port, mutates } = call;
    if (ambush.crash && ambush.crash.skip-- === 0) {
      // What a process on a partitioned node sends last arrives no more than what it sent before.
      const arrives = port !== 'api' || ambush.partitions === 0;
      return this.#crash(process, ambush, { ...ambush.crash, performed: arrives && ambush.crash.performed });
    }
    if (port !== 'api') {
      const failure = taken(ambush.failures, (each) => each.port === port && isOf(each, call));
      if (!failure) return { kind: 'pass' };
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
      return { kind: 'fail', error: failureOf(refusal.reason, call.object), performed: false };
    }
    const timeout = taken(ambush.timeouts, (each) => isOf(each, call));
    if (!timeout) return { kind: 'pass' };
    const error = errors.timeout('request did not complete within requested timeout');
    return { kind: 'fail', error, performed: mutates && timeout.performed, afterMs: REQUEST_TIMEOUT_MS };
  }

  #crash(name: string, ambush: Ambush, { performed, restartAfterMs }: NonNullable<Ambush['crash']>): Effect {
    ambush.crash = undefined;
    const process = this.#targets.process(name);
    process?.crash();
    const restart = (): void => {
      this.#restarts.delete(name);
      process?.start();
    };
    const last = { isOnItsWay: performed, onArrival: (): void => {} };
    const forget = this.#last(restartAfterMs, ({ isHealed }) => {
      if (!isHealed || !last.isOnItsWay) return restart();
      // Faults are over: two lives at once would be another one.
      last.onArrival = restart;
    });
    this.#restarts.set(name, forget);
    const onPerformed = (): void => {
      last.isOnItsWay = false;
      last.onArrival();
    };
    return { kind: 'vanish', performed, onPerformed };
  }

  /** For good: nor does it come back from an earlier crash. */
  #kill(process: ProcessTarget): void {
    process.crash();
    this.#restarts.get(process.name)?.();
    this.#restarts.delete(process.name);
  }

  #partition(process: ProcessTarget, forMs: number): void {
    const ambush = this.#ambushOf(process.name);
    ambush.partitions++;
    const release = process.holdWatches();
    const cancel = this.#sim.schedule(DEAD_CONNECTION_MS, 'nemesis', 'connection dies', () =>
      process.cutWatches(),
    );
    this.#last(forMs, () => {
      ambush.partitions--;
      cancel();
      release();
    });
  }

  /** Ends a fault after `forMs`, or when all is healed, whichever is first. Returns what makes it last for ever. */
  #last(forMs: number, end: (how: Ending) => void): () => void {
    const forget = (): void => {
      this.#lasting.delete(once);
      cancel();
    };
    const once = (how: Ending): void => {
      forget();
      end(how);
    };
    const cancel = this.#sim.schedule(forMs, 'nemesis', 'relents', () => once({ isHealed: false }));
    this.#lasting.add(once);
    return forget;
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

/** Takes the first that matches out of the list. */
function taken<T>(all: T[], matches: (each: T) => boolean): T | undefined {
  const at = all.findIndex(matches);
  return at < 0 ? undefined : all.splice(at, 1)[0];
}

/** Whether a fault means calls of this verb. */
function isOf({ verb }: { readonly verb?: string }, call: Parameters<Interference>[0]): boolean {
  return verb === undefined || verb === call.verb;
}

/** What is made of a state that was read, which may have changed since. */
const CONFLICTING: ReadonlySet<string> = new Set([
  'update',
  'updateStatus',
  'updateEphemeralContainers',
  'updateApproval',
  'updateScale',
  'patch',
]);

/** Which requests a server refuses for this reason: a read is never in conflict, only a list expires, a quota counts pods. */
function canRefuse(reason: Refusal, { verb, object }: Parameters<Interference>[0]): boolean {
  if (reason === 'Conflict') return CONFLICTING.has(verb);
  if (reason === 'Expired') return verb === 'list';
  if (reason === 'Forbidden') return verb === 'create' && object.startsWith('pods/');
  return true;
}
