import type { HttpAnswer } from '../../contracts/node/index.ts';
import { forever } from './pause.ts';
import type { HealthStatus, Process, Program, ServedRequest } from './program.ts';

/** Options of {@link serves}. Times are ms since the start of the server. */
interface ServerScript {
  /** @defaultValue 80 */
  readonly port?: number;
  /** The time until it listens. @defaultValue 0 */
  readonly listensAfterMs?: number;
  /** Returns a status, or a whole answer. If it throws, the connection is reset. @defaultValue 200 */
  readonly http?: (request: ServedRequest, sinceMs: number) => HttpAnswer | number;
  /** The time until each answer. @defaultValue 0 */
  readonly answersAfterMs?: number;
  /** Answers a gRPC health check. @defaultValue the call is not implemented */
  readonly health?: (service: string, sinceMs: number) => HealthStatus;
  /** The time from SIGTERM until it exits with 0; `never` ignores SIGTERM. @defaultValue 0 */
  readonly stopsAfterMs?: number | 'never';
  /** A line that it prints when it listens. @defaultValue none */
  readonly says?: string;
}

/** Creates a server that can start slowly, become unready, redirect, hang, or ignore SIGTERM. */
export function serves(script: ServerScript = {}): Program {
  const { port = 80, listensAfterMs = 0, http = () => 200, answersAfterMs = 0, health, says } = script;
  return async (process) => {
    const { clock, stdout, listen } = process;
    const startedMs = clock.now();
    const sinceMs = (): number => clock.now() - startedMs;
    stopOn(process, script.stopsAfterMs ?? 0);
    if (listensAfterMs > 0) await clock.sleep(listensAfterMs);
    listen(port, {
      http: async (request) => {
        if (answersAfterMs > 0) await clock.sleep(answersAfterMs);
        const answer = http(request, sinceMs());
        return typeof answer === 'number' ? { status: answer, headers: {}, body: '' } : answer;
      },
      ...(health ? { health: (service) => health(service, sinceMs()) } : {}),
    });
    if (says !== undefined) stdout(`${says}\n`);
    return forever();
  };
}

/** Creates a program that exits with a code after some time. */
export function exits({
  code = 0,
  afterMs = 0,
}: {
  readonly code?: number;
  readonly afterMs?: number;
} = {}): Program {
  return async ({ clock }) => {
    await clock.sleep(afterMs);
    return code;
  };
}

/** Creates a program that uses memory and CPU, and does nothing else. */
export function uses({
  memoryBytes = 0,
  cpuMilli = 0,
}: {
  readonly memoryBytes?: number;
  readonly cpuMilli?: number;
}): Program {
  return async (process) => {
    process.useCpu(cpuMilli);
    process.useMemory(memoryBytes);
    return forever();
  };
}

function stopOn({ onSignal, clock, exit }: Process, afterMs: number | 'never'): void {
  onSignal('SIGTERM', () => {
    if (afterMs === 0) exit(0);
    else if (afterMs !== 'never') clock.after(afterMs, () => exit(0));
  });
}
