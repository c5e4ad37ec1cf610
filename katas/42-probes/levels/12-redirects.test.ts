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
/** Returns a server that gives these answers at these paths, and 200 at all others. */
const leading =
  (places: Readonly<Record<string, HttpAnswer>>) =>
  ({ path }: HttpRequest): HttpAnswer =>
    places[path] ?? ok;

describe('Level 12 ★ · Redirects', () => {
  test.each([301, 302, 303, 307, 308])('follows a redirect with status %i', async (status) => {
    const node = fakeNode({ request: leading({ '/first': to('/second', status) }) });
    expect(
      (await runProbe(node, one)).result,
      `status ${status} with a Location on the same host: the result is that of the new location`,
    ).toBe('success');
    expect(node.asked, `status ${status} with a Location on the same host must be followed`).toEqual([
      'GET http://10.244.1.2:80/first',
      'GET http://10.244.1.2:80/second',
    ]);
  });

  test('follows a redirect to another port and scheme of the same host', async () => {
    const node = fakeNode({ request: leading({ '/first': to('https://10.244.1.2/x?y=z') }) });
    await runProbe(node, one);
    expect(node.asked[1], 'another port and scheme, but the same host: follow the redirect').toBe(
      'GET https://10.244.1.2:443/x?y=z',
    );
  });

  test('recognizes the same host if it is an IPv6 address', async () => {
    const node = fakeNode({ request: leading({ '/first': to('http://[fd00::7]/second') }) });
    expect(
      (await runProbe(node, { ...one, podIP: 'fd00::7' })).result,
      'the Location has the IPv6 address of the pod in brackets: it is the same host',
    ).toBe('success');
    expect(
      node.requests.map(({ host, path }) => `${host} ${path}`),
      'the Location has the IPv6 address of the pod in brackets: follow the redirect',
    ).toEqual(['fd00::7 /first', 'fd00::7 /second']);
  });

  test('keeps the Host header for a path, and drops it for a full URL', async () => {
    const node = fakeNode({
      request: leading({
        '/first': to('/second'),
        '/second': to('http://10.244.1.2/third'),
        '/third': to('/fourth'),
      }),
    });
    await runProbe(node, one);
    expect(
      node.requests.map(({ headers }) => headers.host),
      'the Host header of each request: kept after a Location that is a path, dropped from a Location on that is a whole URL',
    ).toEqual(['web', 'web', undefined, undefined]);
  });

  test('does not follow a redirect to another host, and warns', async () => {
    const node = fakeNode({ request: leading({ '/first': to('http://example.com/') }) });
    expect(await probe(node, one), 'a redirect to another host is a success with a warning').toBe('Success');
    expect(node.asked, 'the requests: a redirect to another host must not be followed').toHaveLength(1);
    expect(node.events[0], 'the event warns that the redirect was not followed').toContain(
      'Liveness probe warning: Probe terminated redirects, Response body: moved',
    );
  });

  test('a redirect without a Location is a warning', async () => {
    const node = fakeNode({ request: () => ({ status: 302, headers: {}, body: '' }) });
    expect((await runProbe(node, one)).result, 'a redirect without a Location is a warning').toBe('warning');
    expect(node.asked, 'the requests: without a Location there is nothing to follow').toHaveLength(1);
  });

  test('a Location that is no URL is a failure', async () => {
    const node = fakeNode({ request: () => to('http://[') });
    expect(
      await runProbe(node, one),
      'the Location "http://[" is no URL: an answer of the server, so the probe has failed',
    ).toEqual({
      result: 'failure',
      output: 'Get "http://10.244.1.2:80/first": failed to parse Location header "http://["',
    });
  });

  test('a tenth answer that leads to another host is a warning', async () => {
    let answers = 0;
    const node = fakeNode({ request: () => to(++answers < 10 ? '/again' : 'http://example.com/') });
    expect(
      (await runProbe(node, one)).result,
      'nine redirects within the host, and the tenth to another host: it is not followed, so it is no tenth redirect',
    ).toBe('warning');
  });

  test('gives up after ten requests', async () => {
    const node = fakeNode({ request: () => to('/again') });
    expect(await runProbe(node, one), 'the eleventh request must not be sent: the probe has failed').toEqual({
      result: 'failure',
      output: 'Get "/again": stopped after 10 redirects',
    });
    expect(node.asked, 'the requests before the probe gives up').toHaveLength(10);
  });

  test('all requests together have the timeout of one probe', async () => {
    const node = fakeNode({
      request: async (request, sim) => {
        await sim.clock.sleep(800);
        return leading({ '/first': to('/second'), '/second': to('/third') })(request);
      },
    });
    await node.sim.settle(runProbe(node, one));
    expect(
      node.requests.map(({ timeoutMs }) => timeoutMs),
      'timeoutMs of each request: timeoutSeconds (3 s) limits all of them together, and each took 800 ms',
    ).toEqual([3_000, 2_200, 1_400]);
  });
});
