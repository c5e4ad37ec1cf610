/** The requests of a user to stop a command, such as Ctrl-C. */
export class Stops {
  #requested = false;
  #closed = false;
  #wake: () => void = () => {};

  /** Whether the command takes no more requests, because it is about to end. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Requests the command to stop. */
  request(): void {
    this.#requested = true;
    this.#wake();
  }

  /** Resolves at the next request, or at once if one came while nothing waited. */
  async next(): Promise<void> {
    if (!this.#requested) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#requested = false;
  }

  /** Takes no more requests. */
  close(): void {
    this.#closed = true;
  }
}
