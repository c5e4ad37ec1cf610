import { bytesOfText, type HttpAnswer } from '../../contracts/node/index.ts';
import { forever } from './pause.ts';
import type { Process, Program, ServedRequest } from './program.ts';
import { fileOf, notFound } from './web-files.ts';

/** The CPU time of one request. */
const REQUEST_CPU_MS = 0.1;

const ROOT = '/usr/share/nginx/html';
const WELCOME = `<!DOCTYPE html>
<html>
<head><title>Welcome to nginx!</title></head>
<body><h1>Welcome to nginx!</h1></body>
</html>
`;

const NOT_ALLOWED = '<html><head><title>405 Not Allowed</title></head><body>405 Not Allowed</body></html>\n';

/**
 * A web server on port 80 for the files in `/usr/share/nginx/html`. SIGTERM ends it at once; SIGQUIT, the stop signal
 * of its image, closes its port first.
 *
 * Differs: it reads no configuration.
 */
export const nginx: Program = async (process) => {
  const { listen, onSignal, exit, stdout, stderr } = process;
  process.useMemory(8 * 1024 ** 2);
  let close: () => void;
  try {
    close = listen(80, { http: (request) => answer(process, request) });
  } catch {
    stderr('nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)\n');
    return 1;
  }
  stdout('/docker-entrypoint.sh: Configuration complete; ready for start up\n');
  onSignal('SIGTERM', () => exit(0));
  onSignal('SIGINT', () => exit(0));
  onSignal('SIGQUIT', () => {
    close();
    exit(0);
  });
  return forever();
};

async function answer(process: Process, request: ServedRequest): Promise<HttpAnswer> {
  process.spendCpu(REQUEST_CPU_MS);
  const file = await fileOf(process, ROOT, request.path);
  const path = request.path.split('?')[0];
  const body = file ?? (path === '/' || path === '/index.html' ? WELCOME : undefined);
  const answered = fileAnswer(request.method, body);
  process.stdout(logLine(request, answered, process.clock.now()));
  return { ...answered, headers: { server: 'nginx', 'content-type': 'text/html' } };
}

/**
 * Formats a line of the access log, in the format `main` of the image's `/etc/nginx/nginx.conf`.
 */
function logLine(
  { from, method, path, headers }: ServedRequest,
  { status, body }: Pick<HttpAnswer, 'status' | 'body'>,
  nowMs: number,
): string {
  const time = new Date(nowMs)
    .toUTCString()
    .replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000');
  const bytes = method === 'HEAD' ? 0 : bytesOfText(body).length;
  const [referer, agent, forwarded] = ['referer', 'user-agent', 'x-forwarded-for'].map(
    (name) => headers[name] ?? '-',
  );
  return `${from} - - [${time}] "${method} ${path} HTTP/1.1" ${status} ${bytes} "${referer}" "${agent}" "${forwarded}"\n`;
}

/** Returns the answer for a file, or for a missing file. Both reject uploads. */
function fileAnswer(method: string, file: string | undefined): Pick<HttpAnswer, 'status' | 'body'> {
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead && (file !== undefined || method !== 'POST')) return { status: 405, body: NOT_ALLOWED };
  return file === undefined ? { status: 404, body: notFound } : { status: 200, body: file };
}
