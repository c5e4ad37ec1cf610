import type { FileSystem } from '../../contracts/node/index.ts';
import type { Clock } from '../../sim/index.ts';

/**
 * The maximum length of a line; longer lines are split. Upstream: containerd/containerd@v2.3.3
 * internal/cri/io/logger.go (max_container_log_line_size)
 */
const LINE_BYTES_MAX = 16 * 1024;

/**
 * The log of a container in the CRI format: `2024-04-17T00:00:00.000000000Z stdout F hello`, with `F` for a full line
 * and `P` for a partial line.
 *
 * Upstream: kubernetes/cri-client@v0.36.3 pkg/logs/logs.go parseCRILog
 */
export class CriLog {
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #rest = { stdout: '', stderr: '' };
  /** The end of the last write, so that writes stay in order. A failed write loses its text, as on a real node. */
  #written: Promise<void>;

  constructor(files: FileSystem, path: string, clock: Clock) {
    this.#files = files;
    this.#path = path;
    this.#clock = clock;
    const directory = path.slice(0, path.lastIndexOf('/'));
    this.#written = files
      .mkdirAll(directory)
      .then(() => files.writeFile(path, '', { mode: 0o640, append: true }))
      .catch(() => {});
  }

  write(stream: 'stdout' | 'stderr', text: string): void {
    const lines = (this.#rest[stream] + text).split('\n');
    this.#rest[stream] = lines.pop() ?? '';
    this.#append(lines.map((line) => this.#entries(stream, line)).join(''));
  }

  /** Writes the last line if it has no line break. */
  flush(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.#rest[stream];
      this.#rest[stream] = '';
      if (rest !== '') this.#append(`${this.#now()} ${stream} P ${rest}\n`);
    }
  }

  #entries(stream: string, line: string): string {
    const parts: string[] = [];
    for (let at = 0; at < Math.max(line.length, 1); at += LINE_BYTES_MAX) {
      const tag = at + LINE_BYTES_MAX < line.length ? 'P' : 'F';
      parts.push(`${this.#now()} ${stream} ${tag} ${line.slice(at, at + LINE_BYTES_MAX)}\n`);
    }
    return parts.join('');
  }

  #append(text: string): void {
    if (text === '') return;
    this.#written = this.#written.then(() =>
      this.#files.writeFile(this.#path, text, { append: true }).catch(() => {}),
    );
  }

  /** Returns the time as RFC 3339 with nanoseconds. */
  #now(): string {
    return `${new Date(this.#clock.now()).toISOString().slice(0, -1)}000000Z`;
  }
}
