import { describe, expect, test } from 'vitest';
import type { Event } from '../api/objects.ts';
import { configMaps, events, nodes } from '../api/resource.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { recordingAs, writesOf } from '../cluster/recorded-events.fixture.ts';

const world = () => recordingAs('web-controller');

/** Those that are there, in the order in which they came. */
function told({ storage }: Cluster): Event[] {
  const all = storage.list(events) as Event[];
  const since = (event: Event): number => Number.parseInt(event.metadata.name.split('.').at(-1) ?? '', 16);
  return all.sort((a, b) => since(a) - since(b));
}

const messages = (cluster: Cluster): string[] =>
  told(cluster).map(({ message, count }) => `${count} × ${message}`);

const requests = (cluster: Cluster): string[] => writesOf(cluster, 'web-controller');

describe('An event', () => {
  test('says what happened to which object, which component says so, and when', async () => {
    const { cluster, recorder, about } = await world();
    recorder.event(about, 'Normal', 'Created', 'Created it');
    await cluster.runFor(10);
    const [event] = told(cluster);
    expect(event).toMatchObject({
      metadata: { namespace: 'default' },
      involvedObject: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        namespace: 'default',
        name: 'web',
        uid: about.metadata.uid,
        resourceVersion: about.metadata.resourceVersion,
      },
      type: 'Normal',
      reason: 'Created',
      message: 'Created it',
      source: { component: 'web-controller' },
      reportingComponent: 'web-controller',
      firstTimestamp: '2024-04-17T00:00:00Z',
      lastTimestamp: '2024-04-17T00:00:00Z',
      count: 1,
    });
  });

  test('is named for its object and the nanosecond, so that no two have one name', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 0; i < 5; i++) recorder.event(about, 'Normal', `Reason${i}`, 'x');
    await cluster.runFor(100);
    const names = told(cluster).map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(5);
    for (const name of names) {
      const [, hex = ''] = /^web\.([0-9a-f]+)$/.exec(name) ?? [];
      expect(new Date(Number(BigInt(`0x${hex}`) / 1_000_000n)).toISOString()).toBe(
        '2024-04-17T00:00:00.001Z',
      );
    }
  });

  test('have names of their own where that of the object makes none', async () => {
    const { cluster, recorder, about } = await world();
    const odd = { ...about, metadata: { ...about.metadata, name: 'system:node' } };
    recorder.event(odd, 'Normal', 'Created', 'x');
    await cluster.runFor(10);
    expect(told(cluster).map(({ metadata }) => metadata.name)).toEqual([
      expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    ]);
  });

  test('of an object without a namespace is in default', async () => {
    const { cluster, recorder } = await world();
    const node = await cluster.admin.create(nodes, { metadata: { name: 'node-1' } } as never);
    recorder.event(node, 'Warning', 'Lost', 'It is lost');
    await cluster.runFor(10);
    expect(told(cluster)).toMatchObject([
      { metadata: { namespace: 'default' }, involvedObject: { kind: 'Node', name: 'node-1' } },
    ]);
  });

  test('keeps no caller waiting', async () => {
    const { cluster, recorder, about } = await world();
    expect(recorder.event(about, 'Normal', 'Created', 'x')).toBeUndefined();
    expect(requests(cluster)).toEqual([]);
  });
});

describe('Events that say the same again', () => {
  test('are counted, in the first', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 0; i < 3; i++) {
      recorder.event(about, 'Warning', 'Failed', 'no luck');
      await cluster.runFor(2_000);
    }
    expect(requests(cluster)).toEqual(['create ok', 'patch ok', 'patch ok']);
    expect(told(cluster)).toMatchObject([
      { count: 3, firstTimestamp: '2024-04-17T00:00:00Z', lastTimestamp: '2024-04-17T00:00:04Z' },
    ]);
  });

  test('are made anew, with their count, when the first is gone', async () => {
    const { cluster, recorder, about } = await world();
    recorder.event(about, 'Warning', 'Failed', 'no luck');
    await cluster.runFor(10);
    await cluster.admin.deleteCollection(events, { namespace: 'default' });
    recorder.event(about, 'Warning', 'Failed', 'no luck');
    await cluster.runFor(10);
    expect(requests(cluster)).toEqual(['create ok', 'patch NotFound', 'create ok']);
    expect(messages(cluster)).toEqual(['2 × no luck']);
  });

  test('are others when they are about another object, of another type, or for another reason', async () => {
    const { cluster, recorder, about } = await world();
    const other = await cluster.admin.create(configMaps, { metadata: { namespace: 'default', name: 'b' } });
    recorder.event(about, 'Normal', 'Failed', 'no luck');
    recorder.event(about, 'Warning', 'Failed', 'no luck');
    recorder.event(about, 'Normal', 'Lost', 'no luck');
    recorder.event(other, 'Normal', 'Failed', 'no luck');
    await cluster.runFor(100);
    expect(messages(cluster)).toEqual(Array(4).fill('1 × no luck'));
  });
});

