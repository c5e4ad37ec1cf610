import { NetworkError } from '../../contracts/node/index.ts';
import { errnoWords } from './errno-words.ts';
import { flagValue, hasFlag } from './flags.ts';
import { forever } from './pause.ts';
import type { Process, Program } from './program.ts';
import { resolve } from './resolver/resolve.ts';

/** How long a kernel tries to connect: it sends the first packet again six times, and doubles the wait each time. */
const CONNECT_TIMEOUT_MS = 127_000;

/** Returns the first address of a host. If it has none, prints an error and returns undefined. */
async function addressOf(process: Process, host: string): Promise<string | undefined> {
  const [ip] = await resolve(process, host).catch(() => []);
  if (ip === undefined) process.stderr(`${process.argv[0]}: bad address '${host}'\n`);
  return ip;
}

/** `wget [-q] [--spider] [-T SECONDS] [-O FILE] URL`. It exits with 1 if the server returns an error status. */
export const wget: Program = async (process) => {
  const { argv, network, stdout, stderr, files } = process;
  const quiet = hasFlag(argv, '-q');
  const say = (text: string): void => void (quiet || stderr(`${text}\n`));
  const url = argv.findLast((arg, at) => at > 0 && !arg.startsWith('-')) ?? '';
  const [, scheme = 'http', host = '', port, path = '/'] =
    /^(?:(https?):\/\/)?([^/:]+)(?::(\d+))?(\/.*)?$/.exec(url) ?? [];
  const ip = await addressOf(process, host);
  if (ip === undefined) return 1;
  const seconds = flagValue(argv, '-T');
  const number = Number(port ?? (scheme === 'https' ? 443 : 80));
  try {
    say(`Connecting to ${host} (${ip}:${number})`);
    const answer = await network.request({
      scheme: scheme === 'https' ? 'https' : 'http',
      method: 'GET',
      host: ip,
      port: number,
      path,
      headers: { host: port === undefined ? host : `${host}:${port}`, 'user-agent': 'Wget' },
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
    stderr(`wget: can't connect to remote host (${ip}): ${errnoWords[error.code]}\n`);
    return 1;
  }
};

/** `nc -z HOST PORT` opens a connection, `nc -l -p PORT` accepts connections. */
export const nc: Program = async (process) => {
  const { argv, network, listen, stderr } = process;
  if (hasFlag(argv, '-l')) {
    listen(Number(flagValue(argv, '-p') ?? argv.at(-1)), {});
    return forever();
  }
  const [host = '', port = ''] = argv.slice(-2);
  const seconds = Number(flagValue(argv, '-w') ?? CONNECT_TIMEOUT_MS / 1_000);
  const ip = await addressOf(process, host);
  if (ip === undefined) return 1;
  try {
    await network.connect({ host: ip, port: Number(port), timeoutMs: seconds * 1_000 });
    return 0;
  } catch (error) {
    stderr(`nc: ${host} (${ip}:${port}): ${errnoWords[(error as NetworkError).code]}\n`);
    return 1;
  }
};
