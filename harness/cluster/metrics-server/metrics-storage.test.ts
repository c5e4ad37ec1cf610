import { describe, expect, test } from 'vitest';
import type { ContainerResourceUsage, ResourceUsage } from '../../contracts/node/kubelet-server.ts';
import { MetricsStorage } from './metrics-storage.ts';

const SECOND_NS = 1_000_000_000;
const NODE: ResourceUsage = {
  startedAtMs: 0,
  atMs: 100_000,
  cpuUsageCoreNanoSeconds: 50 * SECOND_NS,
  memoryWorkingSetBytes: 1_000,
};
const WEB = { namespace: 'default', name: 'web' };

function container(container: string, usage: Partial<ResourceUsage>): ContainerResourceUsage {
  return { ...NODE, pod: WEB, container, ...usage };
}

/** Stores what a kubelet reports at each of these times. */
function stored(...answers: { node?: Partial<ResourceUsage>; containers?: ContainerResourceUsage[] }[]) {
  const storage = new MetricsStorage();
  for (const { node, containers = [] } of answers) {
    storage.store(new Map([['node-1', { node: { ...NODE, ...node }, containers }]]));
  }
  return storage;
}

const later = { atMs: 115_000, cpuUsageCoreNanoSeconds: 80 * SECOND_NS, memoryWorkingSetBytes: 2_000 };

describe('The usage of a node', () => {
  test('is known from the second scrape on: average CPU, last memory', () => {
    const once = stored({});
    expect([once.isReady, once.node('node-1')]).toEqual([false, undefined]);
    const twice = stored({}, { node: later });
    expect(twice.isReady).toBe(true);
    expect(twice.node('node-1')).toEqual({
      atMs: 115_000,
      windowMs: 15_000,
      cpuNanoCores: 2 * SECOND_NS,
      memoryBytes: 2_000,
    });
  });

  test('is unknown if its kubelet did not respond, or reported no usage', () => {
    const storage = stored({}, { node: later });
    storage.store(new Map());
    expect(storage.node('node-1')).toBeUndefined();
    expect(stored({}, { node: { ...later, memoryWorkingSetBytes: 0 } }).node('node-1')).toBeUndefined();
  });
});

describe('The usage of a pod', () => {
  test('is known once each of its containers has been scraped twice', () => {
    const [a, b] = [container('a', {}), container('b', {})];
    const [laterA, laterB] = [container('a', later), container('b', { ...later, atMs: 114_000 })];
    expect(stored({ containers: [a] }, { containers: [laterA, laterB] }).pod(WEB)).toBeUndefined();
    expect(stored({ containers: [a, b] }, { containers: [laterA, laterB] }).pod(WEB)).toMatchObject({
      atMs: 114_000,
      windowMs: 14_000,
      containers: [
        { name: 'a', cpuNanoCores: 2 * SECOND_NS },
        { name: 'b', windowMs: 14_000 },
      ],
    });
  });

  test('counts from the start of a new container, within limits', () => {
    const began = (agoMs: number) =>
      stored({
        containers: [container('a', { startedAtMs: 100_000 - agoMs, cpuUsageCoreNanoSeconds: SECOND_NS })],
      });
    expect(began(10_000).pod(WEB)).toMatchObject({
      windowMs: 10_000,
      containers: [{ cpuNanoCores: SECOND_NS / 10 }],
    });
    expect([began(9_999).pod(WEB), began(15_000).pod(WEB)]).toEqual([undefined, undefined]);
  });

  test('is unknown right after a container restarts, or while a container has used nothing', () => {
    const again = container('a', { ...later, startedAtMs: 110_000, cpuUsageCoreNanoSeconds: SECOND_NS });
    expect(stored({ containers: [container('a', {})] }, { containers: [again] }).pod(WEB)).toBeUndefined();
    const idle = container('b', { cpuUsageCoreNanoSeconds: 0 });
    const both = [container('a', later), idle];
    expect(stored({ containers: [container('a', {}), idle] }, { containers: both }).pod(WEB)).toBeUndefined();
  });
});
