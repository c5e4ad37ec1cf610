import { describe, expect, test } from 'vitest';
import type { Operation } from '#given/14-admission';
import { namespaces, type Resource } from '#harness';
import { defineResource, named, ruleFor, vectors } from '#harness/testing';
import { namespaceLifecycle } from '#kata/14-admission/admission';
import { attributes, pod, stored, TestApiserver } from './context.fixture.ts';

interface Input {
  readonly operation: Operation;
  readonly group?: string;
  readonly resource: string;
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace: string;
  readonly namespacePhase?: string | null;
  readonly cachedPhase?: string | null;
  readonly deletedWithinSeconds?: number;
}

interface Expected {
  readonly allowed?: boolean;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly unknown[];
}

const namespace = (name: string, phase: string) => stored(namespaces, name, { status: { phase } });

const KINDS: Readonly<Record<string, string>> = { namespaces: 'Namespace', nodes: 'Node', pods: 'Pod' };

function resourceOf({ group = '', resource }: Input): Resource {
  const namespaced = resource !== 'namespaces' && resource !== 'nodes';
  return defineResource(group ? `${group}/v1` : 'v1', KINDS[resource] ?? 'Review', resource, { namespaced });
}

describe('Level 2 · Namespaces', () => {
  test.each(named(vectors<Input, Expected>('namespace-lifecycle', 'admitNamespace', 18)))(
    'agrees with upstream: %s',
    async (_, { input, expect: expected }) => {
      const { namespacePhase: phase, cachedPhase = phase } = input;
      const in_ = (of: string | null | undefined) => (of ? [namespace(input.namespace, of)] : []);
      const server = new TestApiserver({ stored: in_(phase), cached: in_(cachedPhase) });
      const plugin = namespaceLifecycle(server.context);
      const { metadata } = pod({}, { name: input.name, generateName: input.generateName });
      const { error } = await server.outcome(async () => {
        if (input.deletedWithinSeconds !== undefined) {
          const deleted = { operation: 'DELETE', resource: namespaces, name: input.namespace } as const;
          await plugin.admit?.(attributes({ ...deleted, namespace: input.namespace }), undefined as never);
        }
        const object = input.operation === 'DELETE' ? undefined : { ...pod(), metadata };
        const request = attributes({
          operation: input.operation,
          resource: resourceOf(input),
          namespace: input.namespace,
          name: input.name ?? '',
          object,
        });
        return plugin.admit?.(request, undefined as never);
      });
      const { allowed, ...failure } = expected;
      if (allowed) expect(error, ruleFor('is allowed', input)).toBeUndefined();
      else expect(error, ruleFor('is refused', input)).toMatchObject(failure);
    },
  );

  const create = attributes({ object: pod() });

  test('A create waits 50 ms for a namespace that the cache lacks, then reads the storage', async () => {
    const server = new TestApiserver({ stored: [namespace('ns', 'Active')], cached: [] });
    const plugin = namespaceLifecycle(server.context);
    const { error, afterMs } = await server.outcome(() => plugin.admit?.(create, undefined as never));
    expect(error).toBeUndefined();
    expect([afterMs, server.reads]).toEqual([50, ['get namespaces ns']]);
  });

  test('An active namespace in the cache costs no read', async () => {
    const server = new TestApiserver({ stored: [namespace('ns', 'Active')] });
    const plugin = namespaceLifecycle(server.context);
    const { afterMs } = await server.outcome(() => plugin.admit?.(create, undefined as never));
    expect([afterMs, server.reads]).toEqual([0, []]);
  });

  const update = attributes({ operation: 'UPDATE', object: pod(), oldObject: pod() });

  test('An update does not wait for a namespace that the cache lacks, and reads the storage at once', async () => {
    const server = new TestApiserver({ stored: [namespace('ns', 'Active')], cached: [] });
    const plugin = namespaceLifecycle(server.context);
    const { error, afterMs } = await server.outcome(() => plugin.admit?.(update, undefined as never));
    expect(error).toBeUndefined();
    expect([afterMs, server.reads]).toEqual([0, ['get namespaces ns']]);
  });

  const deleted = { operation: 'DELETE', resource: namespaces, name: 'ns', namespace: 'ns' } as const;

  test('After the delete of a namespace, an update reads the storage, too', async () => {
    const server = new TestApiserver({ stored: [], cached: [namespace('ns', 'Active')] });
    const plugin = namespaceLifecycle(server.context);
    await server.outcome(() => plugin.admit?.(attributes(deleted), undefined as never));
    const { error } = await server.outcome(() => plugin.admit?.(update, undefined as never));
    expect([error?.code, server.reads]).toEqual([404, ['get namespaces ns']]);
  });

  test('A terminating namespace in the cache costs no read, also after its delete', async () => {
    const server = new TestApiserver({ stored: [namespace('ns', 'Terminating')] });
    const plugin = namespaceLifecycle(server.context);
    await server.outcome(() => plugin.admit?.(attributes(deleted), undefined as never));
    const { error } = await server.outcome(() => plugin.admit?.(create, undefined as never));
    expect([error?.code, server.reads]).toEqual([403, []]);
  });

  test('A custom resource of the kind Namespace is an object like others', async () => {
    const server = new TestApiserver({ stored: [namespace('ns', 'Terminating')] });
    const plugin = namespaceLifecycle(server.context);
    const resource = defineResource('example.com/v1', 'Namespace', 'namespaces');
    const admit = (sent: object) =>
      server.outcome(() => plugin.admit?.(attributes({ resource, ...sent }), undefined as never));
    expect((await admit({ object: pod() })).error?.code).toBe(403);
    expect((await admit({ operation: 'DELETE', name: 'default' })).error).toBeUndefined();
  });

  test('30 s after the delete of a namespace, the cache counts again', async () => {
    const server = new TestApiserver({ stored: [namespace('ns', 'Active')] });
    const plugin = namespaceLifecycle(server.context);
    await server.outcome(() => plugin.admit?.(attributes(deleted), undefined as never));
    await server.simulation.run({ forMs: 29_999 });
    await server.outcome(() => plugin.admit?.(create, undefined as never));
    expect(server.reads).toEqual(['get namespaces ns']);
    await server.simulation.run({ forMs: 1 });
    await server.outcome(() => plugin.admit?.(create, undefined as never));
    expect(server.reads).toEqual(['get namespaces ns']);
  });
});
