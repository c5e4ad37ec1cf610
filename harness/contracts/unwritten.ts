import { NotImplemented } from './todo.ts';

/** Notices that a part of a controller is not written yet. To try that part again is no use: the controller ends. */
export class Unwritten {
  /** Rejects with the first {@link NotImplemented} that was met; never settles otherwise. */
  readonly met: Promise<never>;
  #giveUp: (error: NotImplemented) => void = () => {};

  constructor() {
    this.met = new Promise<never>((_, reject) => {
      this.#giveUp = reject;
    });
    // It may be known before anything waits for it.
    this.met.catch(() => {});
  }

  /** Notes what a part threw. @throws the same */
  readonly meet = (error: unknown): never => {
    if (error instanceof NotImplemented) this.#giveUp(error);
    throw error;
  };
}
