import { NotImplemented } from './todo.ts';

/**
 * Detects that a part of a controller is not implemented yet. The controller then ends, because a retry would not help.
 */
export class Unwritten {
  /** Rejects with the first {@link NotImplemented}; never settles otherwise. */
  readonly met: Promise<never>;
  #giveUp: (error: NotImplemented) => void = () => {};

  constructor() {
    this.met = new Promise<never>((_, reject) => {
      this.#giveUp = reject;
    });
    // The promise may reject before anything awaits it.
    this.met.catch(() => {});
  }

  /** Records an error of a part. @throws the same error */
  readonly meet = (error: unknown): never => {
    if (error instanceof NotImplemented) this.#giveUp(error);
    throw error;
  };
}
