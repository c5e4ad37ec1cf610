import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CustomResourceDefinition, KubeObject } from '../../api/objects.ts';
import { customResourceDefinitions } from '../../api/plain-resources.ts';
import { namespaces } from '../../api/resource.ts';
import { Simulation, seededRandom } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { createHandler } from '../handler/handler.ts';
import { DEFINITION, DEFINITIONS, definition, TABS, tab } from './cron-tabs.fixture.ts';

/** Starts two apiservers over one store; both run the definition controllers. */
async function twoReplicas() {
  const sim = new Simulation();
  const first = new ApiServer({ clock: sim.clock, random: seededRandom(1) });
  const { storage } = first;
  await first.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  const second = new ApiServer({ clock: sim.clock, random: seededRandom(2), storage });
  const handlers = { first: createHandler(first), second: createHandler(second) };
  const written: string[] = [];
  storage.follow({
    wrote: ({ resource, type, object }) => {
      if (resource.plural !== customResourceDefinitions.plural) return;
      const { conditions } = (object as CustomResourceDefinition).status ?? {};
      written.push([type, ...(conditions ?? []).map((one) => `${one.type}=${one.status}`)].join(' '));
    },
  });
  const send = async (at: 'first' | 'second', method: string, path: string, body?: unknown) => {
    const response = await handlers[at](
      new Request(`http://apiserver.test${path}`, {
        method,
        headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    );
    const text = await response.text();
    return { code: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await sim.run({ forMs: 10 });
  };
  return { send, settle, written, storage };
}

describe('Two apiservers before one store', () => {
  test('serve a definition from either one, and establish it once', async () => {
    const { send, settle, written } = await twoReplicas();
    expect(await send('first', 'POST', DEFINITIONS, definition())).toMatchObject({ code: 201 });
    await settle();
    expect(written).toEqual([
      'ADDED',
      'MODIFIED NamesAccepted=True Established=False',
      'MODIFIED NamesAccepted=True Established=True',
    ]);
    expect((await send('second', 'POST', TABS, tab())).code).toBe(201);
    const { body } = await send('first', 'GET', TABS);
    expect(body.items.map((one: KubeObject) => one.metadata.name)).toEqual([tab().metadata.name]);
  });

  test('reject a definition deleted at either one, and clean it up once', async () => {
    const { send, settle, written, storage } = await twoReplicas();
    await send('first', 'POST', DEFINITIONS, definition());
    await settle();
    for (const at of ['first', 'second'] as const) {
      const made = tab();
      await send(at, 'POST', TABS, { ...made, metadata: { ...made.metadata, name: at } });
    }
    written.length = 0;
    expect((await send('second', 'DELETE', DEFINITION)).code).toBe(200);
    const { code } = await send('first', 'POST', TABS, tab());
    expect(code).toBe(403);
    await settle();
    expect(storage.list(customResourceDefinitions)).toEqual([]);
    expect(written.map((one) => one.split(' ')[0])).toEqual(['MODIFIED', 'MODIFIED', 'DELETED']);
    for (const at of ['first', 'second'] as const) expect((await send(at, 'GET', TABS)).code).toBe(404);
  });

  test('Convergent: whichever replica a client defines and deletes on, both give the same answers in the end', async () => {
    const at = fc.constantFrom('first' as const, 'second' as const);
    const step = fc.record({
      at,
      what: fc.constantFrom('define', 'delete', 'create', 'remove', 'settle'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { send, settle } = await twoReplicas();
        for (const { at, what } of steps) {
          if (what === 'define') await send(at, 'POST', DEFINITIONS, definition());
          else if (what === 'delete') await send(at, 'DELETE', DEFINITION);
          else if (what === 'create') await send(at, 'POST', TABS, tab());
          else if (what === 'remove') await send(at, 'DELETE', `${TABS}/${tab().metadata.name}`);
          else await settle();
        }
        await settle();
        const paths = [DEFINITION, TABS, '/apis', '/apis/stable.example.com/v1'];
        for (const path of paths) {
          expect(await send('first', 'GET', path)).toEqual(await send('second', 'GET', path));
        }
      }),
    );
  });
});
