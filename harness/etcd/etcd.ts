import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { realClock } from './real-clock.ts';
import type { ServingCertificate } from './tls.ts';

/** Returns the version of etcd on this machine; undefined if it is not installed. */
export function etcdVersion(): string | undefined {
  const { stdout } = spawnSync('etcd', ['--version'], { encoding: 'utf8' });
  return /etcd Version: (\S+)/.exec(stdout ?? '')?.[1];
}

/** A local etcd with an empty store and a JSON gateway over HTTPS. */
interface Etcd extends AsyncDisposable {
  readonly url: string;
}

/** Starts etcd. @throws Error when it does not answer within ten seconds */
export async function startEtcd({ ca, cert, key }: ServingCertificate): Promise<Etcd> {
  const folder = await mkdtemp(path.join(tmpdir(), 'etcd-'));
  const [certFile, keyFile] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)]);
  const url = `https://127.0.0.1:${await freePort()}`;
  const peers = `http://127.0.0.1:${await freePort()}`;
  const flags = {
    'data-dir': path.join(folder, 'data'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `default=${peers}`,
    'cert-file': certFile,
    'key-file': keyFile,
    'log-level': 'error',
  };
  const options = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const etcd = spawn('sh', ['-c', UNTIL_INPUT_ENDS, folder, ...options], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let complaints = '';
  etcd.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const close = async (): Promise<void> => {
    const ended = once(etcd, 'exit');
    etcd.stdin.end();
    await ended;
  };
  for (let tries = 0; tries < 100; tries++) {
    if (await isHealthy(url, ca)) {
      return { url, [Symbol.asyncDispose]: close };
    }
    await realClock.sleep(100);
  }
  await close();
  throw new Error(`Failed to start etcd: it does not answer at ${url}. It says: ${complaints}`);
}

/**
 * A benchmark has no teardown. etcd and its directory are removed when the process at the other end of the pipe exits.
 */
const UNTIL_INPUT_ENDS = 'etcd "$@" & pid=$!; cat > /dev/null; kill -9 $pid; wait; rm -rf "$0"';

function isHealthy(url: string, ca: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(`${url}/health`, { ca }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
