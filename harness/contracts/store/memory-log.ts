import type { LogFile } from './log-file.ts';

/** A log file in memory, on a disk that never fails. */
export class MemoryLog implements LogFile {
  #parts: string[] = [];

  /** @param text - the content at the start */
  constructor(text = '') {
    if (text) this.#parts.push(text);
  }

  async read(): Promise<string> {
    return this.text;
  }

  async append(text: string): Promise<void> {
    this.#parts.push(text);
  }

  async sync(): Promise<void> {}

  async truncate(length: number): Promise<void> {
    this.#parts = [this.text.slice(0, length)];
  }

  /** The content of the file. */
  get text(): string {
    if (this.#parts.length > 1) this.#parts = [this.#parts.join('')];
    return this.#parts[0] ?? '';
  }
}
