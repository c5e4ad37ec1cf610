import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** The reason to skip a test that needs an etcd. */
export const NO_ETCD = 'etcd is not installed (Debian: apt-get install etcd-server)';

/** Returns the version of etcd on this machine, `3.4.23`; undefined if it is not installed. */
export function etcdVersion(): string | undefined {
  const { stdout } = spawnSync('etcd', ['--version'], { encoding: 'utf8' });
  return /etcd Version: (\S+)/.exec(stdout ?? '')?.[1];
}

/** A local etcd with an empty store. Its end removes its files. */
export interface Etcd extends AsyncDisposable {
  /** The address of its JSON gateway, and of its gRPC. */
  readonly url: string;
}

/** Options of {@link startEtcd}. */
export interface EtcdOptions {
  /** In PEM. @defaultValue etcd serves HTTP */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** Whether etcd syncs each write to the disk. @defaultValue false, because a test does not cut the power */
  readonly syncs?: boolean;
}

/** Starts etcd on free ports of the loopback interface. Resolves when it serves. @throws Error when it ends before */
export async function startEtcd({ certificate, syncs = false }: EtcdOptions = {}): Promise<Etcd> {
  const folder = await mkdtemp(path.join(tmpdir(), 'etcd-'));
  const url = `${certificate ? 'https' : 'http'}://127.0.0.1:${await freePort()}`;
  const peers = `http://127.0.0.1:${await freePort()}`;
  const flags = {
    'data-dir': path.join(folder, 'data'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `default=${peers}`,
    logger: 'zap',
    'log-outputs': 'stderr',
    ...(certificate && (await filesOf(certificate, folder))),
  };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  // A version that does not know the variable ignores it, but an unknown flag ends it.
  const env = { ...process.env, ...(!syncs && { ETCD_UNSAFE_NO_FSYNC: 'true' }) };
  const etcd = spawn('sh', ['-c', UNTIL_INPUT_ENDS, folder, ...words], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env,
  });
  const ended = once(etcd, 'exit');
  const close = async (): Promise<void> => {
    etcd.stdin.end();
    await ended;
  };
  await serving(etcd, close);
  return { url, [Symbol.asyncDispose]: close };
}

/**
 * Some users have no teardown, such as a benchmark. etcd and its folder are removed when the process at the other end of
 * the pipe exits. Only etcd writes to the standard error, so that its end is the end of etcd.
 */
const UNTIL_INPUT_ENDS =
  'etcd "$@" & pid=$!; exec 2> /dev/null; cat > /dev/null; kill -9 $pid; wait; rm -rf "$0"';

/** Resolves when etcd reports that it serves clients. @throws Error when it ends before */
async function serving(
  { stderr }: ChildProcessByStdio<Writable, null, Readable>,
  close: () => Promise<void>,
): Promise<void> {
  let log = '';
  const isServing = await new Promise<boolean>((resolve) => {
    stderr.setEncoding('utf8').on('data', (text: string) => {
      if (log.includes(SERVING)) return;
      log += text;
      if (log.includes(SERVING)) resolve(true);
    });
    stderr.once('end', () => resolve(false));
  });
  if (isServing) return;
  await close();
  throw new Error(`Failed to start etcd: it ended. Its log: ${log}`);
}

/** Upstream: etcd-io/etcd@v3.4.23 embed/serve.go serveCtx.serve; the messages go on differently with and without TLS */
const SERVING = '"serving client traffic ';

async function filesOf(
  { cert, key }: NonNullable<EtcdOptions['certificate']>,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const [certFile, keyFile] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)]);
  return { 'cert-file': certFile, 'key-file': keyFile };
}

/** The gateway of etcd calls etcd at the port of its flag, so that port cannot be 0. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