describe('Events that differ in their words only', () => {
  test('are others when they are about another part of it', async () => {
    const { cluster, recorder, about } = await world();
    const { namespace = '', name, uid } = about.metadata;
    const whole = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name, uid };
    const part = (fieldPath: string) => ({ ...whole, fieldPath });
    recorder.event(part('data{a}'), 'Normal', 'Created', 'Created it');
    recorder.event(part('data{b}'), 'Normal', 'Created', 'Created it');
    await cluster.runFor(10);
    expect(messages(cluster)).toEqual(['1 × Created it', '1 × Created it']);
  });

  test('are combined from the tenth on', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 1; i <= 12; i++) recorder.event(about, 'Normal', 'Created', `Created pod: web-${i}`);
    await cluster.runFor(1_000);
    const all = messages(cluster);
    expect(all.slice(0, 9)).toEqual(Array.from({ length: 9 }, (_, i) => `1 × Created pod: web-${i + 1}`));
    expect(all.slice(9)).toEqual(['3 × (combined from similar events): Created pod: web-12']);
  });

  test('are told one by one again when there was none for ten minutes', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 1; i <= 10; i++) recorder.event(about, 'Normal', 'Created', `Created pod: web-${i}`);
    await cluster.runFor(600_100);
    recorder.event(about, 'Normal', 'Created', 'Created pod: web-11');
    await cluster.runFor(1_000);
    expect(messages(cluster).at(-1)).toBe('1 × Created pod: web-11');
  });
});

describe('An object that has many events', () => {
  test('has twenty-five at once, and then one in five minutes; all are counted', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 0; i < 30; i++) recorder.event(about, 'Warning', 'Failed', 'no luck');
    await cluster.runFor(1_000);
    expect(messages(cluster)).toEqual(['25 × no luck']);
    await cluster.runFor(300_000);
    for (let i = 0; i < 3; i++) recorder.event(about, 'Warning', 'Failed', 'no luck');
    await cluster.runFor(1_000);
    expect(messages(cluster)).toEqual(['31 × no luck']);
    expect(requests(cluster)).toHaveLength(26);
  });

  test('has as many of the other type besides', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 0; i < 30; i++) recorder.event(about, 'Warning', 'Failed', 'no luck');
    for (let i = 0; i < 30; i++) recorder.event(about, 'Normal', 'Tried', 'some luck');
    await cluster.runFor(1_000);
    expect(messages(cluster)).toEqual(['25 × no luck', '25 × some luck']);
  });

  test('takes nothing from others', async () => {
    const { cluster, recorder, about } = await world();
    const other = await cluster.admin.create(configMaps, { metadata: { namespace: 'default', name: 'b' } });
    for (let i = 0; i < 30; i++) recorder.event(about, 'Warning', 'Failed', 'no luck');
    recorder.event(other, 'Warning', 'Failed', 'no luck');
    await cluster.runFor(1_000);
    expect(messages(cluster)).toEqual(['25 × no luck', '1 × no luck']);
  });
});

describe('An event that cannot be written', () => {
  test('waits for the server to come back, and all others behind it', async () => {
    const { cluster, recorder, about } = await world();
    cluster.nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 35_000 });
    recorder.event(about, 'Normal', 'First', 'x');
    recorder.event(about, 'Normal', 'Second', 'x');
    await cluster.runFor(30_000);
    expect(messages(cluster)).toEqual([]);
    expect(requests(cluster).every((line) => line === 'create ECONNREFUSED')).toBe(true);
    await cluster.runFor(20_000);
    expect(told(cluster).map(({ reason }) => reason)).toEqual(['First', 'Second']);
    expect(requests(cluster).slice(-2)).toEqual(['create ok', 'create ok']);
  });

  test('is given up after twelve tries', async () => {
    const { cluster, recorder, about } = await world();
    cluster.nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 150_000 });
    recorder.event(about, 'Normal', 'First', 'x');
    await cluster.runFor(300_000);
    expect(requests(cluster)).toEqual(Array(12).fill('create ECONNREFUSED'));
    recorder.event(about, 'Normal', 'Second', 'x');
    await cluster.runFor(10);
    expect(told(cluster).map(({ reason }) => reason)).toEqual(['Second']);
  });

  test('is dropped when the server refuses it', async () => {
    const { cluster, recorder, about } = await world();
    const elsewhere = { ...about, metadata: { ...about.metadata, namespace: 'gone' } };
    recorder.event(elsewhere, 'Normal', 'First', 'x');
    recorder.event(about, 'Normal', 'Second', 'x');
    await cluster.runFor(60_000);
    expect(requests(cluster)).toEqual(['create NotFound', 'create ok']);
  });

  test('is tried again when the server asks for that', async () => {
    const { cluster, recorder, about } = await world();
    const fault = { fault: 'refuse', process: 'web-controller', reason: 'TooManyRequests' } as const;
    cluster.nemesis.strike({ ...fault, requests: 2 });
    recorder.event(about, 'Normal', 'First', 'x');
    await cluster.runFor(5_000);
    expect(requests(cluster)).toEqual(['create TooManyRequests', 'create TooManyRequests', 'create ok']);
  });

  test('is not even kept when a thousand wait', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 0; i < 2_000; i++) recorder.event({ ...about, kind: `Kind${i}` }, 'Normal', 'First', 'x');
    await cluster.runFor(60_000);
    // One was under way.
    expect(requests(cluster)).toHaveLength(1_001);
  });
});

describe('A recorder whose component was told to stop', () => {
  test('sends nothing more', async () => {
    const { cluster, process, recorder, about } = await world();
    recorder.event(about, 'Normal', 'First', 'x');
    recorder.event(about, 'Normal', 'Second', 'x');
    await cluster.runFor(1);
    process.stop();
    recorder.event(about, 'Normal', 'Third', 'x');
    await cluster.runFor(300_000);
    expect(requests(cluster)).toEqual(['create ok']);
  });

  test('tries nothing again', async () => {
    const { cluster, process, recorder, about } = await world();
    cluster.nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 5_000 });
    recorder.event(about, 'Normal', 'First', 'x');
    await cluster.runFor(4);
    process.stop();
    await cluster.runFor(300_000);
    expect(requests(cluster)).toEqual(['create ECONNREFUSED']);
  });
});
