import type { HttpAnswer } from '../../contracts/node/index.ts';
import { forever } from './pause.ts';
import type { HealthStatus, Process, Program, ServedRequest } from './program.ts';

/** What a server does that follows a script. Times are ms since its start. */
export interface ServerScript {
  /** @defaultValue 80 */
  readonly port?: number;
  /** Before that it does not listen. @defaultValue 0 */
  readonly listensAfterMs?: number;
  /** What it answers: a status, or a whole answer. One that throws breaks the connection. @defaultValue 200 */
  readonly http?: (request: ServedRequest, sinceMs: number) => HttpAnswer | number;
  /** How long each answer takes. @defaultValue 0 */
  readonly answersAfterMs?: number;
  /** What it says to a gRPC health check. @defaultValue it does not know the call */
  readonly health?: (service: string, sinceMs: number) => HealthStatus;
  /** From SIGTERM until it ends with 0; `never`: it ignores SIGTERM. @defaultValue 0 */
  readonly stopsAfterMs?: number | 'never';
  /** It prints a line as soon as it listens. @defaultValue none */
  readonly says?: string;
}

/** A server that does as its script says: starts slowly, becomes unready, redirects, hangs, does not stop. */
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

/** Ends with a code after a time. */
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

/** Uses so much memory and CPU, and nothing else. */
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
