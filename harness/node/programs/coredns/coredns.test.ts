import { describe, expect, test } from 'vitest';
import type { DnsMessage, DnsQuestion, KubernetesDns } from '../../../contracts/index.ts';
import { machineAlone, sandboxConfig } from '../../machine.fixture.ts';
import { coredns, type StartKubernetesDns } from './coredns.ts';

const COREFILE = `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa {
       pods insecure
       fallthrough in-addr.arpa
       ttl 30
    }
    loadbalance
}
`;

function answerOf(question: DnsQuestion, addresses: readonly string[]): DnsMessage {
  const { name } = question;
  return {
    question,
    rcode: 'NOERROR',
    authoritative: true,
    answer: addresses.map((address) => ({ name, ttl: 30, type: 'A', address })),
    authority: [],
    additional: [],
  };
}

/** Starts CoreDNS in a container of a machine, with a plugin that resolves one name. */
async function start(corefile: string | undefined, { syncsAfterMs = 0 } = {}) {
  const stanzas: unknown[] = [];
  const startKubernetes: StartKubernetesDns = (process, stanza): KubernetesDns => {
    const startedMs = process.clock.now();
    stanzas.push(stanza);
    return {
      hasSynced: () => process.clock.now() - startedMs >= syncsAfterMs,
      answer: async (question) =>
        question.name === 'web.'
          ? answerOf(question, ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'])
          : undefined,
    };
  };
  const alone = machineAlone({
    programs: { coredns: coredns(startKubernetes) },
    preloaded: ['registry.k8s.io/coredns/coredns:v1.14.2', 'nginx:1.29', 'busybox:1.37'],
  });
  const { machine, settle, runtime } = alone;
  if (corefile !== undefined) await settle(machine.files.writeFile('/Corefile', corefile));
  const mounts = [{ containerPath: '/etc/coredns/Corefile', hostPath: '/Corefile', readonly: true }];
  const sandbox = sandboxConfig('coredns');
  const { id, ip } = await alone.run(
    'registry.k8s.io/coredns/coredns:v1.14.2',
    { args: ['-conf', '/etc/coredns/Corefile'], ...(corefile !== undefined && { mounts }) },
    sandbox,
  );
  /** Runs a script in another pod, and returns its output. */
  const client = async (script: string): Promise<readonly string[]> => {
    const dns = { servers: [ip], searches: ['cluster.local'], options: ['ndots:5'] };
    const other = await alone.shell(script, {}, sandboxConfig(`client-${alone.sim.elapsedMs}`, { dns }));
    await alone.sim.run({ forMs: 30_000 });
    return (await alone.log(other.id)).map((line) => line.split(' ').slice(2).join(' '));
  };
  return {
    ...alone,
    id,
    ip,
    stanzas,
    client,
    said: async () => (await alone.log(id)).join('\n'),
    stop: () => settle(runtime.stopContainer(id, 30)),
  };
}

describe('CoreDNS', () => {
  test('parses its Corefile', async () => {
    const { stanzas } = await start(COREFILE);
    expect(stanzas).toEqual([
      {
        zones: ['cluster.local.', 'in-addr.arpa.'],
        pods: 'insecure',
        ttl: 30,
        fallthrough: ['in-addr.arpa.'],
      },
    ]);
  });

  test.each([
    ['its Corefile is missing', undefined, /Corefile/],
    ['a directive is unknown', '.:53 {\n  nonsense\n}\n', /Unknown directive 'nonsense'/],
    ['it finds no server for forward', '.:53 {\n  forward . /etc/none\n}\n', /none/],
    ['a TTL is too long', '.:53 {\n  kubernetes a {\n    ttl 4000\n  }\n}\n', /ttl must be in range/],
  ])('does not start if %s', async (_, corefile, message) => {
    const { sim, status, said, id } = await start(corefile);
    await sim.run({ forMs: 1_000 });
    expect(await status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 1 });
    expect(await said()).toMatch(message);
  });

  test('returns addresses in a different order each time', async () => {
    const { client } = await start(COREFILE);
    const addresses = (await client('nslookup -type=A web.; nslookup -type=A web.; nslookup -type=A web.'))
      .filter((line) => line.startsWith('Address: '))
      .map((line) => line.slice('Address: '.length));
    const orders = [0, 4, 8].map((from) => addresses.slice(from, from + 4));
    expect(orders.map((order) => [...order].sort())).toEqual(
      Array(3).fill(['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4']),
    );
    expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
  });

  test('fails for other names if it has no server to forward to', async () => {
    const { client } = await start(COREFILE);
    expect(await client('nslookup -type=A example.com.')).toContain(
      "** server can't find example.com: SERVFAIL",
    );
  });

  test('answers and becomes ready when its plugin has synced', async () => {
    const { sim, get, ip, said } = await start(COREFILE, { syncsAfterMs: 2_000 });
    const ready = async () => (await get(ip, 8181, { path: '/ready' })).status;
    expect([await ready(), await said()]).toEqual([503, '']);
    await sim.run({ forMs: 3_000 });
    expect(await ready()).toBe(200);
    expect(await said()).toContain('waiting for Kubernetes API before starting server');
    expect(await said()).toContain('CoreDNS-1.14.2');
  });

  test('answers after five seconds even without a sync', async () => {
    const { sim, get, ip, said, client } = await start(COREFILE, { syncsAfterMs: 600_000 });
    await sim.run({ forMs: 4_000 });
    expect(await said()).not.toContain('CoreDNS-1.14.2');
    await sim.run({ forMs: 2_000 });
    expect(await said()).toContain('starting server with unsynced Kubernetes API');
    expect(await client('nslookup -type=A web.')).toContain('Address: 10.0.0.1');
    expect((await get(ip, 8181, { path: '/ready' })).status).toBe(503);
  });

  test('continues to answer for five seconds after SIGTERM', async () => {
    const { stop, sim, status, id, said } = await start(COREFILE);
    const beforeMs = sim.elapsedMs;
    await stop();
    expect(sim.elapsedMs - beforeMs).toBeGreaterThanOrEqual(5_000);
    expect(await status(id)).toMatchObject({ exitCode: 0 });
    expect(await said()).toContain('Going into lameduck mode for 5s');
  });

  test('exits if it would forward to itself', async () => {
    const { sim, status, id, said } = await start('.:53 {\n  forward . 127.0.0.1\n  loop\n}\n');
    await sim.run({ forMs: 1_000 });
    expect(await status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 1 });
    expect(await said()).toContain('plugin/loop: Loop');
  });
});
