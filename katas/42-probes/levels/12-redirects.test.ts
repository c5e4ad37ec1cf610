import { describe, expect, test } from 'vitest';
import type { HttpAnswer, HttpRequest } from '#harness';
import { probe, runProbe } from '#kata/42-probes/probes';
import { fakeNode, probed, targetOf } from './probes.fixture.ts';

const one = targetOf(
  probed('liveness', {
    httpGet: { path: '/first', port: 80, httpHeaders: [{ name: 'Host', value: 'web' }] },
    timeoutSeconds: 3,
  }),
);
const to = (location: string, status = 302): HttpAnswer => ({ status, headers: { location }, body: 'moved' });
const ok: HttpAnswer = { status: 200, headers: {}, body: 'ok' };
/** A server that sends one from each of these paths to the next place. */
const leading =
  (places: Readonly<Record<string, HttpAnswer>>) =>
  ({ path }: HttpRequest): HttpAnswer =>
    places[path] ?? ok;

describe('Level 12 ★ · Redirects', () => {
  test.each([301, 302, 303, 307, 308])('follows a redirect with status %i', async (status) => {
    const node = fakeNode({ request: leading({ '/first': to('/second', status) }) });
    expect((await runProbe(node, one)).result).toBe('success');
    expect(node.asked).toEqual(['GET http://10.244.1.2:80/first', 'GET http://10.244.1.2:80/second']);
  });

  test('follows to another port and scheme of the same host', async () => {
    const node = fakeNode({ request: leading({ '/first': to('https://10.244.1.2/x?y=z') }) });
    await runProbe(node, one);
    expect(node.asked[1]).toBe('GET https://10.244.1.2:443/x?y=z');
  });

  test('knows a host again that is an IPv6 address', async () => {
    const node = fakeNode({ request: leading({ '/first': to('http://[fd00::7]/second') }) });
    expect((await runProbe(node, { ...one, podIP: 'fd00::7' })).result).toBe('success');
    expect(node.requests.map(({ host, path }) => `${host} ${path}`)).toEqual([
      'fd00::7 /first',
      'fd00::7 /second',
    ]);
  });

  test('keeps the Host header for a path, and drops it for a whole URL', async () => {
    const node = fakeNode({
      request: leading({ '/first': to('/second'), '/second': to('http://10.244.1.2/third') }),
    });
    await runProbe(node, one);
    expect(node.requests.map(({ headers }) => headers.host)).toEqual(['web', 'web', undefined]);
  });

  test('does not go to another host, and warns', async () => {
    const node = fakeNode({ request: leading({ '/first': to('http://example.com/') }) });
    expect(await probe(node, one)).toBe('Success');
    expect(node.asked).toHaveLength(1);
    expect(node.events[0]).toContain(
      'Liveness probe warning: Probe terminated redirects, Response body: moved',
    );
  });

  test('takes a redirect to nowhere as it is', async () => {
    const node = fakeNode({ request: () => ({ status: 302, headers: {}, body: '' }) });
    expect((await runProbe(node, one)).result).toBe('warning');
    expect(node.asked).toHaveLength(1);
  });

  test('gives up after ten requests', async () => {
    const node = fakeNode({ request: () => to('/again') });
    expect(await runProbe(node, one)).toEqual({
      result: 'failure',
      output: 'Get "/again": stopped after 10 redirects',
    });
    expect(node.asked).toHaveLength(10);
  });

  test('has no more time for all of them than for one', async () => {
    const node = fakeNode({
      request: async (request, sim) => {
        await sim.clock.sleep(800);
        return leading({ '/first': to('/second'), '/second': to('/third') })(request);
      },
    });
    await node.sim.settle(runProbe(node, one));
    expect(node.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([3_000, 2_200, 1_400]);
  });
});
