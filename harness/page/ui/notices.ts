/** A line that the page shows for the reader until another one replaces it. */
export interface Notice {
  readonly text: string;
  readonly isError: boolean;
}

/** The present notice of the page, and its listeners. */
export class Notices {
  #present: Notice | undefined;
  readonly #listeners = new Set<() => void>();

  get present(): Notice | undefined {
    return this.#present;
  }

  show(notice: Notice | undefined): void {
    this.#present = notice;
    for (const listener of this.#listeners) listener();
  }

  /** Shows an error of a call. */
  readonly report = (error: unknown): void => {
    this.show({ text: error instanceof Error ? error.message : String(error), isError: true });
  };

  /** Calls the listener after each change. @returns a function that ends it */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
