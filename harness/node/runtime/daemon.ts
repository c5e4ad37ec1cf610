import { CriError } from '../../contracts/node/cri/index.ts';
import type { LocalClock } from '../../sim/index.ts';
import { Life } from './life.ts';

/** A service of a runtime: whatever it offers, it answers with promises. */
type Service = object;

/** How the clients of a runtime reach it. */
export interface DaemonOptions<S extends Service> {
  readonly clockFor: (actor: string) => LocalClock;
  /** Under which its own tasks appear: `containerd-node-1`. */
  readonly name: string;
  /** `/run/containerd/containerd.sock`. */
  readonly socket: string;
  /** Makes the service of a life that begins. */
  readonly start: (life: Life) => S;
}

/** A runtime's process: it can be stopped and started; what it has told its shims goes on without it. */
export class Daemon<S extends Service> {
  readonly #options: DaemonOptions<S>;
  #running: { readonly life: Life; readonly service: S } | undefined;

  constructor(options: DaemonOptions<S>) {
    this.#options = options;
    this.start();
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Does nothing when it runs. */
  start(): void {
    if (this.#running) return;
    const { clockFor, name, start } = this.#options;
    const life = new Life(clockFor(name));
    this.#running = { life, service: start(life) };
  }

  /** Ends it without warning. Calls that are under way fail; nothing is known of what they have done. */
  stop(): void {
    const { life } = this.#running ?? {};
    this.#running = undefined;
    life?.end();
  }

  /**
   * The service as its clients have it, in whichever life it answers. What fails with no code, fails with `Unknown`.
   *
   * @param of the part of the service that is meant
   */
  front<P extends object>(of: (service: S) => P, shape: P): P {
    return new Proxy(shape, {
      get: (target, name) => {
        if (typeof Reflect.get(target, name, target) !== 'function') return Reflect.get(target, name, target);
        return (...args: unknown[]) => this.#call(of, name, args);
      },
    });
  }

  async #call<P extends object>(
    of: (service: S) => P,
    name: string | symbol,
    args: unknown[],
  ): Promise<unknown> {
    const { socket } = this.#options;
    if (!this.#running) {
      const dial = `dial unix ${socket}: connect: connection refused`;
      throw new CriError('Unavailable', `connection error: desc = "transport: Error while dialing: ${dial}"`);
    }
    const { life, service } = this.#running;
    const part = of(service);
    const method = Reflect.get(part, name, part) as (...args: unknown[]) => Promise<unknown>;
    const answer = (async () => method.apply(part, args))();
    try {
      return await life.orEnd(answer, () => new CriError('Unavailable', 'error reading from server: EOF'));
    } catch (error) {
      throw error instanceof CriError ? error : new CriError('Unknown', (error as Error).message);
    }
  }
}
