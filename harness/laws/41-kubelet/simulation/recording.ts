import type * as cri from '../../../contracts/node/cri/index.ts';
import type { Clock } from '../../../sim/index.ts';
import type { RuntimeCall } from '../history/index.ts';

/** The time of the simulation, and a clock to wait with. */
interface Time {
  readonly elapsedMs: number;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** Records the calls of all incarnations of the kubelet to the container runtime. */
export class RuntimeRecorder {
  readonly calls: RuntimeCall[] = [];
  readonly #sim: Time;
  readonly #listsAfterMs: number;

  /** @param listsAfterMs time until a list of the runtime is sent, in virtual ms: a busy runtime reads its state late */
  constructor(sim: Time, listsAfterMs = 0) {
    this.#sim = sim;
    this.#listsAfterMs = listsAfterMs;
  }

  /** Wraps the runtime for one incarnation of the kubelet. */
  runtime(runtime: cri.RuntimeService, incarnation: number): cri.RuntimeService {
    return new Proxy(runtime, {
      get: (target, verb) => {
        const value: unknown = Reflect.get(target, verb, target);
        if (typeof value !== 'function' || typeof verb !== 'string') return value;
        return (...args: unknown[]) =>
          this.#record({ verb, args, incarnation }, () => value.apply(target, args));
      },
    });
  }

  #record(
    {
      verb,
      args,
      incarnation,
    }: { readonly verb: string; readonly args: readonly unknown[]; readonly incarnation: number },
    call: () => Promise<unknown>,
  ): Promise<unknown> {
    const [first, second] = args;
    const recorded: RuntimeCall = {
      verb,
      id: typeof first === 'string' ? first : uidIn(first),
      ...(typeof second === 'number' ? { timeoutSeconds: second } : {}),
      incarnation,
      sentMs: this.#sim.elapsedMs,
    };
    this.calls.push(recorded);
    const isLate = this.#listsAfterMs > 0 && verb.startsWith('list');
    const answer = isLate ? this.#sim.clock.sleep(this.#listsAfterMs).then(call) : call();
    answer.then(
      () => {
        recorded.answeredMs = this.#sim.elapsedMs;
      },
      (error: unknown) => Object.assign(recorded, { error, answeredMs: this.#sim.elapsedMs }),
    );
    return answer;
  }
}

function uidIn(config: unknown): string {
  return (config as Partial<cri.PodSandboxConfig> | undefined)?.metadata?.uid ?? '';
}
