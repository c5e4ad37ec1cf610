import { CriError } from '../../contracts/node/cri/index.ts';
import type { LocalClock } from '../../sim/index.ts';
import { Life } from './life.ts';

/** A service of a runtime. All its methods return promises. */
type Service = object;

/** Options of {@link Daemon}. */
interface DaemonOptions<S extends Service> {
  readonly clockFor: (actor: string) => LocalClock;
  /** The name of the runtime's own tasks, such as `containerd-node-1`. */
  readonly name: string;
  /** The path of its socket, such as `/run/containerd/containerd.sock`. */
  readonly socket: string;
  /** Creates the service of a new incarnation. */
  readonly start: (life: Life) => S;
}

/** The process of a runtime. It can be stopped and started; its shims keep running without it. */
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

  /** Starts the process; does nothing if it runs. */
  start(): void {
    if (this.#running) return;
    const { clockFor, name, start } = this.#options;
    const life = new Life(clockFor(name));
    this.#running = { life, service: start(life) };
  }

  /** Kills the process. Calls in progress fail, and it stays unknown whether they took effect. */
  stop(): void {
    const { life } = this.#running ?? {};
    this.#running = undefined;
    life?.end();
  }

  /**
   * Returns the service for clients, which calls the current incarnation. An error without a code gets the code
   * `Unknown`.
   *
   * @param of - selects the part of the service
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
