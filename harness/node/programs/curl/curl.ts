import { bytesOfText, type HttpAnswer, NetworkError } from '../../../contracts/node/index.ts';
import type { Process, Program } from '../program.ts';
import { isAddress, resolve, UnknownHost } from '../resolver/resolve.ts';
import { failureOf } from './failures.ts';
import { type CurlFailure, type CurlOptions, curlOptions } from './options.ts';

const VERSION = '8.14.1';

/** The parsed URL. */
interface Target {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** The current data of a transfer, for `--write-out`. */
interface Transfer {
  lookedUpMs?: number;
  remote?: { readonly ip: string; readonly port: number };
  answer?: HttpAnswer;
}

/**
 * `curl [-s] [-S] [-f] [-v] [-o FILE] [-w FORMAT] [-m SECONDS] [--connect-timeout SECONDS] [-H HEADER] [-X METHOD] [-d DATA] URL`
 *
 * Differs: it has no progress meter, and `-v` shows a refused connection like any other failure. It does not read data
 * from a file (`-d @FILE`).
 *
 * Upstream: curl/curl@curl-8_14_1 src/tool_operate.c
 */
export const curl: Program = async (process) => {
  const { clock, stderr, stdout } = process;
  const options = curlOptions(process.argv.slice(1));
  if ('code' in options) {
    stderr(`curl: ${options.message}\ncurl: try 'curl --help' or 'curl --manual' for more information\n`);
    return options.code;
  }
  const { flags, writeOut } = options;
  const startedMs = clock.now();
  const elapsedMs = (): number => Math.round(clock.now() - startedMs);
  const transfer: Transfer = {};
  const failure = await get(process, options, { transfer, elapsedMs });
  if (failure && (flags.has('S') || !flags.has('s'))) stderr(`curl: (${failure.code}) ${failure.message}\n`);
  stdout(written(writeOut, { ...transfer, url: options.url, totalMs: elapsedMs(), failure }));
  return failure?.code ?? 0;
};

/** Gets the page, and prints or saves it. @returns the failure, if any */
async function get(
  process: Process,
  options: CurlOptions,
  { transfer, elapsedMs }: { readonly transfer: Transfer; readonly elapsedMs: () => number },
): Promise<CurlFailure | undefined> {
  const { maxTimeMs, connectTimeoutMs, flags } = options;
  const target = targetOf(options.url);
  if (!target) return { code: 3, message: 'URL rejected: No host part in the URL' };
  const say = (line: string): void => void (flags.has('v') && process.stderr(`${line}\n`));
  const found = await lookUp(process, target.host, Math.min(maxTimeMs, connectTimeoutMs));
  transfer.lookedUpMs = elapsedMs();
  if (found === 'late') return { code: 28, message: `Resolving timed out after ${elapsedMs()} milliseconds` };
  const [ip] = found;
  if (ip === undefined) return { code: 6, message: `Could not resolve host: ${target.host}` };
  const { host, port } = target;
  if (!isAddress(host))
    say(`* Host ${host}:${port} was resolved.\n* IPv6: (none)\n* IPv4: ${found.join(', ')}`);
  say(`*   Trying ${ip}:${port}...`);
  transfer.remote = { ip, port };
  const headers = headersOf(target, options);
  const limits = { timeoutMs: maxTimeMs - elapsedMs(), connectTimeoutMs: connectTimeoutMs - elapsedMs() };
  try {
    transfer.answer = await process.network.request({
      ...target,
      method: options.method,
      host: ip,
      headers,
      ...(options.data === undefined ? {} : { body: options.data }),
      ...limits,
    });
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return failureOf(error, { host, port, elapsedMs: elapsedMs() });
  }
  tell(say, { target, ip, method: options.method, headers, answer: transfer.answer });
  return keep(process, options, transfer.answer);
}

/** Returns the addresses of a host; empty if it has none. */
async function lookUp(process: Process, host: string, withinMs: number): Promise<readonly string[] | 'late'> {
  const found = resolve(process, host).catch((error: unknown) => {
    if (error instanceof UnknownHost) return [];
    throw error;
  });
  const late = new Promise<'late'>((resolve) => {
    const cancel = process.clock.after(withinMs, () => resolve('late'));
    found.then(cancel, cancel);
  });
  return Promise.race([found, late]);
}

/** Prints the page, or writes it to a file. */
async function keep(
  { stdout, files }: Process,
  { flags, output = '-' }: CurlOptions,
  { status, body }: HttpAnswer,
): Promise<CurlFailure | undefined> {
  if (flags.has('f') && status >= 400)
    return { code: 22, message: `The requested URL returned error: ${status}` };
  if (output === '-') stdout(body);
  else if (output !== '/dev/null')
    await files.writeFile(output.startsWith('/') ? output : `/${output}`, body);
  return undefined;
}

/** Parses a URL; undefined for a URL without a host. The default scheme is HTTP. */
function targetOf(url: string): Target | undefined {
  const [, scheme = 'http', six, four, port, path = '/'] =
    /^(?:(https?):\/\/)?(?:\[([^\]]+)\]|([^/:]+))(?::(\d+))?(\/.*)?$/.exec(url) ?? [];
  const host = six ?? four;
  if (host === undefined || (scheme !== 'http' && scheme !== 'https')) return undefined;
  return { scheme, host, port: Number(port ?? defaultPort(scheme)), path };
}

