import { describe, expect, test } from 'vitest';
import type { Operation, Plugin } from '#given/14-admission';
import type { KubeObject } from '#harness';
import { newChain } from '#kata/14-admission/admission';
import { attributes, pod, TestApiserver } from './context.fixture.ts';

const ALL: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** Returns a plugin that appends its name to the label `by`, and notes its calls. */
function appending(name: string, calls: string[], operations = ALL): Plugin {
  return {
    name,
    operations,
    async admit({ object }) {
      calls.push(`admit ${name}`);
      if (!object) return object;
      const by = `${object.metadata.labels?.by ?? ''}${name}`;
      return { ...object, metadata: { ...object.metadata, labels: { by } } } as KubeObject;
    },
    async validate({ object }) {
      calls.push(`validate ${name} ${object?.metadata.labels?.by ?? ''}`);
    },
  };
}

const run = async (plugins: readonly Plugin[], request = attributes({ object: pod() })) => {
  const server = new TestApiserver();
  return server.admitted(newChain(plugins), request);
};

describe('Level 1 · The chain', () => {
  test('A chain without plugins returns the object itself', async () => {
    const object = pod();
    expect((await run([], attributes({ object }))).value).toBe(object);
  });

  test('Each plugin gets the object of the plugin before', async () => {
    const calls: string[] = [];
    const { value } = await run([appending('a', calls), appending('b', calls)]);
    expect(value?.metadata.labels).toEqual({ by: 'ab' });
  });

  test('All plugins have changed the object before the first plugin checks it', async () => {
    const calls: string[] = [];
    await run([appending('a', calls), appending('b', calls)]);
    expect(calls).toEqual(['admit a', 'admit b', 'validate a ab', 'validate b ab']);
  });

  test('A plugin that only checks is skipped while objects change, and the reverse', async () => {
    const calls: string[] = [];
    const { admit: _, ...checks } = appending('checks', calls);
    const { validate: __, ...changes } = appending('changes', calls);
    await run([checks, changes]);
    expect(calls).toEqual(['admit changes', 'validate checks changes']);
  });

  test('A plugin is called only for its operations', async () => {
    const calls: string[] = [];
    await run(
      [appending('a', calls, ['CREATE']), appending('b', calls, ['DELETE'])],
      attributes({ operation: 'DELETE', name: 'p', oldObject: pod() }),
    );
    expect(calls).toEqual(['admit b', 'validate b ']);
  });

  test('A refusal ends the phase, and the request', async () => {
    const calls: string[] = [];
    const refusing: Plugin = {
      name: 'refusing',
      operations: ALL,
      admit: () => Promise.reject(new Error('no')),
    };
    const { error } = await run([appending('a', calls), refusing, appending('b', calls)]);
    expect([error?.message, calls]).toEqual(['no', ['admit a']]);
  });

  test('If a plugin asks for it, all plugins change the object a second time', async () => {
    const calls: string[] = [];
    const asking: Plugin = {
      name: 'asking',
      operations: ALL,
      async admit({ object }, reinvocation) {
        calls.push(`admit asking ${reinvocation.isSecond}`);
        reinvocation.needed = true;
        return object;
      },
    };
    const { value } = await run([appending('a', calls), asking]);
    expect(calls).toEqual(['admit a', 'admit asking false', 'admit a', 'admit asking true', 'validate a aa']);
    expect(value?.metadata.labels).toEqual({ by: 'aa' });
  });

  test('A second request starts with the first run again', async () => {
    const seconds: boolean[] = [];
    const plugin: Plugin = {
      name: 'asking',
      operations: ALL,
      async admit({ object }, reinvocation) {
        seconds.push(reinvocation.isSecond);
        reinvocation.needed = true;
        return object;
      },
    };
    const chain = newChain([plugin]);
    const server = new TestApiserver();
    await server.outcome(() => chain.admit(attributes({ object: pod() })));
    await server.outcome(() => chain.admit(attributes({ object: pod() })));
    expect(seconds).toEqual([false, true, false, true]);
  });
});
