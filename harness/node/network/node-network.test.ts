import { describe, expect, test } from 'vitest';
import { Simulation } from '../../sim/index.ts';
import { machineAlone, sandboxConfig } from '../machine.fixture.ts';
import { serves } from '../programs/scripted.ts';
import { ClusterNetwork } from './cluster-network.ts';

/** Returns the code and the message of a failed call, and how many ms it took. */
async function failed(sim: Simulation, call: () => Promise<unknown>) {
  const beforeMs = sim.elapsedMs;
  const error = await sim.settle(
    call().then(
      () => ({ code: 'none', message: 'it did not fail' }),
      (thrown: { code: string; message: string }) => thrown,
    ),
  );
  return [error.code, error.message, sim.elapsedMs - beforeMs];
}

const http = { scheme: 'http', method: 'GET', path: '/', headers: {}, port: 80, timeoutMs: 1_000 } as const;

describe('The network of a node', () => {
  test('delivers requests unchanged to a server in a sandbox', async () => {
    const echo = serves({
      http: ({ method, path, headers }) => ({
        status: 201,
        headers: { x: '1' },
        body: `${method} ${path} ${headers.a}`,
      }),
    });
    const { run, settle, network } = machineAlone({ programs: { nginx: echo } });
    const { ip } = await run('nginx:1.27');
    const answer = network.request({
      ...http,
      host: ip,
      method: 'POST',
      path: '/p?q=1',
      headers: { a: 'b' },
    });
    expect(await settle(answer)).toEqual({ status: 201, headers: { x: '1' }, body: 'POST /p?q=1 b' });
    await settle(network.connect({ host: ip, port: 80, timeoutMs: 1 }));
  });

  test('reports an unusable address in Go’s words', async () => {
    const { run, sim, network } = machineAlone();
    const { ip } = await run('nginx:1.27');
    const request = (of: object) => () => network.request({ ...http, host: ip, ...of });
    const refused = `dial tcp ${ip}:81: connect: connection refused`;
    expect(await failed(sim, request({ port: 81 }))).toEqual(['ECONNREFUSED', refused, 0]);
    const nowhere = 'dial tcp 10.244.1.99:80';
    expect(await failed(sim, request({ host: '10.244.1.99', timeoutMs: 5_000 }))).toEqual([
      'EHOSTUNREACH',
      `${nowhere}: connect: no route to host`,
      3_000,
    ]);
    expect(await failed(sim, request({ host: '10.244.1.99' }))).toEqual([
      'ETIMEDOUT',
      `${nowhere}: i/o timeout (Client.Timeout exceeded while awaiting headers)`,
      1_000,
    ]);
    const connect = () => network.connect({ host: '10.244.1.99', port: 80, timeoutMs: 700 });
    expect(await failed(sim, connect)).toEqual(['ETIMEDOUT', `${nowhere}: i/o timeout`, 700]);
    expect(await failed(sim, request({ scheme: 'https' }))).toEqual([
      'EPROTO',
      'http: server gave HTTP response to HTTPS client',
      0,
    ]);
  });

  test.each([
    [999, 200],
    [1_001, 'ETIMEDOUT'],
  ])('times out exactly at the limit: %d', async (answersAfterMs, outcome) => {
    const { run, sim, network, settle } = machineAlone({ programs: { nginx: serves({ answersAfterMs }) } });
    const { ip } = await run('nginx:1.27');
    const request = () => network.request({ ...http, host: ip });
    if (outcome === 200) {
      expect(await settle(request())).toMatchObject({ status: 200 });
      return;
    }
    const late = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
    expect(await failed(sim, request)).toEqual([outcome, late, 1_000]);
  });

  test('resets a connection when the server is killed', async () => {
    const { run, sim, network, machine } = machineAlone({
      programs: { nginx: serves({ answersAfterMs: 900 }) },
    });
    const { ip, id } = await run('nginx:1.27');
    sim.schedule(400, 'test', 'kill', () => machine.signal(id, 'SIGKILL'));
    const request = () => network.request({ ...http, host: ip });
    expect(await failed(sim, request)).toEqual(['ECONNRESET', 'EOF', 400]);
  });

  test('checks health over gRPC, and retries the connection until the timeout', async () => {
    const programs = {
      nginx: serves({ health: (service) => (service === 'db' ? 'NOT_SERVING' : 'SERVING') }),
      'httpd-foreground': serves({ listensAfterMs: 2_000, health: () => 'SERVING' }),
      'redis-server': serves({ port: 80 }),
    };
    const { run, sim, network, settle } = machineAlone({ programs });
    const check = (host: string, service = '', timeoutMs = 1_000) =>
      network.healthCheck({ host, port: 80, service, timeoutMs });
    const { ip } = await run('nginx:1.27', {}, sandboxConfig('a'));
    expect(await settle(check(ip))).toBe('SERVING');
    expect(await settle(check(ip, 'db'))).toBe('NOT_SERVING');
    const plain = await run('redis:8', {}, sandboxConfig('b'));
    expect((await failed(sim, () => check(plain.ip)))[0]).toBe('UNIMPLEMENTED');
    const slow = await run('httpd:2.4', {}, sandboxConfig('c'));
    const refused = `dial tcp ${slow.ip}:80: connect: connection refused`;
    expect(await failed(sim, () => check(slow.ip))).toEqual(['ECONNREFUSED', refused, 1_000]);
    expect(await settle(check(slow.ip, '', 5_000))).toBe('SERVING');
  });

  test('reaches servers in the host’s network, and pods through host ports', async () => {
    const { run, get, machine, settle } = machineAlone();
    const { ip } = machine.host;
    await run('nginx:1.27', {}, sandboxConfig('host', { network: 'node' }));
    expect((await get(ip, 80)).status).toBe(200);
    expect((await get('127.0.0.1', 80)).status).toBe(200);
    const portMappings = [{ protocol: 'TCP', containerPort: 80, hostPort: 8080 }] as const;
    const mapped = await run('httpd:2.4', {}, sandboxConfig('mapped', { portMappings }));
    expect((await get(ip, 8080)).body).toContain('It works!');
    await settle(machine.host.runtime.stopPodSandbox(mapped.sandboxId));
    await expect(get(ip, 8080)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('reaches pods of other nodes, but no pod on a node that is powered off', async () => {
    const sim = new Simulation();
    const network = new ClusterNetwork(sim);
    const [one, two] = ['node-1', 'node-2'].map((node) => machineAlone({ sim, network, node }));
    const { ip } = (await two?.run('nginx:1.27')) ?? { ip: '' };
    expect(ip).toBe('10.244.2.2');
    expect((await one?.get(ip, 80))?.status).toBe(200);
    two?.machine.powerOff();
    const outcome = async (host: string) => {
      const request = () => one?.network.request({ ...http, host, timeoutMs: 9_000 }) ?? Promise.resolve();
      return (await failed(sim, request))[0];
    };
    // For a while the neighbour table still has the old entry, and no error reports that the host is down.
    expect(await outcome(ip)).toBe('ETIMEDOUT');
    await sim.run({ forMs: 30_000 });
    expect(await outcome(ip)).toBe('EHOSTUNREACH');
    expect(await outcome('192.168.0.2')).toBe('EHOSTUNREACH');
  });
});
