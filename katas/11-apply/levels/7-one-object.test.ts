import { describe, expect, test } from 'vitest';
import { LAST_APPLIED } from '#given/11-apply';
import { named, ruleFor, vectors } from '#harness/testing';
import { applyOne, patchWithRetries, replace } from '#kata/11-apply/apply';
import { configMap } from './objects.fixture.ts';
import { outcomeOf, serverWith, textWith, verbsOf } from './server.fixture.ts';

interface RetryRow {
  readonly answers?: readonly number[];
  readonly force?: boolean;
  readonly get?: number;
  readonly getAfterConflict?: number;
  readonly create?: number;
  readonly patch?: string;
}

interface RetryExpectation {
  readonly patches: number;
  readonly gets?: number;
  readonly creates?: number;
  readonly deletes?: number;
  readonly sleeps?: readonly number[];
  readonly outcome: string;
}

describe('Level 7 · One object, against a server', () => {
  test('creates an object that the server lacks', async () => {
    const { step, requests } = await serverWith({ gets: [404] });
    const applied = await applyOne(step);
    expect(verbsOf(requests), 'the requests, if the GET answers 404').toEqual(['get', 'create']);
    expect(applied, 'the report').toMatchObject({
      outcome: 'created',
      key: { namespace: 'default', name: 'web' },
      object: { data: { a: '2' } },
    });
  });

  test('patches an object that differs, and reports the object of the answer', async () => {
    const { step, requests } = await serverWith();
    const applied = await applyOne(step);
    expect(verbsOf(requests), 'the requests, if the manifest has a: 2 and the server a: 1').toEqual([
      'get',
      'patch',
    ]);
    expect(requests[1]?.body, 'the body of the patch').toEqual({
      data: { a: '2' },
      metadata: { annotations: { [LAST_APPLIED]: textWith({ a: '2' }) } },
    });
    expect(applied, 'the report').toMatchObject({ outcome: 'configured', object: { data: { a: '2' } } });
  });

  test('sends nothing about an object that needs no change', async () => {
    const { step, requests } = await serverWith({ gets: [{ a: '2' }] });
    expect((await applyOne(step)).outcome, 'the outcome, if the server has a: 2').toBe('unchanged');
    expect(verbsOf(requests), 'the requests').toEqual(['get']);
  });

  test.each(named(vectors<RetryRow, RetryExpectation>('apply-flow', 'applyOne', 12)))(
    'sends the requests of kubectl: %s',
    async (_, { input, expect: wanted }) => {
      const { answers = [200], force, get, getAfterConflict, create = 201, patch } = input;
      const first = get ?? (patch === '{}' ? { a: '2' } : { a: '1' });
      const gone = answers.includes(422) && force ? [404] : [];
      const { step, requests, sleeps } = await serverWith({
        gets: [first, ...(getAfterConflict ? [getAfterConflict] : gone)],
        patches: answers,
        creates: [create],
        options: force ? { force } : {},
      });
      const outcome = await outcomeOf(applyOne(step));
      const count = (verb: string): number => verbsOf(requests).filter((one) => one === verb).length;
      const isError = outcome.startsWith('error when ');
      expect(isError ? 'error' : outcome, ruleFor('the outcome', input)).toBe(wanted.outcome);
      expect(count('patch'), ruleFor('the number of PATCHes', input)).toBe(wanted.patches);
      expect(count('create'), ruleFor('the number of POSTs', input)).toBe(wanted.creates ?? 0);
      expect(count('delete'), ruleFor('the number of DELETEs', input)).toBe(wanted.deletes ?? 0);
      if (wanted.gets !== undefined)
        expect(count('get'), ruleFor('the number of GETs', input)).toBe(wanted.gets);
      if (wanted.sleeps) expect(sleeps, ruleFor('the pauses in ms', input)).toEqual(wanted.sleeps);
    },
  );

  test('pauses before the second retry and each one after it, not after the last', async () => {
    const { step, requests } = await serverWith({ patches: [409] });
    await outcomeOf(applyOne(step));
    const times = requests.filter(({ verb }) => verb === 'patch').map(({ atMs }) => atMs);
    expect(times, 'when the PATCHes are sent, if each one is a conflict').toEqual([
      0, 0, 1000, 2000, 3000, 4000,
    ]);
  });

  test('pauses before it reads, so that the patch is about the newest object', async () => {
    const { step, requests } = await serverWith({ patches: [409, 409, 200] });
    await applyOne(step);
    expect(
      requests.map(({ verb, atMs }) => `${verb} ${atMs}`),
      'the requests and their times in ms, after two conflicts',
    ).toEqual(['get 0', 'patch 0', 'get 0', 'patch 0', 'get 1000', 'patch 1000']);
  });

  test('names the object, the patch and the refusal in its error', async () => {
    const { step } = await serverWith({ patches: [422] });
    const message = await outcomeOf(applyOne(step));
    expect(message, 'the error of a refused patch').toBe(
      [
        'error when applying patch:',
        `{"data":{"a":"2"},"metadata":{"annotations":{"${LAST_APPLIED}":${JSON.stringify(textWith({ a: '2' }))}}}}`,
        'to:',
        'Resource: "/v1, Resource=configmaps", GroupVersionKind: "/v1, Kind=ConfigMap"',
        'Name: "web", Namespace: "default"',
        'for: "web.yaml": error when patching "web.yaml": ConfigMap "web" is invalid: no',
      ].join('\n'),
    );
  });

  test.each([
    ['a GET', { gets: [500] }, /^error when retrieving current configuration of:\n/],
    [
      'a POST',
      { gets: [404], creates: [409] },
      /^error when creating "web.yaml": configmaps "web" already exists$/,
    ],
    [
      'a GET after a conflict',
      { gets: [{ a: '1' }, 404], patches: [409] },
      /^error when applying patch:\n\nto:\n/,
    ],
  ])('names the failure of %s', async (_, script, wanted) => {
    const { step } = await serverWith(script);
    expect(await outcomeOf(applyOne(step)), 'the error').toMatch(wanted);
  });

  test('warns about an object without the annotation, once', async () => {
    const { step, warnings } = await serverWith({
      metadata: { annotations: {} },
      patches: [409, 200],
    });
    await applyOne(step);
    expect(warnings, 'the warnings, with one conflict').toHaveLength(1);
    expect(warnings[0], 'the warning').toMatch(/^resource configmaps\/web is missing the /);
  });

  test('warns about an object that is being deleted', async () => {
    const { step, warnings } = await serverWith({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
    await applyOne(step);
    expect(warnings, 'the warnings').toEqual([
      'Detected changes to resource web which is currently being deleted.',
    ]);
  });

  test('in a dry run of the client, it only reads, and reports the result', async () => {
    const { step, requests } = await serverWith({ options: { dryRun: 'client' } });
    expect(await applyOne(step), 'the report').toMatchObject({
      outcome: 'configured',
      object: { data: { a: '2' } },
    });
    expect(verbsOf(requests), 'the requests').toEqual(['get']);
  });

  test('in a dry run of the server, each write says so', async () => {
    const { step, requests } = await serverWith({ options: { dryRun: 'server' } });
    await applyOne(step);
    expect(requests[1]?.options, 'the options of the PATCH').toMatchObject({ dryRun: true });
  });

  test('in a dry run of the server, it also tries again after a conflict', async () => {
    const { step, requests } = await serverWith({ patches: [409, 200], options: { dryRun: 'server' } });
    expect(await outcomeOf(applyOne(step)), 'the outcome').toBe('configured');
    expect(verbsOf(requests), 'the requests').toEqual(['get', 'patch', 'get', 'patch']);
  });

  describe('by force', () => {
    test('deletes the object, waits until it is gone, and creates the new one', async () => {
      const { step, requests } = await serverWith({
        gets: [{ a: '1' }, { a: '1' }, { a: '1' }, 404],
        patches: [422],
        options: { force: true },
      });
      const live = await outcomeOf(applyOne(step));
      expect(live, 'the outcome').toBe('configured');
      expect(
        requests.map(({ verb, atMs }) => `${verb} ${atMs}`),
        'the requests and their times in ms, if the object exists for two more reads',
      ).toEqual(['get 0', 'patch 0', 'delete 0', 'get 0', 'get 1000', 'get 2000', 'create 2000']);
      expect(requests.at(-1)?.body, 'the new object').toEqual(
        configMap({ a: '2' }, { annotations: { [LAST_APPLIED]: textWith({ a: '2' }) } }),
      );
    });

    test('waits without an end, if it has no timeout', async () => {
      const gets = [...Array.from({ length: 90 }, () => ({ a: '1' })), 404];
      const { step, requests, live } = await serverWith({ gets, options: { force: true } });
      await replace(step, live);
      expect(requests.at(-1), 'the last request, if the object exists for 90 reads').toMatchObject({
        verb: 'create',
      });
    });

    test('ends the wait after the timeout', async () => {
      const { step, requests, live } = await serverWith({ options: { force: true, timeoutMs: 3_000 } });
      expect(await outcomeOf(replace(step, live).then(() => ({ outcome: 'created' }))), 'the error').toMatch(
        /context deadline exceeded$/,
      );
      expect(verbsOf(requests), 'the requests: it creates nothing while the old object exists').not.toContain(
        'create',
      );
    });

    test('creates the old object again, if the server refuses the new one', async () => {
      const { step, requests, live } = await serverWith({
        gets: [404],
        creates: [422, 201],
        options: { force: true },
      });
      const message = await outcomeOf(replace(step, live).then(() => ({ outcome: 'created' })));
      expect(message, 'the error: that of the new object').toMatch(/ConfigMap "web" is invalid: no$/);
      const creates = requests.filter(({ verb }) => verb === 'create');
      expect(
        creates.map(({ body }) => (body as { data: unknown }).data),
        'data of the objects that it tries to create',
      ).toEqual([{ a: '2' }, { a: '1' }]);
      expect(
        creates[1]?.body,
        'the old object: without its version, or the server refuses it',
      ).not.toHaveProperty('metadata.resourceVersion');
    });

    test('creates the object again that it read last, if it met a conflict before', async () => {
      const { step, requests } = await serverWith({
        gets: [{ a: '1' }, { a: '5' }, 404],
        patches: [409, 422],
        creates: [422, 201],
        options: { force: true },
      });
      await outcomeOf(applyOne(step));
      expect(
        requests.at(-1),
        'the last request, if another client has set a: 5 before the second read',
      ).toMatchObject({ verb: 'create', body: { data: { a: '5' } } });
    });

    test('creates no object that another client has deleted after a conflict', async () => {
      const { step, requests } = await serverWith({
        gets: [{ a: '1' }, 404],
        patches: [409],
        options: { force: true },
      });
      expect(await outcomeOf(applyOne(step)), 'the error').toMatch(/^error when applying patch:\n/);
      expect(verbsOf(requests), 'the requests').toEqual(['get', 'patch', 'get']);
    });

    test('reports both errors, if the old object cannot be created either', async () => {
      const { step, live } = await serverWith({ gets: [404], creates: [422, 500], options: { force: true } });
      const message = await outcomeOf(replace(step, live).then(() => ({ outcome: 'created' })));
      expect(message, 'the error').toContain('ConfigMap "web" is invalid: no');
      expect(message, 'the error').toContain(
        'attempting to restore the original object:\n\nInternal error occurred: no',
      );
    });

    test('replaces after the last conflict, too, but never after another error, and never in a dry run', async () => {
      const conflict = await serverWith({
        patches: [409],
        gets: [{ a: '1' }],
        options: { force: true, timeoutMs: 1 },
      });
      await outcomeOf(applyOne(conflict.step));
      expect(verbsOf(conflict.requests), 'the requests, after six conflicts').toContain('delete');
      for (const options of [{ force: true, dryRun: 'server' as const }, {}]) {
        const { step, live, requests } = await serverWith({ patches: [422], options });
        await outcomeOf(patchWithRetries(step, live));
        expect(verbsOf(requests), `the requests with ${JSON.stringify(options)}`).toEqual(['patch']);
      }
    });
  });
});
