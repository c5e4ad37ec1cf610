import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Components } from '../../contracts/component.ts';
import { listen } from '../../mount/node.ts';
import { realClock } from '../../mount/real-clock.ts';
import { type KeyPair, servingCertificate } from '../../mount/tls.ts';
import {
  type Front,
  type Received,
  receivedFrom,
  requestOf,
  type Sent,
} from '../../serving/hostile/front.fixture.ts';
import { kubeconfig } from '../../serving/kubeconfig.ts';
import { ServedCluster, type ServedClusterOptions } from '../../serving/served-cluster.ts';
import { type Output, shell } from '../kubectl.ts';

/** A whole secured cluster over HTTPS, for a real curl and a real kubectl. */
export interface Programs extends Front {
  /** Runs a command in a private folder, as the user of this certificate or token. `$URL` is the server. */
  run(command: string, user?: KeyPair | { readonly token: string }): Promise<Output>;
  /** Writes a certificate and its key. Returns the arguments of curl that present them. */
  presenting(pair: KeyPair): Promise<readonly string[]>;
  /** Writes a file into the private folder. */
  write(name: string, content: string): Promise<void>;
}

/** The virtual seconds per real second. */
const SPEED = 10;

/** Starts a whole cluster, of two nodes unless the options say otherwise. */
export async function openPrograms(
  components: Partial<Components>,
  options: ServedClusterOptions = {},
): Promise<Programs> {
  const served = await ServedCluster.of(components, { speed: SPEED, callsRealWebhooks: true, ...options });
  const { cluster, pki, url } = served;
  const admin = pki.admin(realClock.now());
  const home = await mkdtemp(path.join(tmpdir(), 'hostile-'));
  let files = 0;
  const write = (name: string, content: string): Promise<void> => writeFile(path.join(home, name), content);
  await write('ca.crt', pki.authority.pem);

  const run: Programs['run'] = async (command, user = admin) => {
    files += 1;
    const config = path.join(home, `config-${files}`);
    await writeFile(config, kubeconfig({ server: url, ca: pki.authority.pem, user }));
    const env = { GOGC: 'off', HOME: home, KUBECONFIG: config, TMPDIR: home, URL: url };
    return shell(command, { cwd: home, env });
  };
  const presenting: Programs['presenting'] = async ({ cert, key }) => {
    files += 1;
    const name = `client-${files}`;
    await write(`${name}.crt`, cert);
    await write(`${name}.key`, key);
    return ['--cert', `${name}.crt`, '--key', `${name}.key`];
  };
  return {
    ...{ cluster, pki, admin, run, presenting, write },
    async send(at: string, { pair, ...sent }: Sent = {}): Promise<Received> {
      const { method, headers, body } = requestOf(sent);
      const data = body === undefined ? [] : ['--data-binary', body];
      const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
      const words = ['-X', method, ...lines, ...data, ...(pair ? await presenting(pair) : []), `${url}${at}`];
      const { code, out, err } = await run(
        `curl -sS --path-as-is --cacert ca.crt -w '\\n%{http_code}' ${words.map(quoted).join(' ')}`,
      );
      if (code !== 0) throw new Error(`curl failed: ${err}`);
      const end = out.lastIndexOf('\n');
      return receivedFrom(Number(out.slice(end + 1)), out.slice(0, end));
    },
    async serve(handler) {
      const tls = servingCertificate({ hosts: ['localhost'], nowMs: realClock.now() });
      const server = await listen(handler, { tls });
      return {
        url: `https://localhost:${new URL(server.url).port}`,
        caBundle: btoa(tls.ca),
        [Symbol.asyncDispose]: () => server.close(),
      };
    },
    pass: (ms) => cluster.clock.sleep(ms),
    settle: (promise) => promise,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await rm(home, { recursive: true });
    },
  };
}

/** Returns a word for the shell. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
