import { isCriNotFound, type RuntimeService } from '../../contracts/node/cri/index.ts';
import { bytesOfText, type FileSystem, textOfBytes } from '../../contracts/node/index.ts';
import type { LogOptions } from '../../contracts/node/kubelet-server.ts';
import type { Clock } from '../../sim/index.ts';
import { lastLines, parseLogLine } from './log-lines.ts';

/** The polling interval of a followed log, in ms. Upstream is notified by the kernel. */
const LOOK_MS = 100;

/** The location of a log, and the dependencies to read it. */
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
 * Reads the log of a container, and follows it on request until the container exits. Yields whole lines, except at the
 * end.
 *
 * Differs: a followed log is polled ten times a second, and logs are not rotated.
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
    // An incomplete line is read when it is complete, or when the container has exited.
    const end = isRunning ? text.lastIndexOf('\n') + 1 : text.length;
    const written = writer.write(text.slice(read, end));
    read = Math.max(read, end);
    if (written !== '') yield written;
    if (writer.isFull || !isRunning) return;
    await clock.sleep(LOOK_MS, signal).catch(() => {});
    if (signal.aborted) return;
    // Check the state before the file: output written before the exit is then in the file.
    isRunning = await isContainerRunning(given);
    text = await files.readFile(path);
  }
}

/** Converts log lines to the output for a user. */
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

  /** Whether the byte limit is reached. */
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
    // If the runtime does not answer, the container may still run.
    return !isCriNotFound(error);
  }
}
