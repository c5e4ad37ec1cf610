import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Service } from '../api/objects.ts';
import { services } from '../api/resource.ts';
import { ApiServer } from './apiserver.ts';
import { key, refusal, type World, world } from './verbs/replicas.fixture.ts';

const sent = (name: string, spec: object = {}) => ({
  metadata: key(name),
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
});
const create = ({ server }: Pick<World, 'server'>, name: string, spec?: object): Promise<Service> =>
  server.create(services, sent(name, spec));

describe('Allocators', () => {
  test('assign an address to a Service when it is created', async () => {
    expect((await create(await world(), 'a')).spec).toMatchObject({
      clusterIP: '10.96.1.1',
      clusterIPs: ['10.96.1.1'],
      type: 'ClusterIP',
    });
  });

  test('assign a node port when an update requests one, and release it later', async () => {
    const { server } = await world();
    const created = await create({ server }, 'a');
    const exposed = await server.update(services, {
      ...created,
      spec: { ...created.spec, type: 'NodePort' },
    });
    const [port] = exposed.spec.ports ?? [];
    expect(port?.nodePort).toBeGreaterThanOrEqual(30_000);
    await server.update(services, { ...exposed, spec: { ...exposed.spec, type: 'ClusterIP' } });
    const asking = { type: 'NodePort', ports: [{ port: 80, nodePort: port?.nodePort }] };
    expect((await create({ server }, 'b', asking)).spec.ports?.[0]?.nodePort).toBe(port?.nodePort);
  });

  test("keep the address when the Service's original YAML is sent again, and through patches", async () => {
    const { server } = await world();
    const { spec } = await create({ server }, 'a');
    const again = await server.update(services, { apiVersion: 'v1', kind: 'Service', ...sent('a') });
    expect(again.spec.clusterIP).toBe(spec.clusterIP);
    const body = { spec: { ports: [{ port: 81 }] } };
    const patched = await server.patch(services, key('a'), { type: 'merge', body });
    expect(patched.spec).toMatchObject({ clusterIP: spec.clusterIP, ports: [{ port: 81 }] });
  });

  test('allocate nothing for a rejected request or a dry run', async () => {
    const made = await world();
    await made.server.create(services, sent('dry'), { dryRun: true });
    expect(await refusal(create(made, 'bad', { ports: [], sessionAffinity: 'x' }))).toMatch(/^422/);
    expect((await create(made, 'a')).spec.clusterIP).toBe('10.96.1.1');
  });

  test('reject at one replica a value that another has allocated', async () => {
    const { server, other } = await world();
    await create({ server }, 'a', { clusterIP: '10.96.0.10' });
    expect(await refusal(create({ server: other }, 'b', { clusterIP: '10.96.0.10' }))).toBe(
      '422 Invalid: Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.10"]: failed to allocate IP 10.96.0.10: provided IP is already allocated',
    );
    await server.delete(services, key('a'));
    expect((await create({ server: other }, 'b', { clusterIP: '10.96.0.10' })).spec.clusterIP).toBe(
      '10.96.0.10',
    );
  });

  test('of a later replica know the allocated values', async () => {
    const { sim, storage, server } = await world();
    await create({ server }, 'a');
    const late = new ApiServer({ clock: sim.clock, random: sim.random.fork('late'), storage });
    expect((await create({ server: late }, 'b')).spec.clusterIP).toBe('10.96.1.2');
  });

  test('Exclusive: no two Services share an address or a port, whichever replica writes and however stale it is', async () => {
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      at: fc.constantFrom('server', 'other'),
      type: fc.constantFrom('ClusterIP', 'NodePort', 'ExternalName', undefined),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const made = await world();
        made.other.cache.hold();
        for (const { name, at, type } of steps) {
          const server = made[at as 'server' | 'other'];
          const current = made.storage.get(services, key(name)) as Service | undefined;
          const external =
            type === 'ExternalName' ? { externalName: 'a.example', clusterIP: '', clusterIPs: [] } : {};
          if (!current) await create({ server }, name, { type: type ?? 'ClusterIP', ...external });
          else if (!type) await server.delete(services, key(name));
          else
            await server.update(services, {
              ...sent(name, { type, ...external }),
              apiVersion: 'v1',
              kind: 'Service',
            });
          const all = made.storage.list(services) as Service[];
          const ips = all.flatMap(({ spec }) => spec.clusterIPs ?? []);
          const ports = all.flatMap(({ spec }) =>
            (spec.ports ?? []).flatMap(({ nodePort }) => nodePort ?? []),
          );
          expect(new Set(ips).size).toBe(ips.length);
          expect(new Set(ports).size).toBe(ports.length);
          expect(ips).toHaveLength(all.filter(({ spec }) => spec.type !== 'ExternalName').length);
        }
      }),
    );
  });
});
