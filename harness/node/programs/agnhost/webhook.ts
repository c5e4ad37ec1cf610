import type { HttpAnswer } from '../../../contracts/node/index.ts';
import { flagValue } from '../flags.ts';
import { forever } from '../pause.ts';
import type { Process, Program, ServedRequest } from '../program.ts';
import { type Admit, handlers, type Review } from './admit.ts';

/** The CPU time of one review. */
const REVIEW_CPU_MS = 0.5;

/** The exit code of a Go program that SIGTERM ends. */
const TERMINATED = 2;

/**
 * A server for admission webhooks: `agnhost webhook --tls-cert-file=FILE --tls-private-key-file=FILE [--port=443]
 * [--sidecar-image=IMAGE] [-v=2]`. The path of a request selects the handler.
 *
 * Differs: it checks the form of its certificate and key, and nothing else, because the simulated network has no TLS.
 * It logs reviews, but not the numbers of source lines.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 test/images/agnhost/webhook/main.go main, serve
 */
export const webhook: Program = async (process) => {
  const { argv, stderr, listen, onSignal, exit } = process;
  process.useMemory(12 * 1024 ** 2);
  const problem = await keyPairProblem(process);
  if (problem !== undefined) {
    log(process, 'F', `config.go] ${problem}`);
    return 255;
  }
  const port = Number(flagValue(argv, '--port') ?? 443);
  const sidecarImage = flagValue(argv, '--sidecar-image') ?? '';
  const admits = handlers({ sidecarImage, clock: process.clock });
  try {
    listen(port, { tls: true, http: (request) => answer(process, admits, request) });
  } catch {
    stderr(`panic: listen tcp :${port}: bind: address already in use\n`);
    return TERMINATED;
  }
  onSignal('SIGTERM', () => exit(TERMINATED));
  onSignal('SIGINT', () => exit(TERMINATED));
  return forever();
};

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

/** Prints a line of the log. Upstream: kubernetes/klog@v2.140.0 internal/buffer/buffer.go FormatHeader */
function log({ clock, stderr }: Process, severity: 'I' | 'E' | 'F', text: string): void {
  const [date = '', time = ''] = new Date(clock.now()).toISOString().slice(5, 23).split('T');
  stderr(`${severity}${date.replace('-', '')} ${time}000       1 ${text}\n`);
}

async function answer(
  process: Process,
  admits: ReadonlyMap<string, Admit>,
  { path, headers, body }: ServedRequest,
): Promise<HttpAnswer> {
  process.spendCpu(REVIEW_CPU_MS);
  const [route = ''] = path.split('?');
  if (route === '/readyz') return { status: 200, headers: {}, body: 'ok' };
  const admit = admits.get(route);
  if (!admit) return failure(404, '404 page not found');
  const contentType = headers['content-type'] ?? '';
  if (contentType !== 'application/json') {
    log(process, 'E', `main.go] contentType=${contentType}, expect application/json`);
    return { status: 200, headers: {}, body: '' };
  }
  const isVerbose =
    Number(flagValue(process.argv, '-v')?.replace('=', '') ?? flagValue(process.argv, '--v') ?? 0) >= 2;
  if (isVerbose) log(process, 'I', `main.go] handling request: ${body}`);
  const review = reviewIn(body);
  if (typeof review === 'string') {
    log(process, 'E', `main.go] ${review}`);
    return failure(400, review);
  }
  const { apiVersion, kind, request } = review;
  const response = { uid: request.uid, ...(await admit(request)) };
  const sent = JSON.stringify({ kind, apiVersion, response });
  if (isVerbose) log(process, 'I', `main.go] sending response: ${sent}`);
  return { status: 200, headers: { 'content-type': 'application/json' }, body: sent };
}

function failure(status: number, text: string): HttpAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}

const VERSIONS: readonly string[] = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/** Decodes a review. Both versions have the same form. @returns the problem of a body that is not a review */
function reviewIn(body: string): Review | string {
  let review: Review;
  try {
    review = JSON.parse(body);
  } catch (error) {
    return `Request could not be decoded: couldn't get version/kind; json parse error: ${(error as Error).message}`;
  }
  const { apiVersion = '', kind = '' } = review ?? {};
  if (kind === '') return `Request could not be decoded: Object 'Kind' is missing in '${body}'`;
  if (kind !== 'AdmissionReview' || !VERSIONS.includes(apiVersion)) {
    return `Unsupported group version kind: ${apiVersion}, Kind=${kind}`;
  }
  return review;
}
