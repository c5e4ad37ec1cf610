import { NetworkError } from '../../contracts/node/index.ts';
import { flagValue, hasFlag } from './flags.ts';
import { forever } from './pause.ts';
import type { Process, Program } from './program.ts';

/** How long a kernel tries to connect before it gives up: six times, each twice as long. */
const CONNECT_TIMEOUT_MS = 127_000;

const words: Readonly<Record<NetworkError['code'], string>> = {
  ECONNREFUSED: 'Connection refused',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
  EPERM: 'Operation not permitted',
  ETIMEDOUT: 'Connection timed out',
  ECONNRESET: 'Connection reset by peer',
  EPROTO: 'Protocol error',
  UNIMPLEMENTED: 'Protocol error',
};

/** `wget [-q] [--spider] [-T SECONDS] [-O FILE] URL`. To a server's refusal it gives 1. Differs: it knows addresses only, no names. */
export const wget: Program = async (process) => {
  const { argv, network, stdout, stderr, files } = process;
  const quiet = hasFlag(argv, '-q');
  const say = (text: string): void => void (quiet || stderr(`${text}\n`));
  const url = argv.findLast((arg, at) => at > 0 && !arg.startsWith('-')) ?? '';
  const [, scheme = 'http', host = '', port, path = '/'] =
    /^(?:(https?):\/\/)?([^/:]+)(?::(\d+))?(\/.*)?$/.exec(url) ?? [];
  if (!/^[\d.]+$|^localhost$/.test(host)) {
    stderr(`wget: bad address '${host}'\n`);
    return 1;
  }
  const seconds = flagValue(argv, '-T');
  try {
    say(`Connecting to ${host}:${port ?? 80}`);
    const answer = await network.request({
      scheme: scheme === 'https' ? 'https' : 'http',
      method: 'GET',
      host,
      port: Number(port ?? (scheme === 'https' ? 443 : 80)),
      path,
      headers: { 'user-agent': 'Wget' },
      timeoutMs: seconds === undefined ? CONNECT_TIMEOUT_MS : Number(seconds) * 1_000,
    });
    if (answer.status >= 400) {
      stderr(`wget: server returned error: HTTP/1.1 ${answer.status}\n`);
      return 1;
    }
    const target = flagValue(argv, '-O') ?? (path.split('/').at(-1) || 'index.html');
    if (argv.includes('--spider')) say('remote file exists');
    else if (target === '-') stdout(answer.body);
    else await files.writeFile(target.startsWith('/') ? target : `/${target}`, answer.body);
    return 0;
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    stderr(`wget: can't connect to remote host (${host}): ${words[error.code]}\n`);
    return 1;
  }
};

/** `nc -z HOST PORT` connects, `nc -l -p PORT` takes connections. */
export const nc: Program = async ({ argv, network, listen, stderr }) => {
  if (hasFlag(argv, '-l')) {
    listen(Number(flagValue(argv, '-p') ?? argv.at(-1)), {});
    return forever();
  }
  const [host = '', port = ''] = argv.slice(-2);
  const seconds = Number(flagValue(argv, '-w') ?? CONNECT_TIMEOUT_MS / 1_000);
  try {
    await network.connect({ host, port: Number(port), timeoutMs: seconds * 1_000 });
    return 0;
  } catch (error) {
    stderr(`nc: ${host} (${host}:${port}): ${words[(error as NetworkError).code]}\n`);
    return 1;
  }
};

/** Differs: no name is known. */
export const nslookup: Program = async ({ stderr, clock }: Process) => {
  await clock.sleep(10_000);
  stderr(';; connection timed out; no servers could be reached\n');
  return 1;
};
