import { isCriNotFound, type RuntimeService } from '../../contracts/node/cri/index.ts';
import { bytesOfText, type FileSystem, textOfBytes } from '../../contracts/node/index.ts';
import type { LogOptions } from '../../contracts/node/kubelet-server.ts';
import type { Clock } from '../../sim/index.ts';
import { lastLines, parseLogLine } from './log-lines.ts';

/** How often a log that is followed is looked at, in ms. Upstream is told of changes by the kernel. */
const LOOK_MS = 100;

/** Where a log is, and what it takes to read it. */
interface ReadLogOptions {
  readonly files: Pick<FileSystem, 'readFile'>;
  readonly runtime: Pick<RuntimeService, 'containerStatus'>;
  readonly clock: Clock;
  readonly path: string;
  readonly containerId: string;
  readonly options: LogOptions;
  readonly signal: AbortSignal;
}

/**
 * Reads the log of a container: what is there, and if it is followed what comes, until the container has ended. It gives whole lines,
 * except at the end.
 *
 * Differs: a log that is followed is looked at ten times a second, and logs are not rotated.
 *
 * Upstream: kubernetes/cri-client@v0.36.3 pkg/logs/logs.go ReadLogs
 */
export async function* readLog(given: ReadLogOptions): AsyncGenerator<string, void> {
  const { files, clock, path, options, signal } = given;
  const { follow = false, tailLines } = options;
  const writer = new LogWriter(options, clock.now());
  let text = await files.readFile(path);
  let isRunning = follow && (await isContainerRunning(given));
  let read = text.length - lastLines(text, tailLines).length;
  for (;;) {
    // A line that has no end yet is read when it has one; at the end of all, as it is.
    const end = isRunning ? text.lastIndexOf('\n') + 1 : text.length;
    const written = writer.write(text.slice(read, end));
    read = Math.max(read, end);
    if (written !== '') yield written;
    if (writer.isFull || !isRunning) return;
    await clock.sleep(LOOK_MS, signal).catch(() => {});
    if (signal.aborted) return;
    // First this, then the file: what the container wrote before it ended is there by then.
    isRunning = await isContainerRunning(given);
    text = await files.readFile(path);
  }
}

/** Turns lines of a file into what a user sees. */
class LogWriter {
  readonly #options: LogOptions;
  #leftBytes: number;
  #isNewLine = true;

  readonly #sinceMs: number;

  constructor(options: LogOptions, nowMs: number) {
    this.#options = options;
    const { sinceMs = 0, sinceSeconds } = options;
    this.#sinceMs = sinceSeconds === undefined ? sinceMs : nowMs - sinceSeconds * 1_000;
    this.#leftBytes = options.limitBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Whether as many bytes were written as were asked for. */
  get isFull(): boolean {
    return this.#leftBytes <= 0;
  }

  write(lines: string): string {
    const { timestamps = false, stream = 'All' } = this.#options;
    let out = '';
    for (const line of lines.split('\n')) {
      const parsed = parseLogLine(line);
      if (!parsed) continue;
      if (parsed.atMs >= this.#sinceMs && (stream === 'All' || stream.toLowerCase() === parsed.stream)) {
        const prefix = timestamps && this.#isNewLine ? `${parsed.time} ` : '';
        out += this.#cut(prefix + parsed.text);
        if (this.isFull) break;
      }
      this.#isNewLine = parsed.text === '' || parsed.text.endsWith('\n');
    }
    return out;
  }

  #cut(text: string): string {
    const bytes = bytesOfText(text);
    const whole = bytes.length <= this.#leftBytes;
    const kept = whole ? text : textOfBytes(bytes.subarray(0, this.#leftBytes));
    this.#leftBytes -= bytes.length;
    return kept;
  }
}

async function isContainerRunning({ runtime, containerId }: ReadLogOptions): Promise<boolean> {
  try {
    return (await runtime.containerStatus(containerId)).state === 'CONTAINER_RUNNING';
  } catch (error) {
    // A runtime that does not answer may run containers all the same.
    return !isCriNotFound(error);
  }
}