function defaultPort(scheme: Target['scheme']): number {
  return scheme === 'https' ? 443 : 80;
}

function headersOf(
  { host, port, scheme }: Target,
  { headers, data }: CurlOptions,
): Readonly<Record<string, string>> {
  const named = port === defaultPort(scheme) ? host : `${host}:${port}`;
  const sent: Readonly<Record<string, string>> =
    data === undefined
      ? {}
      : {
          'content-length': String(bytesOfText(data).length),
          'content-type': 'application/x-www-form-urlencoded',
        };
  return { host: named, 'user-agent': `curl/${VERSION}`, accept: '*/*', ...sent, ...headers };
}

/** Prints the request and the answer for `-v`. */
function tell(
  say: (line: string) => void,
  {
    target: { host, port, path },
    ip,
    method,
    headers,
    answer,
  }: {
    readonly target: Target;
    readonly ip: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly answer: HttpAnswer;
  },
): void {
  say(`* Connected to ${host} (${ip}) port ${port}`);
  say(`> ${method} ${path} HTTP/1.1`);
  for (const [name, value] of Object.entries(headers)) say(`> ${titled(name)}: ${value}`);
  say('> \n* Request completely sent off');
  say(`< HTTP/1.1 ${answer.status}${reasons[answer.status] ?? ''}`);
  for (const [name, value] of Object.entries(answer.headers)) say(`< ${titled(name)}: ${value}`);
  say(`< \n* Connection #0 to host ${host} left intact`);
}

const reasons: Readonly<Record<number, string>> = {
  200: ' OK',
  302: ' Found',
  400: ' Bad Request',
  404: ' Not Found',
  500: ' Internal Server Error',
  503: ' Service Unavailable',
};

/** Formats a header name: `User-Agent` for `user-agent`. */
function titled(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());
}

/** Formats the text of `--write-out`. Upstream: curl/curl@curl-8_14_1 src/tool_writeout.c */
function written(
  format: string,
  {
    answer,
    remote,
    lookedUpMs = 0,
    totalMs,
    url,
    failure,
  }: Transfer & { readonly url: string; readonly totalMs: number; readonly failure: CurlFailure | undefined },
): string {
  const seconds = (ms: number): string => (ms / 1_000).toFixed(6);
  const code = String(answer?.status ?? 0).padStart(3, '0');
  const values: Readonly<Record<string, string>> = {
    http_code: code,
    response_code: code,
    remote_ip: remote?.ip ?? '',
    remote_port: String(answer ? remote?.port : 0),
    size_download: String(answer?.body.length ?? 0),
    time_namelookup: seconds(lookedUpMs),
    time_total: seconds(totalMs),
    url,
    url_effective: url,
    exitcode: String(failure?.code ?? 0),
    errormsg: failure?.message ?? '',
  };
  return format
    .replace(/%\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    .replaceAll('%%', '%')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t');
}
