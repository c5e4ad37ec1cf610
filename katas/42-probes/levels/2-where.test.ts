import { describe, expect, test } from 'vitest';
import type { core } from '#harness';
import { httpRequestOf } from '#kata/42-probes/probes';
import { container } from './probes.fixture.ts';

const web = container({ ports: [{ name: 'http', containerPort: 8080 }, { containerPort: 9090 }] });
const requestOf = (action: core.HTTPGetAction, probe: core.Probe = {}) =>
  httpRequestOf(action, { container: web, podIP: '10.244.1.2', probe });

describe('Level 2 · Where a probe goes', () => {
  test('sends a GET to the pod IP, with the User-Agent and Accept of a probe', () => {
    expect(
      requestOf({ path: '/healthz', port: 80 }),
      'the request of an HTTP probe with its defaults: pod IP, scheme http, timeout 1 s',
    ).toEqual({
      scheme: 'http',
      method: 'GET',
      host: '10.244.1.2',
      port: 80,
      path: '/healthz',
      headers: { 'user-agent': 'kube-probe/1.36', accept: '*/*' },
      timeoutMs: 1_000,
    });
  });

  test('uses the host, scheme, named port and timeout of the probe', () => {
    const action = { path: '/', port: 'http', host: 'example.com', scheme: 'HTTPS' };
    const { scheme, host, port, timeoutMs } = requestOf(action, { timeoutSeconds: 7 });
    expect(
      { scheme, host, port, timeoutMs },
      'scheme, host, port and timeout of the probe replace the defaults; a port name refers to a port of the container',
    ).toEqual({
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
    ['/a b', '/a%20b'],
    ['/a?b#c', '/a?b'],
  ])('requests the path %s', (path, asked) => {
    expect(
      requestOf({ port: 80, ...(path !== undefined && { path }) }).path,
      `the path of the request, if the path of the probe is ${JSON.stringify(path)}`,
    ).toBe(asked);
  });

  test('treats an empty host like none', () => {
    expect(
      requestOf({ port: 80, host: '' }).host,
      'host is empty in the spec: the request goes to the pod IP',
    ).toBe('10.244.1.2');
  });

  test('sends the headers of the probe, and omits a header that the probe sets to an empty value', () => {
    const httpHeaders = [
      { name: 'User-Agent', value: 'mine' },
      { name: 'Accept', value: '' },
      { name: 'Host', value: 'web.example' },
    ];
    expect(
      requestOf({ port: 80, httpHeaders }).headers,
      'the headers: a header of the probe replaces the default, and an empty one removes it',
    ).toEqual({
      'user-agent': 'mine',
      host: 'web.example',
    });
  });

  test('throws if the container has no port of that name', () => {
    expect(() => requestOf({ port: 'grpc' }), 'the container has no port of this name').toThrow(
      'strconv.Atoi: parsing "grpc": invalid syntax',
    );
  });
});
