import { describe, expect, test } from 'vitest';
import type { core } from '#harness';
import { httpRequestOf, portOf } from '#kata/42-probes/probes';
import { container } from './probes.fixture.ts';

const web = container({ ports: [{ name: 'http', containerPort: 8080 }, { containerPort: 9090 }] });
const requestOf = (action: core.HTTPGetAction, probe: core.Probe = {}) =>
  httpRequestOf(action, { container: web, podIP: '10.244.1.2', probe });

describe('Level 2 · Where a probe goes', () => {
  test.each([
    [80, 80],
    ['http', 8080],
    ['81', 81],
  ])('finds the port %s', (port, found) => {
    expect(portOf(port, web)).toBe(found);
  });

  test('finds a port by name in a container that has several, and prefers a name to a number', () => {
    expect(portOf('81', container({ ports: [{ name: '81', containerPort: 5 }] }))).toBe(5);
  });

  test.each([
    ['web', 'strconv.Atoi: parsing "web": invalid syntax'],
    [0, 'invalid port number: 0'],
    [65_536, 'invalid port number: 65536'],
    ['0', 'invalid port number: 0'],
  ])('does not take %s for a port', (port, message) => {
    expect(() => portOf(port, web)).toThrow(message);
  });

  test('asks the address of the pod, says who asks, and takes whatever comes', () => {
    expect(requestOf({ path: '/healthz', port: 80 })).toEqual({
      scheme: 'http',
      method: 'GET',
      host: '10.244.1.2',
      port: 80,
      path: '/healthz',
      headers: { 'user-agent': 'kube-probe/1.36', accept: '*/*' },
      timeoutMs: 1_000,
    });
  });

  test('asks another host, over TLS, by a named port, for as long as the probe says', () => {
    const action = { path: '/', port: 'http', host: 'example.com', scheme: 'HTTPS' };
    const { scheme, host, port, timeoutMs } = requestOf(action, { timeoutSeconds: 7 });
    expect({ scheme, host, port, timeoutMs }).toEqual({
      scheme: 'https',
      host: 'example.com',
      port: 8080,
      timeoutMs: 7_000,
    });
  });

  test.each([
    [undefined, '/'],
    ['', '/'],
    ['/a?b=c&d=e', '/a?b=c&d=e'],
    ['healthz', '/healthz'],
  ])('asks for the path %s', (path, asked) => {
    expect(requestOf({ port: 80, ...(path !== undefined && { path }) }).path).toBe(asked);
  });

  test('sends the headers of the probe, in lower case, instead of its own', () => {
    const httpHeaders = [
      { name: 'User-Agent', value: 'mine' },
      { name: 'Host', value: 'web.example' },
      { name: 'X-A', value: '1' },
      { name: 'x-a', value: '2' },
    ];
    expect(requestOf({ port: 80, httpHeaders }).headers).toEqual({
      'user-agent': 'mine',
      accept: '*/*',
      host: 'web.example',
      'x-a': '1, 2',
    });
  });

  test('leaves out what the probe sets to nothing', () => {
    const httpHeaders = ['Accept', 'User-Agent', 'Host', 'X-A'].map((name) => ({ name, value: '' }));
    expect(requestOf({ port: 80, httpHeaders }).headers).toEqual({ 'x-a': '' });
  });
});
