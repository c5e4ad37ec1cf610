import type { HttpAnswer } from '../../../contracts/node/index.ts';
import { flagValue } from '../flags.ts';
import { forever } from '../pause.ts';
import type { Process, ServedRequest } from '../program.ts';

/** The CPU time of one review. */
const REVIEW_CPU_MS = 0.5;

/** The exit code of a Go program that SIGTERM ends. */
const TERMINATED = 2;

/**
 * Serves HTTPS until the program ends: `--tls-cert-file=FILE --tls-private-key-file=FILE [--port=443]`. Answers `/readyz`
 * itself.
 *
 * Differs: it checks the form of its certificate and key, and nothing else, because the simulated network has no TLS.
 *
 * @param answer - answers a request for a path without its query; undefined for an unknown path
 */
export async function serveReviews(
  process: Process,
  answer: (path: string, request: ServedRequest) => Promise<HttpAnswer | undefined>,
): Promise<number> {
  const { argv, stderr, listen, onSignal, exit } = process;
  process.useMemory(12 * 1024 ** 2);
  const problem = await keyPairProblem(process);
  if (problem !== undefined) {
    log(process, 'F', `config.go] ${problem}`);
    return 255;
  }
  const port = Number(flagValue(argv, '--port') ?? 443);
  const http = async (request: ServedRequest): Promise<HttpAnswer> => {
    process.spendCpu(REVIEW_CPU_MS);
    const [path = ''] = request.path.split('?');
    if (path === '/readyz') return { status: 200, headers: {}, body: 'ok' };
    return (await answer(path, request)) ?? failure(404, '404 page not found');
  };
  try {
    listen(port, { tls: true, http });
  } catch {
    stderr(`panic: listen tcp :${port}: bind: address already in use\n`);
    return TERMINATED;
  }
  onSignal('SIGTERM', () => exit(TERMINATED));
  onSignal('SIGINT', () => exit(TERMINATED));
  return forever();
}

/** Returns why the certificate or its key cannot be loaded. Upstream: golang/go@go1.26 src/crypto/tls/tls.go LoadX509KeyPair */
async function keyPairProblem({ argv, files }: Process): Promise<string | undefined> {
  const parts = [
    ['--tls-cert-file', 'CERTIFICATE', 'certificate'],
    ['--tls-private-key-file', '[A-Z ]*PRIVATE KEY', 'key'],
  ] as const;
  for (const [flag, type, called] of parts) {
    const path = flagValue(argv, flag) ?? '';
    const pem = path === '' ? undefined : await files.readFile(path).catch(() => undefined);
    if (pem === undefined) return `open ${path}: no such file or directory`;
    if (!new RegExp(`-----BEGIN ${type}-----[^-]+-----END ${type}-----`).test(pem)) {
      return `tls: failed to find any PEM data in ${called} input`;
    }
  }
  return undefined;
}

/**
 * Prints a line of the log.
 *
 * Differs: it contains no number of a source line.
 *
 * Upstream: kubernetes/klog@v2.140.0 internal/buffer/buffer.go FormatHeader
 */
export function log({ clock, stderr }: Process, severity: 'I' | 'E' | 'F', text: string): void {
  const [date = '', time = ''] = new Date(clock.now()).toISOString().slice(5, 23).split('T');
  stderr(`${severity}${date.replace('-', '')} ${time}000       1 ${text}\n`);
}

/** Prints a line of the log if the program runs with `-v=2` or more. */
export function logVerbosely(process: Process, text: string): void {
  const level = flagValue(process.argv, '-v')?.replace('=', '') ?? flagValue(process.argv, '--v');
  if (Number(level ?? 0) >= 2) log(process, 'I', text);
}

/** Logs an error and returns it as an answer. Upstream: Error in Go's standard library, net/http/server.go */
export function refuse(process: Process, text: string): HttpAnswer {
  log(process, 'E', `main.go] ${text}`);
  return failure(400, text);
}

function failure(status: number, text: string): HttpAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}
