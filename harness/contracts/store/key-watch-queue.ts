import { MessageQueue } from '../message-queue.ts';
import type { KeyWatch, WatchResponse } from './key-value-store.ts';

/** A {@link KeyWatch} with both ends. */
export class KeyWatchQueue extends MessageQueue<WatchResponse> implements KeyWatch {
  readonly #onProgress: () => void;

  /**
   * @param onStop - called once, when the reader stops or the writer ends
   * @param onProgress - called for each request for progress
   */
  constructor(onStop: () => void, onProgress: () => void) {
    super(onStop);
    this.#onProgress = onProgress;
  }

  requestProgress(): void {
    this.#onProgress();
  }
}
